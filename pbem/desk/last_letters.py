"""The last letter of a game, and what is enclosed in it: the log, the replay, and the campaign book."""

from sqlmodel import col, select

from pbem.campaign_book.people import FILE, People, PressPiece
from pbem.desk.calendar_entry import enclose_deadline
from pbem.desk.composing import foot, letter_about, say_words
from pbem.desk.enclosing import here, sketched
from pbem.house import Room
from pbem.letters import Enclosure, Section
from pbem.outbox.outgoing import queue
from pbem.store import PressSent

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
