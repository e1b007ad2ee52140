"""Formations (1.4): who takes over units whose HQ has gone (13.2)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.facts import Fact, Marked
from engine.rules.ground import place
from engine.table import Table
from games.korsun_vv.rules.ground import FORMATION, GERMAN, formation, headquarters

REMOVED = "removed"  # the box of HQs that Gruppe Stemmermann replaced


def chief(table: Table) -> str:
    """The HQ of the pocket."""
    hq: str = table.data.tables["pocket"]["headquarters"]["unit"]
    return hq


def nearest(table: Table, unit: str) -> list[str]:
    """13.2-d: the HQs outside the pocket nearest to a unit."""
    outside = [hq for hq in headquarters(table, GERMAN) if hq != chief(table)]
    far = {hq: table.grid.distance(place(table, unit), place(table, hq)) for hq in outside}
    least = min(far.values(), default=0)
    return [hq for hq, distance in far.items() if distance == least]


def adopt(table: Table, unit: str) -> Iterator[Fact]:
    """13.2-d, 13.3: whoever enters from the Dnepr joins the pocket; one whose HQ was removed joins the nearest."""
    row = table.data.tables["reinforcements"]["pocket"][GERMAN]
    if unit in row["units"]:
        yield Marked(subject=unit, mark=FORMATION, value=chief(table), because="13.3")
    elif table.position.where.get(formation(table, unit)) == REMOVED and nearest(table, unit):
        yield Marked(subject=unit, mark=FORMATION, value=nearest(table, unit)[0], because="13.2-d")
