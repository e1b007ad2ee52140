"""Chairs and sides: a rule may give the chairs to other sides, and whoever sits there goes with his chair.

A chair is known by the side it was set up for: the rows stand in the order of the game's sides. The position says which
side each has now, so that a rewind, a restart or a line that never came to be leaves everybody where he belongs.
"""

from collections.abc import Mapping, Sequence

from pbem.desk.lifecycle import seat_bots, time_windows
from pbem.house.room import Room
from pbem.store import Due, Seat


def settle_sides(room: Room, handed_back: Mapping[str, Sequence[str]]) -> None:
    """Every chair speaks for the side that the game has given it; its holder is told with the next letter.

    Windows and bots are as they want to be then.
    """
    campaign = room.campaign
    given, passed = campaign.position.seats, {}
    for chair, seat in zip(campaign.game.setting.chairs, room.seats(), strict=True):
        side = given.get(chair, chair)
        if side != seat.side:
            passed[seat.side] = side
            room.passed[seat.id] = _told(seat.side, side, handed_back.get(seat.side, ()))
    if passed:
        _rename(room, passed)
    timed = room.campaign.drawer.timed
    if timed and timed != {seat.side for seat, _ in room.people()}:
        time_windows(room)
    seat_bots(room)


def _told(was: str, now: str, handed_back: Sequence[str]) -> list[str]:
    said = [f"The rules have given you {now}; {was} is no longer yours. Your address for the game stays the same."]
    if handed_back:
        said += [f"What you had left for {was} goes back to you and is shown to nobody:", *handed_back]
    return said


def _rename(room: Room, passed: Mapping[str, str]) -> None:
    """Chairs, and what their holders owe. No two rows may have one side at any moment, so it takes two steps."""
    seats = [seat for seat in room.seats() if seat.side in passed]
    dues = [due for due in room.dues() if due.side in passed]
    rows: list[Seat | Due] = [*seats, *dues]
    sides = [passed[row.side] for row in rows]
    for row in rows:
        row.side = f"{row.side}/"
    room.session.flush()
    for row, side in zip(rows, sides, strict=True):
        row.side = side
    room.session.flush()
