"""Reinforcements: units that wait in a box for their turn and enter at the edge."""

from engine.position import Position

_BOX = "turn {turn} {area}"


def waiting_box(turn: int, area: str) -> str:
    """The box in which units wait for a turn and an entry area."""
    return _BOX.format(turn=turn, area=area)


def due(position: Position, side: str) -> dict[str, str]:
    """The side's units that may enter now, with their entry areas: this turn's, and those held back before."""
    roster, found = position.setting.roster, {}
    waiting = {
        unit: box for unit, box in position.where.items() if box[:5] == "turn " and roster.get(unit).side == side
    }
    for unit in sorted(waiting, key=position.setting.order.__getitem__):
        words = waiting[unit].split(" ", 2)
        if len(words) == 3 and int(words[1]) <= position.turn:
            found[unit] = words[2]
    return found
