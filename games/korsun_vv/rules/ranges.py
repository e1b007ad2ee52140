"""Command range (8.1): how far an HQ's lines reach now."""

from __future__ import annotations

from engine.hexset import HexSet
from engine.rules.ground import held, place
from engine.rules.supply import within_line
from engine.table import Table
from games.korsun_vv.rules.ground import headquarters


def in_range(table: Table, hq: str, start: HexSet = 0) -> HexSet:
    """8.1-a, -b: the hexes to which an HQ (or one in the start hex) has a Line of Command now."""
    side = table.unit(hq).side
    begun = start or 1 << place(table, hq)

    def work_out() -> HexSet:
        open_ = table.data.land & ~held(table, table.enemy(side))
        return within_line(table.grid, begun, open_, table.data.reach[side])

    return table.keep(("range", side, begun), work_out)


def any_range(table: Table, side: str) -> HexSet:
    """The hexes in range of some HQ of the side."""

    def work_out() -> HexSet:
        found = 0
        for hq in headquarters(table, side):
            found |= in_range(table, hq)
        return found

    return table.keep(("any range", side), work_out)
