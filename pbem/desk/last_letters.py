"""The last letter of a game, with log, replay and campaign book; and a letter once more: as it was, or made again."""

from sqlmodel import col, select

from pbem.campaign_book.people import FILE, People, PressPiece
from pbem.desk.composing import foot, letter_about, say_words
from pbem.desk.enclosing import enclose_report, here, pictures_for, put_dispatch, sketched
from pbem.desk.standing_of import enclose_deadline
from pbem.house import Room
from pbem.letters import Enclosure, Section
from pbem.outbox.easel import AsOf
from pbem.outbox.keeping_letters import keep_again
from pbem.outbox.outgoing import queue
from pbem.store import MailOut, Player, PressSent, new_id
from pbem.store.database import utc

NAME = "book.html"


def book_of(room: Room) -> Enclosure | None:
    """The book of a game that is over, if its first turn was begun.

    Who played is written beside the log, so that `pbem book` tells it too.
    """
    room.house.cabinet.keep_paper(room.session, room.game.id, FILE, people_of(room).to_json().encode())
    return sketched(NAME, "book", here(room, "")) if room.campaign.position.turn else None


def people_of(room: Room) -> People:
    """Who sits where at the end, bots by their kind; nobody's words unless everybody lets his own be printed."""
    names = {seat.side: f"the {seat.bot} bot" for seat in room.seats() if seat.bot}
    names |= {seat.side: player.name or seat.side for seat, player in room.people()}
    press = _press(room) if all_agree(room) else ()
    return People({side: names[side] for side in room.rules.setting.chairs if side in names}, tuple(press))


def all_agree(room: Room) -> bool:
    return all(seat.press_printed for seat, _ in room.people())


def any_press(room: Room) -> bool:
    return bool(_press(room))


def _press(room: Room) -> list[PressPiece]:
    sent = select(PressSent).where(PressSent.game_id == room.game.id).order_by(col(PressSent.id))
    return [PressPiece(row.turn, row.side, row.text) for row in room.session.exec(sent).all()]


def final_files(room: Room) -> list[Enclosure]:
    book = book_of(room)
    replay = sketched(f"{room.game.id}.html", "replay", here(room, ""))
    return [log_of(room), replay, *([book] if book is not None else [])]


def log_of(room: Room) -> Enclosure:
    return sketched(f"{room.game.id}.jsonl.gz", "log", here(room, ""))


def send_last_letters(room: Room, files: list[Enclosure], *first: Section) -> None:
    """How it ended, the secret, the whole log: to everybody who played; some sections may come before all else."""
    for seat, player in room.people():
        letter = letter_about(room, "over", player.address, f"{room.campaign.position.ended}, the whole log")
        letter.sections += first
        say_words(room, letter, "last", files=files)
        letter.enclosures += files
        letter.state, letter.head, letter.commands = "final", room.campaign.head, foot(room)
        letter.reply_to = room.house.seat_address(seat.token)
        enclose_deadline(room, letter, seat, player)
        queue(room.house, room.session, letter, f"final/{room.game.id}/{seat.side}")


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
    message_id = f"<{id_}@{host}>"
    raw = sent.raw.replace(sent.message_id.encode(), message_id.encode(), 1)
    same = {name: getattr(sent, name) for name in ("to", "game_id", "subject", "pictures", "tells")}
    again = MailOut(**same, id=id_, key=key, message_id=message_id, raw=raw, next_try=room.now, queued=room.now)
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
