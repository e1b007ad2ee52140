"""Unit supply (13.3, 13.4): who is fed, by which SDM, and who is out of supply."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, Marked, Noted
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import is_a, place
from engine.table import kept_while_still
from games.jaws.data import Table
from games.jaws.rules.allowance import AFOOT
from games.jaws.rules.depots import (
    clients,
    command_of,
    far_along,
    fed,
    patrons,
    points,
    road_layers,
    sources_of,
    supply_range,
)
from games.jaws.rules.ground import BRIDGE, open_to, supply_sides, way_sides
from games.jaws.rules.units import OOS, is_sdm

SUPPLIED = "supplied"  # 14.3: the SDM that put a unit in supply and pays for it, or the source
BY_SOURCE = "source"


def road_to_source(table: Table, sdm: str) -> HexSet:
    """13.4.1-b: the shortest road from an SDM to its source, the ends included."""
    here, side = table.position.hex_of(sdm), table.unit(sdm).side
    if here is None:
        return 0
    return _road(table, side, here, sources_of(table, side, command_of(table, sdm)), open_to(table, side))


@kept_while_still(BRIDGE)
def _road(table: Table, side: str, here: Hex, sources: HexSet, open_: HexSet) -> HexSet:
    far = far_along(table, side, sources).get(here)
    if far is None:
        return 0
    layers, ways = road_layers(table, side, sources), way_sides(table, BRIDGE, False)
    found, at = 1 << here, here
    for d in range(far - 1, -1, -1):
        at = next(hexset.members(hexset.across(table.grid, 1 << at, ways) & layers[d]))
        found |= 1 << at
    return found


def traces(table: Table, sdm: str) -> bool:
    """13.2: whether an SDM on the map has a road to its source."""
    return bool(road_to_source(table, sdm))


def supplier(table: Table, unit: str) -> str:
    """13.4.1-b: the SDM that feeds a unit, its own division's or corps' first, then the one with most SPs; the source
    itself; empty if the unit is out of supply."""
    side, h = table.unit(unit).side, place(table, unit)
    far = supply_range(table, side)
    near = [
        sdm
        for sdm in patrons(table, unit)
        if (at := table.position.hex_of(sdm)) is not None
        and traces(table, sdm)
        and (fed(table, side, 1 << at, far) | road_to_source(table, sdm)) >> h & 1
    ]
    if near:
        own = len(clients(table, near[0]))
        return max((sdm for sdm in near if len(clients(table, sdm)) == own), key=lambda sdm: points(table, sdm))
    sources = sources_of(table, side, table.unit(unit).formation) & open_to(table, side)
    return BY_SOURCE if fed(table, side, sources, far) >> h & 1 else ""


def always_fed(table: Table, unit: str) -> bool:
    """4.8.2-a"""
    return is_a(table, unit, "alarm")


def determine(table: Table, side: str) -> Iterator[Fact]:
    """13.4.1-p: who is fed again loses his marker, who is newly out gets OOS1, all others keep what they have."""
    for unit in table.position.on_map(side):
        if is_sdm(table, unit) or always_fed(table, unit):
            continue
        by = supplier(table, unit) or None
        if table.position.mark(unit, SUPPLIED) != by:
            yield Noted(subject=unit, mark=SUPPLIED, value=by, because="13.4.1-b")
        state = table.position.mark(unit, OOS)
        if by is not None and state is not None:
            yield Marked(subject=unit, mark=OOS, value=None, because="13.4.1-p")
        elif by is None and state is None:
            yield Marked(subject=unit, mark=OOS, value=1, because="13.4.1-c")
        if table.position.mark(unit, AFOOT) is not None and _vehicles_come(table, unit):
            yield Marked(subject=unit, mark=AFOOT, value=None, because="9.2.1-2")


def _vehicles_come(table: Table, unit: str) -> bool:
    """9.2.1-2: a supply path of any length to a source, by bridges alone."""
    side = table.unit(unit).side
    starts = sources_of(table, side, table.unit(unit).formation)
    traced = hexset.flood(table.grid, starts, open_to(table, side), supply_sides(table, BRIDGE))
    return bool(traced >> place(table, unit) & 1)


def hungry(table: Table, side: str) -> list[str]:
    """The units of a side that would be out of supply if it were determined now."""
    units = [u for u in table.position.on_map(side) if not is_sdm(table, u) and not always_fed(table, u)]
    return [unit for unit in units if not supplier(table, unit)]
