"""Vehicles that stay behind (9.2.1-2) when motorized infantry comes over a river without a bridge, however it comes."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.facts import Fact, Marked
from engine.hexes import Hex
from engine.rules.ground import crosses
from games.jaws.data import Table
from games.jaws.rules.allowance import AFOOT
from games.jaws.rules.fords import may_ford
from games.jaws.rules.ground import BRIDGE, bridged, open_fords
from games.jaws.rules.units import on_wheels


def waded(table: Table, unit: str, path: Sequence[Hex]) -> Iterator[Fact]:
    """9.2.1-2, 12.16.3: in an advance or a retreat as in a move; who uses a ford brings his vehicles (18.6)."""
    if not on_wheels(table, unit) or table.position.mark(unit, AFOOT) is not None:
        return
    rivers, dry = table.data.sides("river"), bridged(table, BRIDGE)
    fords = open_fords(table, table.unit(unit).side) if may_ford(table, unit) else None
    for here, there in pairwise(path):
        over = crosses(table, rivers, here, there) and not crosses(table, dry, here, there)
        if over and (fords is None or not crosses(table, fords, here, there)):
            yield Marked(subject=unit, mark=AFOOT, because="9.2.1-2")
            return
