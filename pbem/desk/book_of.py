"""The campaign book of a game in this house: its page, who played it, and their press if all agree."""

from sqlmodel import col, select

from pbem.campaign_book.people import FILE, People, PressPiece
from pbem.desk.enclosing import here, sketched
from pbem.house.room import Room
from pbem.letters import Enclosure
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
