"""Whose supply a move would cut or open."""

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules import zones
from engine.rules.ground import held, units_at
from engine.table import kept_while_still
from games.korsun_spi.data import Table
from games.korsun_spi.judgement.worth import prices, total
from games.korsun_spi.rules.ground import GERMAN, SOVIET
from games.korsun_spi.rules.supply import lines, sources

RELIEF = 20.0  # nor is it worth any price to open the way to all of it at once
MOST = 80.0  # more than a pocket's worth: an army that is cut off for a turn is not lost


def without(table: Table, unit: str) -> HexSet:
    """The hexes its side holds once the unit is lifted off."""
    side = table.unit(unit).side
    h = table.position.hex_of(unit)
    if h is None or len(units_at(table, h, side)) > 1:
        return held(table, side)
    return held(table, side) & ~(1 << h)


@kept_while_still()
def fed(table: Table, soviet: HexSet, german: HexSet) -> HexSet:
    """The hexes that German supply would reach if the sides held these."""
    zone = zones.zone(table.grid, soviet, table.data.zone_sides)
    open_ = zones.uncontrolled(table.data.passable, soviet, zone, german)
    return hexset.flood(table.grid, sources(table, GERMAN), open_)


def starving(table: Table, unit: str, h: Hex) -> float:
    """The worth of the German units that would be out of supply with the unit standing in h."""
    lifted = without(table, unit)
    if table.unit(unit).side == SOVIET:
        return _starving_before(table, lifted, h)
    soviet = held(table, SOVIET)
    reached = fed(table, soviet, lifted)
    if hexset.spread(table.grid, soviet) >> h & 1:  # only there does one more friend open anything (8.25)
        reached = fed(table, soviet, lifted | 1 << h)
    return _hungry(table, lifted & ~reached) + (0.0 if reached >> h & 1 else _own(table, unit))


def _own(table: Table, unit: str) -> float:
    """A unit's share in the worth of its stack."""
    here = table.position.hex_of(unit)
    return prices(table, GERMAN)[here] / len(units_at(table, here, GERMAN)) if here is not None else 4.0


@kept_while_still()
def _hungry(table: Table, hexes: HexSet) -> float:
    """What the German units in these hexes are worth."""
    return min(MOST, total(prices(table, GERMAN), hexes))


def _starving_before(table: Table, lifted: HexSet, h: Hex) -> float:
    german = held(table, GERMAN)
    base = fed(table, lifted, german)
    shut = (zones.zone(table.grid, 1 << h, table.data.zone_sides) & ~german | 1 << h) & base
    around = hexset.within(table.grid, 1 << h, 2) & base & ~shut
    # Where all that is left around h hangs together, everybody behind it is reached another way.
    whole = hexset.flood(table.grid, around & -around, around) == around
    if shut and (not whole or shut & (sources(table, GERMAN) | german)):
        base = fed(table, lifted | 1 << h, german)
    return _hungry(table, german & ~base)


@kept_while_still()
def relief(table: Table, target: Hex) -> float:
    """The worth of the German units that would be fed again if the Soviet stack in a hex were gone."""
    german, soviet = held(table, GERMAN), held(table, SOVIET)
    if not pocket(table) or not soviet >> target & 1:
        return 0.0
    opened = fed(table, soviet & ~(1 << target), german) & ~fed(table, soviet, german)
    return min(RELIEF, total(prices(table, GERMAN), german & opened))


@kept_while_still()
def pocket(table: Table) -> HexSet:
    """The hexes of German units without ground supply."""
    return held(table, GERMAN) & ~lines(table, GERMAN).ground


def distance_to(table: Table, h: Hex, goal: HexSet) -> int:
    """Hexes from h to the nearest of a set; 0 if it is empty."""
    return _distances(table, goal).get(h, 0) if goal else 0


@kept_while_still()
def _distances(table: Table, goal: HexSet) -> dict[Hex, int]:
    found: dict[Hex, int] = {}
    for far, layer in enumerate(hexset.distance_layers(table.grid, goal, table.board.land | goal)):
        for h in hexset.members(layer):
            found[h] = far
    return found
