"""Telling the moderator, once, of a mail that could not be delivered."""

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
    game = session.get(GameRow, mail.game_id) if mail.game_id else None
    moderator = mail_address((game.moderator if game else "") or house.settings.moderator)
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
