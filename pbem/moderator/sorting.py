"""Mail that needs a hand: what was set aside, and letters that did not arrive."""

from email import message_from_bytes
from email.message import EmailMessage, Message
from email.policy import SMTP
from typing import Annotated

import typer
from sqlmodel import col, select

from pbem.letters import Letter, enclose
from pbem.moderator.act import Act, CannotModerate, NoSuchMail
from pbem.moderator.arguments import GameId
from pbem.outbox.keeping_letters import keep_again, words_of
from pbem.store import MailIn, MailOut, new_id, utc

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
        _again(act, last, act.house.seat_address(seat.token))
        act.say(f"{last.subject}: sent to {player.address} again.")
    if not found:
        raise CannotModerate(f"there is no such letter in {room.game.id} to send again")


def _again(act: Act, sent: MailOut, reply_to: str) -> None:
    """The same letter under a number of its own, so that no mail reader takes it for one it has. Raises CannotModerate.

    Of a letter of long ago its words go out, without its pictures.
    """
    id_ = new_id()
    mail: Message
    if sent.raw:
        mail = message_from_bytes(sent.raw, policy=SMTP)
        host = act.house.settings.address.partition("@")[2]
        mail.replace_header("Message-ID", f"<{id_}@{host}>")
    else:
        mail = _of_its_words(act, sent, reply_to, id_)
    again = MailOut(
        id=id_,
        key=f"moderator/{act.cause}/again/{sent.id}",
        to=sent.to,
        game_id=sent.game_id,
        message_id=str(mail["Message-ID"]),
        subject=sent.subject,
        raw=mail.as_bytes(policy=SMTP),
        next_try=act.now,
        queued=act.now,
    )
    act.session.add(again)
    keep_again(act.session, sent.id, again)


def _of_its_words(act: Act, sent: MailOut, reply_to: str, id_: str) -> EmailMessage:
    words = words_of(act.session, sent)
    if words is None:
        raise CannotModerate(
            f"the letter to {sent.to} of {utc(sent.sent or sent.queued):%Y-%m-%d} is no longer kept "
            f"(keeping.letter_days in the settings); `pbem game export {sent.game_id}` has all that happened"
        )
    letter = Letter("report", sent.to, sent.subject, game=sent.game_id, reply_to=reply_to)
    mail = enclose(letter, id_=id_, address=act.house.settings.address, at=act.now, twins=words)
    mail.replace_header("Subject", sent.subject)
    return mail
