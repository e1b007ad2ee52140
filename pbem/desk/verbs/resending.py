"""Resending: a report or the last letter once more."""

from email import policy
from email.message import EmailMessage
from email.parser import BytesParser

from sqlmodel import col, select

from pbem.desk.visit import Visit
from pbem.letters import Enclosure
from pbem.outbox.keeping_letters import words_of
from pbem.store import MailIn, MailOut
from pbem.store.database import utc


def resend(visit: Visit, rest: str) -> None:
    """`resend LINE` or `resend`: what was written to the writer about a line, or last, goes with this answer."""
    wanted = rest.strip().casefold().removeprefix("line ").removeprefix("last")
    if wanted and not wanted.isdecimal():
        visit.letter.say("Resend", "Write `resend LINE`, or `resend` for the last letter.")
        return
    found = _about(visit, int(wanted)) if wanted else _last(visit)
    if found is None:
        visit.letter.say("Resend", f"No letter to you about line {wanted} was found." if wanted else "There is none.")
        return
    if not found.raw:
        _words_again(visit, found)
        return
    visit.letter.enclosures.append(Enclosure("letter.eml", "application/octet-stream", found.raw))
    message = BytesParser(policy=policy.default).parsebytes(found.raw)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    text = str(body.get_content()) if body is not None else ""
    visit.letter.say(f"Once more: our letter of {message['Date']}", *text.rstrip().splitlines(), exact=True)


def _words_again(visit: Visit, found: MailOut) -> None:
    """A letter of long ago, of which only the words are kept, and those only until the game is over."""
    words, sent = words_of(visit.session, found), f"{utc(found.sent or found.queued):%Y-%m-%d}"
    if words is None:
        visit.letter.say("Resend", f"Our letter of {sent} is no longer kept; `log` sends you all that happened.")
    else:
        without = "Its pictures are no longer kept; `map` sends you one of how it stands now."
        visit.letter.say(f"Once more: our letter of {sent}", without, "", *words[0].rstrip().splitlines(), exact=True)


def _last(visit: Visit) -> MailOut | None:
    letters = select(MailOut).where(MailOut.game_id == visit.game.id, MailOut.to == visit.player.address)
    letters = letters.order_by(col(MailOut.queued).desc(), col(MailOut.id))
    return visit.session.exec(letters.limit(1)).first()


def _about(visit: Visit, line: int) -> MailOut | None:
    # A chair may have had another side then; whom a letter was written to does not change.
    keys = [f"report/{visit.game.id}/{line}/{seat.side}" for seat in visit.room.seats()]
    made = select(MailIn.id).where(MailIn.game_id == visit.game.id, MailIn.line == line)
    keys += [f"answer/{id_}" for id_ in visit.session.exec(made).all()]
    letters = select(MailOut).where(col(MailOut.key).in_(keys), MailOut.to == visit.player.address)
    found = visit.session.exec(letters).all()
    return min(found, key=lambda letter: not letter.key.endswith(f"/{visit.side}"), default=None)
