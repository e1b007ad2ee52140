"""Telling the moderator, once, of a mail that could not be delivered, or not whole."""

from collections.abc import Mapping

from sqlmodel import Session

from pbem.house import House
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.store import GameRow, MailOut, mail_address
from pbem.store.whose import gets_letters

KEY = "undelivered"


def tell_moderator(house: House, session: Session, mail: MailOut) -> None:
    """Queues the notice; a notice or a mail to the moderator himself that fails is only recorded.

    What a stranger's server does not take is nobody's business: his address was forged, as likely as not.
    """
    if not gets_letters(session, mail_address(mail.to), house.settings.moderator):
        mail.state, mail.raw = "dropped", b""
        return
    moderator = _moderator(house, session, mail)
    if mail.key.startswith(f"{KEY}/") or mail_address(mail.to) == moderator:
        return
    letter = Letter("undelivered", moderator, mail.subject.removesuffix(f" [{mail.game_id}]"), game=mail.game_id)
    letter.say(
        "A mail could not be delivered",
        f"To: {mail.to}",
        f"Subject: {mail.subject}",
        f"What the mail server said: {mail.error}",
        f"Tries: {mail.tries}. It will not be tried again by itself.",
    )
    queue(house, session, letter, f"{KEY}/{mail.id}")


def tell_undrawn(house: House, session: Session, mail: MailOut, missing: Mapping[str, str]) -> None:
    """A letter went out without something that belongs into it."""
    letter = Letter("trouble", _moderator(house, session, mail), f"a letter to {mail.to}", game=mail.game_id)
    letter.say(
        "A letter was sent without all that belongs into it",
        f"To: {mail.to}",
        f"Subject: {mail.subject}",
        *(f"{name} could not be drawn: {why}" for name, why in missing.items()),
        f"That is a mistake in the program. Once it is mended, `pbem game resend {mail.game_id}` sends it whole.",
    )
    queue(house, session, letter, f"undrawn/{mail.id}")


def _moderator(house: House, session: Session, mail: MailOut) -> str:
    game = session.get(GameRow, mail.game_id) if mail.game_id else None
    return mail_address((game.moderator if game else "") or house.settings.moderator)
