"""Zones of control and of influence (10.0): worked out from live steps, never stored."""

from engine import hexset
from engine.hexset import HexSet
from engine.rules.ground import is_a
from engine.table import kept_while_side_still
from games.jaws.data import Table
from games.jaws.rules.units import DISORGANIZED, REGROUP, is_sdm, standing, zone_steps

ZONE_MARKS = (DISORGANIZED, REGROUP)  # the marks that zones rest on, besides who stands where with how many steps


@kept_while_side_still(*ZONE_MARKS)
def projectors(table: Table, side: str) -> tuple[HexSet, HexSet]:
    """10.1: the hexes that project a ZOC, and those that project a ZOI only; Alarm units and markers project none."""
    strong = weak = 0
    least = table.data.tables["zones"]["steps"]
    for h in hexset.members(standing(table, side)):
        units = [u for u in table.position.at(h) if table.unit(u).side == side and not is_sdm(table, u)]
        if sum(zone_steps(table, unit) for unit in units) >= least:
            strong |= 1 << h
        elif any(not is_a(table, unit, "alarm") for unit in units):
            weak |= 1 << h
    return strong, weak


@kept_while_side_still(*ZONE_MARKS)
def zones(table: Table, side: str) -> tuple[HexSet, HexSet]:
    """10.5.1: the hexes in a side's ZOC, and those in its ZOI only."""
    data, (strong, weak) = table.data, projectors(table, side)
    open_ = data.land & ~data.blind
    zoc = hexset.across(table.grid, strong, data.zone_sides) & open_
    return zoc, hexset.across(table.grid, weak, data.zone_sides) & open_ & ~zoc


@kept_while_side_still(DISORGANIZED, REGROUP)
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
