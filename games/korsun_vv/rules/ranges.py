"""Command range (8.1): how far an HQ's lines reach now."""

from __future__ import annotations

from engine import hexset
from engine.hexset import HexSet
from engine.rules.ground import held, place
from engine.rules.supply import within_line
from engine.table import kept_while_still
from games.korsun_vv.data import Table
from games.korsun_vv.rules.ground import headquarters


def in_range(table: Table, hq: str, start: HexSet = 0) -> HexSet:
    """8.1-a, -b: the hexes to which an HQ (or one in the start hex) has a Line of Command now."""
    return _reach(table, table.unit(hq).side, start or 1 << place(table, hq))


@kept_while_still()
def _reach(table: Table, side: str, start: HexSet) -> HexSet:
    open_ = table.data.land & ~held(table, table.enemy(side))
    return within_line(table.grid, start, open_, table.data.reach[side])


@kept_while_still()
def any_range(table: Table, side: str) -> HexSet:
    """The hexes in range of some HQ of the side."""
    return hexset.union(in_range(table, hq) for hq in headquarters(table, side))
