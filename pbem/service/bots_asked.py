"""Bots that are asked something: after any act of the moderator one may have to answer."""

from __future__ import annotations

from sqlmodel import col, select

from pbem.house import House
from pbem.store import Due, GameRow, Seat


def bots_asked(house: House) -> list[str]:
    """The games under way in which a bot owes an answer."""
    asked = (
        select(GameRow.id)
        .join(Due, col(Due.game_id) == col(GameRow.id))
        .join(Seat, (col(Seat.game_id) == col(GameRow.id)) & (col(Seat.side) == col(Due.side)))
        .where(GameRow.state == "playing", Seat.bot != "")
        .distinct()
    )
    with house.database.begin() as session:
        return sorted(session.exec(asked).all())
