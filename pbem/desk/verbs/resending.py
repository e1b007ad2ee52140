"""Resending: a report or the last letter once more."""

from email import message_from_bytes, policy

from sqlmodel import col, select

from pbem.desk.enclosing import sketched
from pbem.desk.sent_again import NoLongerKept, send_again, written
from pbem.desk.visit import Visit
from pbem.letters.letter_printing import settled
from pbem.store import MailIn, MailOut


def resend(visit: Visit, rest: str) -> None:
    """`resend LINE` or `resend`: what was written to the writer about a line, or last, goes with this answer."""
    wanted = rest.strip().casefold().removeprefix("line ").removeprefix("last")
    if wanted and not wanted.isdecimal():
        visit.letter.say("Resend", "Write `resend LINE`, or `resend` for the last letter.")
        return
    found = _about(visit, int(wanted)) if wanted else _last(visit)
    if found is None:
        visit.letter.say("Resend", f"No letter to you about line {wanted} was found." if wanted else "There is none.")
    elif found.raw:
        visit.letter.enclosures.append(sketched("letter.eml", "letter", {"letter": found.id}))
        message = message_from_bytes(found.raw, policy=policy.default)
        body = message.get_body(("plain",))
        text = settled(body.get_content().replace("\r\n", "\n")) if body is not None else ""
        visit.letter.say(f"Once more: our letter of {message['Date']}", *text.rstrip().splitlines(), exact=True)
    else:
        _made_again(visit, found)


def _made_again(visit: Visit, found: MailOut) -> None:
    """A letter of long ago comes in a mail of its own."""
    try:
        address = visit.room.house.seat_address(visit.seat.token)
        send_again(visit.room, found, visit.player, address, f"again/{visit.cause}/{found.id}")
    except NoLongerKept:
        say = f"Our letter of {written(found)} is no longer kept; `log` sends you all that happened."
    else:
        say = f"Our letter of {written(found)} is made again from the log, and comes in a mail of its own."
    visit.letter.say("Resend", say)


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
