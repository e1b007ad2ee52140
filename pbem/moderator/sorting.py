"""Mail that needs a hand: what was set aside, and letters that did not arrive."""

from typing import Annotated

import typer
from sqlmodel import col, select

from pbem.desk.last_letters import NoLongerKept, send_again
from pbem.moderator.act import Act, CannotModerate, GameId, NoSuchMail
from pbem.store import MailIn, MailOut, utc

SHORT = 8  # characters of a mail's number that are shown, and enough to name it


def shunted(act: Act) -> None:
    """List the mail that was set aside, and letters that could not be delivered.

    Example: pbem game shunted
    """
    aside = act.session.exec(select(MailIn).where(MailIn.state == "shunted").order_by(col(MailIn.received))).all()
    for mail in aside:
        subject = mail.subject or "(no subject)"
        act.say(f"{mail.id[:SHORT]}  {utc(mail.received):%Y-%m-%d %H:%M}  {mail.sender or '(nobody)'}  {subject}")
        act.say(f"    {mail.why or 'no reason is noted'} (tried {mail.tries} times)")
    failed = act.session.exec(select(MailOut).where(MailOut.state == "failed").order_by(col(MailOut.queued))).all()
    for letter in failed:
        act.say(f"{letter.id[:SHORT]}  {utc(letter.queued):%Y-%m-%d %H:%M}  to {letter.to}  {letter.subject}")
        act.say(f"    not delivered: {letter.error or 'no reason is noted'} (tried {letter.tries} times)")
    if not aside and not failed:
        act.say("No mail is set aside.")


def retry(
    act: Act, number: Annotated[str, typer.Argument(metavar="NUMBER", help="As `shunted` lists it, or all.")]
) -> None:
    """Deal with a mail that was set aside once more, or send a letter that failed once more.

    Example: pbem game retry all
    """
    aside = act.session.exec(select(MailIn).where(MailIn.state == "shunted")).all()
    failed = act.session.exec(select(MailOut).where(MailOut.state == "failed")).all()
    wanted = number.strip().casefold()
    if wanted != "all" and len(wanted) < 4:
        raise NoSuchMail(number)
    mails = [mail for mail in aside if wanted == "all" or mail.id.startswith(wanted)]
    letters = [letter for letter in failed if wanted == "all" or letter.id.startswith(wanted)]
    if not mails and not letters:
        if wanted == "all":
            act.say("No mail is set aside.")
            return
        raise NoSuchMail(number)
    for mail in mails:
        mail.state, mail.tries, mail.why = "stored", 0, ""
        act.say(f"{mail.id[:SHORT]} of {mail.sender or '(nobody)'} will be dealt with again.")
    for letter in letters:
        letter.state, letter.tries, letter.error, letter.next_try = "queued", 0, "", act.now
        act.say(f"{letter.id[:SHORT]} to {letter.to} will be sent again.")


def resend(
    act: Act,
    game: GameId,
    side: Annotated[str, typer.Argument(metavar="[SIDE]", help="To one side; to all by itself.")] = "",
    line: Annotated[
        int | None, typer.Option("--line", help="The report on this line; the last letter by itself.")
    ] = None,
) -> None:
    """Send the last letter, or the report on a line, once more.

    Example: pbem game resend ID german
    """
    room = act.room(game)
    seats = [act.seat(room, side)] if side else room.seats()
    found = 0
    for seat in seats:
        player = room.player(seat)
        if player is None:
            continue
        letters = select(MailOut).where(MailOut.game_id == room.game.id, MailOut.to == player.address)
        if line is not None:
            letters = letters.where(col(MailOut.key).like(f"report/{room.game.id}/{line}/%"))
        last = act.session.exec(letters.order_by(col(MailOut.queued).desc())).first()
        if last is None:
            continue
        found += 1
        try:
            key = f"moderator/{act.cause}/again/{last.id}"
            send_again(room, last, player, act.house.seat_address(seat.token), key)
        except NoLongerKept as gone:
            raise CannotModerate(f"{gone}; `pbem game export {room.game.id}` has all that happened") from None
        act.say(f"{last.subject}: sent to {player.address} again.")
    if not found:
        raise CannotModerate(f"there is no such letter in {room.game.id} to send again")
