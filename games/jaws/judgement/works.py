"""What a sensible player makes of engineering (15.0)."""

from engine import hexset
from engine.rules.ground import place
from games.jaws.data import Table
from games.jaws.rules.units import standing

NEAR = 2  # hexes from the enemy within which a position or a minefield is worth an SP


def fieldwork(table: Table, side: str, unit: str) -> float:
    """A position or a minefield where the enemy is near: SPs that are left would be lost anyway (14.2)."""
    near = hexset.within(table.grid, 1 << place(table, unit), NEAR)
    return 0.5 if near & standing(table, table.enemy(side)) else 0.0
