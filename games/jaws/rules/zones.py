"""Zones of control and of influence (10.0): worked out from live steps, never stored."""

from collections.abc import Sequence

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import is_a, place
from engine.rules.marks import marked
from engine.table import kept_for_good, kept_while_side_still
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.units import (
    DISORGANIZED,
    REGROUP,
    known_standing,
    knows_all,
    makes_zoc,
    of_class,
    standing,
    units_in,
    zone_makers,
    zone_steps,
)

ZOC, ZOI = "zoc", "zoi"
# A hex's mark: the zone that it projects, if what the other side sees of it looks otherwise: whoever moves pays by it.
TOLD = {side: f"{side} zone" for side in (GERMAN, SOVIET)}
ZONE_MARKS = (
    DISORGANIZED,
    REGROUP,
    *TOLD.values(),
)  # the marks that zones rest on, besides who stands where with how many steps


def zone_of(table: Table, units: Sequence[str]) -> str:
    """10.1: what the units of a hex project: a ZOC, a ZOI or nothing."""
    if makes_zoc(table, units):
        return ZOC
    return ZOI if any(not is_a(table, unit, "alarm") for unit in units) else ""


@kept_while_side_still(*ZONE_MARKS)
def projectors(table: Table, side: str) -> tuple[HexSet, HexSet]:
    """10.1: the hexes that project a ZOC, and those that project a ZOI only; Alarm units and markers project none."""
    position, least, steps = table.position, table.data.tables["zones"]["steps"], dict[Hex, int]()
    for unit, more in zone_steps(table, position.present(_with_zone_steps(table, side))).items():
        h = place(table, unit)
        steps[h] = steps.get(h, 0) + more
    held = standing(table, side)
    found = {ZOC: hexset.of(h for h, sum_ in steps.items() if sum_ >= least), ZOI: 0, "": 0}
    found[ZOI] = known_standing(table, side) & ~found[ZOC] & ~_alarms_alone(table, side)
    for spot in () if knows_all(table) else marked(table, TOLD[side]):
        bit = 1 << table.grid.hex(spot[1:])
        if held & bit:
            found = {zone: hexes & ~bit for zone, hexes in found.items()}
            found[str(position.mark(spot, TOLD[side]))] |= bit
    return found[ZOC], found[ZOI]


@kept_for_good
def _with_zone_steps(table: Table, side: str) -> frozenset[str]:
    """10.1.1, 10.1.2: the counters that can add to a ZOC."""
    return frozenset(unit for unit in zone_makers(table) if table.unit(unit).side == side)


def _alarms_alone(table: Table, side: str) -> HexSet:
    """The hexes in which nobody but Alarm units stands."""
    found, places = 0, table.position.hex_of
    for h in {h for unit in of_class(table, side, "alarm") if (h := places(unit)) is not None}:
        if all(is_a(table, unit, "alarm") for unit in units_in(table, h, side)):
            found |= 1 << h
    return found


@kept_while_side_still(*ZONE_MARKS)
def zones(table: Table, side: str) -> tuple[HexSet, HexSet]:
    """10.5.1: the hexes in a side's ZOC, and those in its ZOI only."""
    data, (strong, weak) = table.data, projectors(table, side)
    open_ = data.land & ~data.blind
    zoc = hexset.across(table.grid, strong, data.zone_sides) & open_
    return zoc, hexset.across(table.grid, weak, data.zone_sides) & open_ & ~zoc


@kept_while_side_still(*ZONE_MARKS)
def crossfire(table: Table, side: str) -> HexSet:
    """4.7.1-5: the hexes in the ZOC of two hexes of a side, or more."""
    data, once, twice = table.data, 0, 0
    for h in hexset.members(projectors(table, side)[0]):
        held = hexset.across(table.grid, 1 << h, data.zone_sides) & data.land & ~data.blind
        once, twice = once | held, twice | once & held
    return twice


def zoc(table: Table, side: str) -> HexSet:
    return zones(table, side)[0]


def zoi(table: Table, side: str) -> HexSet:
    return zones(table, side)[1]


@kept_while_side_still(*ZONE_MARKS)
def over_rivers(table: Table, side: str) -> HexSet:
    """10.6.2-1: the hexes in a side's ZOC for whoever tries to cross a river out of them: ZOC and ZOI alike."""
    data, (strong, weak) = table.data, projectors(table, side)
    return hexset.across(table.grid, strong | weak, data.sides("river")) & data.land & ~data.blind


def controlled(table: Table, side: str) -> HexSet:
    """Every hex in a zone of that side, of either kind."""
    strong, weak = zones(table, side)
    return strong | weak
