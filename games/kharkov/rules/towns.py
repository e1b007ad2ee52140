"""Towns, cities and edge hexes (14.1, 17.1): whose they are, and what they score; garrisons that units meet."""

from collections.abc import Iterator, Sequence

from engine import hexset
from engine.facts import Counted, Fact, Marked, TookHex
from engine.hexes import Hex
from engine.rules.ground import number
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules.ground import GARRISON, IP, bears, soviets
from games.kharkov.rules.soviet import objectives
from games.kharkov.rules.supply import in_supply
from games.kharkov.rules.victory import at_once


def owner(table: Table, h: Hex) -> str:
    """14.1: who owns a town or city; an edge hex is Soviet while it scores (9.3-vp), else nobody's."""
    return table.position.owners.get(number(table, h), "")


def entered(table: Table, unit: str, hexes: Sequence[Hex], case: str = "14.1") -> Iterator[Fact]:
    """A unit went through these hexes, the last of them its end: towns change hands, markers move, garrisons go."""
    side = table.unit(unit).side
    for h in hexes:
        if table.data.towns >> h & 1 and owner(table, h) != side:
            yield from _taken(table, h, side, case)
        yield from objectives.entered(table, unit, h)
    for h in hexes[-1:]:
        if bears(table, h, GARRISON):
            yield off(table, h, GARRISON, "15.3-b")
        if side == SOVIET and table.data.edge_vp >> h & 1 and owner(table, h) != SOVIET and in_supply(table, SOVIET, h):
            yield from _taken(table, h, SOVIET, "17.1-b")
    yield from vacated(table)
    yield from at_once(table)


def _taken(table: Table, h: Hex, side: str, case: str) -> Iterator[Fact]:
    yield TookHex(hex=number(table, h), side=side, because=case)
    value = table.data.points[h]
    yield Counted(track="vp", value=table.position.tracks["vp"] + (value if side == SOVIET else -value), because="17.1")


def vacated(table: Table, *, checked: bool = False) -> Iterator[Fact]:
    """17.1-b: edge hexes that Soviets have left score no more; nor, in a Supply Phase, those that cannot trace.

    14.24: an improved position that nobody occupies is removed.
    """
    for h in hexset.members(table.data.edge_vp):
        lost = not soviets(table, h) or (checked and not in_supply(table, SOVIET, h))
        if owner(table, h) == SOVIET and lost:
            yield from _taken(table, h, GERMAN, "17.1-b")
        elif checked and owner(table, h) != SOVIET and not lost:
            yield from _taken(table, h, SOVIET, "17.1-b")
    for subject, marks in sorted(table.position.marks.items()):
        if IP in marks and not table.position.at(table.grid.hex(subject[1:])):
            yield Marked(subject=subject, mark=IP, value=None, because="14.24")


def off(table: Table, h: Hex, mark: str, case: str) -> Fact:
    """A marker is taken off a hex."""
    return Marked(subject=f"@{number(table, h)}", mark=mark, value=None, because=case)
