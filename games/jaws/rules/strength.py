"""Combat strength as it is printed or drawn (4.4): before anything is halved or added."""

from engine.rules.ground import is_a
from games.jaws.data import Table
from games.jaws.rules.barrage.components import barrage_strength
from games.jaws.rules.extension import body, half

STRENGTHS = "alarm strengths"  # 4.8.1: the cup of those that nobody has drawn
DRAWN = "strength"  # 4.8.1: an Alarm unit's, known to its owner alone until it is turned over


def strength(table: Table, unit: str) -> int:
    """4.4: by the steps left, half in each hex of an extended division; an Alarm unit's as it was drawn."""
    if is_a(table, unit, "barrage"):
        return barrage_strength(table, unit)
    if is_a(table, unit, "alarm"):
        return int(table.position.mark(unit, DRAWN) or 0)
    return half(table, unit, table.position.value(body(table, unit), "strength"))
