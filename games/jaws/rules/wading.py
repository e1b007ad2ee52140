"""Vehicles that stay behind (9.2.1-2) when motorized infantry comes over a river without a bridge, however it comes."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.facts import Fact, Marked
from engine.hexes import Hex
from engine.rules.ground import crosses
from games.jaws.data import NO_SIDES, Table
from games.jaws.rules.allowance import AFOOT
from games.jaws.rules.fords import may_ford
from games.jaws.rules.ground import open_fords
from games.jaws.rules.units import on_wheels
from games.jaws.rules.walking import wading


def waded(table: Table, unit: str, path: Sequence[Hex]) -> Iterator[Fact]:
    """9.2.1-2, 12.16.3: in an advance or a retreat as in a move; 18.6-p4: a ford carries the vehicles of some."""
    if not on_wheels(table, unit) or table.position.mark(unit, AFOOT) is not None:
        return
    shallow = open_fords(table, table.unit(unit).side) if may_ford(table, unit) else NO_SIDES
    if any(wading(table, *step) and not crosses(table, shallow, *step) for step in pairwise(path)):
        yield Marked(subject=unit, mark=AFOOT, because="9.2.1-2")
