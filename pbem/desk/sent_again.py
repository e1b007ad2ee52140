"""A letter once more, under a number of its own: as it was, or made again from the lines that it told of."""

from pbem.desk.composing import foot, letter_about
from pbem.desk.enclosing import enclose_report, pictures_for, put_dispatch
from pbem.house.room import Room
from pbem.outbox.easel import AsOf
from pbem.outbox.keeping_letters import keep_again
from pbem.outbox.outgoing import queue
from pbem.store import MailOut, Player, new_id
from pbem.store.database import utc


class NoLongerKept(Exception):
    """A letter whose term of keeping is over, and that told of no line."""

    def __init__(self, sent: MailOut) -> None:
        super().__init__(f"our letter of {written(sent)} to {sent.to} is no longer kept (keeping.letter_days)")


def written(sent: MailOut) -> str:
    return f"{utc(sent.sent or sent.queued):%Y-%m-%d}"


def send_again(room: Room, sent: MailOut, player: Player, reply_to: str, key: str) -> None:
    """The same letter, so that no mail reader takes it for one it has. Raises NoLongerKept."""
    if not sent.raw:
        _make_again(room, sent, player, reply_to, key)
        return
    id_, host = new_id(), room.house.settings.address.partition("@")[2]
    again = MailOut(
        id=id_,
        key=key,
        to=sent.to,
        game_id=sent.game_id,
        message_id=f"<{id_}@{host}>",
        subject=sent.subject,
        raw=sent.raw.replace(sent.message_id.encode(), f"<{id_}@{host}>".encode(), 1),
        pictures=sent.pictures,
        tells=sent.tells,
        next_try=room.now,
        queued=room.now,
    )
    room.session.add(again)
    keep_again(room.session, sent.id, again)


def _make_again(room: Room, sent: MailOut, player: Player, reply_to: str, key: str) -> None:
    if not sent.tells:
        raise NoLongerKept(sent)
    line = sent.tells["line"]
    now, report, told = AsOf(room.house, room.session, room.game.id, line).told(sent.tells)
    letter = letter_about(room, "report", sent.to, f"{report.headline[:1].lower()}{report.headline[1:]}, once more")
    letter.greeting = f"What was written to you on {written(sent)}, made again from line {line} of the log."
    letter.report, letter.tells, letter.reply_to = report, sent.tells, reply_to
    letter.when, letter.head, letter.commands = ", ".join(told.head), report.head, foot(room)
    put_dispatch(letter, told, now, wanted=pictures_for(room, player))
    enclose_report(letter)
    queue(room.house, room.session, letter, key)
