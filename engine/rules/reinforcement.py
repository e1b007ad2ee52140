"""Reinforcements: units that wait in a box for their turn and enter at the edge."""

from engine.position import Position

_BOX = "turn {turn} {area}"


def waiting_box(turn: int, area: str) -> str:
    """The box in which units wait for a turn and an entry area."""
    return _BOX.format(turn=turn, area=area)


def due(position: Position, side: str) -> dict[str, str]:
    """The side's units that may enter now, with their entry areas: this turn's, and those held back before."""
    found = {}
    for unit in position.setting.roster.by_side(side):
        box = position.where.get(unit.id, "")
        if not box.startswith("turn "):
            continue
        words = box.split(" ", 2)
        if len(words) == 3 and int(words[1]) <= position.turn:
            found[unit.id] = words[2]
    return found
