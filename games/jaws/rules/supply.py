"""Unit supply (13.3, 13.4): who is fed, by which SDM, and who is out of supply."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, Marked, Noted
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import is_a, place
from engine.rules.marks import marked
from engine.table import kept, kept_while_still
from games.jaws.data import GERMAN, Table
from games.jaws.rules.allowance import AFOOT
from games.jaws.rules.breakout.declaring import spared
from games.jaws.rules.depots import (
    ANY_LENGTH,
    ATTACHED,
    KORSUN,
    PENDING,
    clients,
    far_along,
    fed,
    line_to,
    patrons,
    relocated,
    road_layers,
    sources_of,
    supply_range,
)
from games.jaws.rules.extension import halves
from games.jaws.rules.ground import BRIDGE, CUT, MINES, open_to, supply_sides, way_sides
from games.jaws.rules.korsun import joins_pocket, of_the_pocket, special_source
from games.jaws.rules.pocket import linked
from games.jaws.rules.spending import BY_SOURCE, FEEDERS, FROM_KORSUN, SUPPLIED, TRACED, points
from games.jaws.rules.stalin import regroups
from games.jaws.rules.stores import stores
from games.jaws.rules.units import OOS, army, is_sdm

BY_KORSUN = "Korsun"  # 14.5.1-b: fed by the town itself


@kept
def road_to_source(table: Table, sdm: str) -> HexSet:
    """13.4.1-b: the shortest roads from an SDM to its source, ends included; 16.2-p3: an SDM of an isolated korps is
    its own source while it has SPs."""
    here, side = table.position.hex_of(sdm), table.unit(sdm).side
    if here is None:
        return 0
    if relocated(table, sdm):
        return 1 << here if points(table, sdm) else 0
    line = line_to(table, sdm, here)
    return 0 if line is None else _road(table, side, here, line[1], open_to(table, side))


@kept_while_still(BRIDGE, CUT, MINES)
def _road(table: Table, side: str, here: Hex, sources: HexSet, open_: HexSet) -> HexSet:
    """All roads that are as short as any; what is open is given, as for `road_layers`."""
    layers, ways = road_layers(table, side, sources), way_sides(table, side)
    found = at = 1 << here
    for d in range(far_along(table, side, sources)[here] - 1, -1, -1):
        at = hexset.across(table.grid, at, ways) & layers[d]
        found |= at
    return found


def traces(table: Table, sdm: str) -> bool:
    """13.2: whether an SDM on the map has a road to its source."""
    return bool(road_to_source(table, sdm))


def feeders(table: Table, unit: str) -> list[str]:
    """13.4.1-b: every SDM that can put a unit in supply, its own division's or corps' first."""
    side, h = table.unit(unit).side, place(table, unit)
    far = supply_range(table, side)
    return [
        sdm
        for sdm in patrons(table, unit)
        if (at := table.position.hex_of(sdm)) is not None
        and traces(table, sdm)
        and (fed(table, side, 1 << at, far) | road_to_source(table, sdm)) >> h & 1
    ]


def supplier(table: Table, unit: str, *, own: bool = False) -> str:
    """13.4.1-b: the SDM that feeds a unit, its own division's or corps' first if that has SPs, then the one with most,
    Korsun's last; the source itself, no river between (13.3); empty if the unit is out of supply. `own`: as if it had
    not been transferred."""
    side, h = table.unit(unit).side, place(table, unit)
    far = supply_range(table, side)
    near = [sdm for sdm in feeders(table, unit) if not own or (sdm != KORSUN and unit in clients(table, sdm))]
    if near:
        near = sorted((sdm for sdm in near if points(table, sdm)), key=lambda sdm: sdm == KORSUN) or near
        size = len(clients(table, near[0]))
        return max((sdm for sdm in near if len(clients(table, sdm)) == size), key=lambda sdm: points(table, sdm))
    traced = sources_of(table, side, table.unit(unit).formation) if own else sources(table, unit)
    if fed(table, side, traced & open_to(table, side), far, banks=False) >> h & 1:
        return BY_SOURCE
    korsun = hexset.union(stores(table).values()) & open_to(table, side) if side == GERMAN else 0
    return BY_KORSUN if korsun and fed(table, side, korsun, far, banks=False) >> h & 1 else ""


def sources(table: Table, unit: str) -> HexSet:
    """13.1, 13.4.3-3: a unit's own sources, and those of whom it was transferred to."""
    side, attached = table.unit(unit).side, table.position.mark(unit, ATTACHED)
    own = sources_of(table, side, table.unit(unit).formation)
    return own | sources_of(table, side, str(attached)) if attached is not None else own


def always_fed(table: Table, unit: str) -> bool:
    """4.8.2-a, 18.1.1: Alarm units and partisans."""
    return is_a(table, unit, "alarm") or is_a(table, unit, "partisan")


def determine(table: Table, side: str) -> Iterator[Fact]:
    """13.4.1-p: who is fed again loses his marker, who is newly out gets OOS1, all others keep what they have."""
    yield from settle(table, side)
    yield from _absent(table, side)
    units = [unit for unit in table.position.on_map(side) if not is_sdm(table, unit) and not always_fed(table, unit)]
    for unit, by in {unit: _fed_by(table, unit) for unit in units}.items():
        if table.position.mark(unit, SUPPLIED) != by:
            yield Noted(subject=unit, mark=SUPPLIED, value=by, because="13.4.1-b")
        if table.position.mark(unit, FEEDERS) != (able := _able(table, unit, by)):
            yield Noted(subject=unit, mark=FEEDERS, value=able, because="14.3")
        far = 1 if by is None and _far_from(table, unit) else None
        if table.position.mark(unit, TRACED) != far:
            yield Noted(subject=unit, mark=TRACED, value=far, because="12.16.1")
        if side == GERMAN and of_the_pocket(table, unit) and korsuns(table, unit, by):
            yield from joins_pocket(table, unit, "14.5.1-a")
        state = table.position.mark(unit, OOS)
        if by is not None and state is not None:
            yield Marked(subject=unit, mark=OOS, value=None, because="13.4.1-p")
        elif by is None and state is None and not spared(table, unit):
            yield Marked(subject=unit, mark=OOS, value=1, because="13.4.1-c")
        if table.position.mark(unit, AFOOT) is not None and _vehicles_come(table, unit):
            yield Marked(subject=unit, mark=AFOOT, value=None, because="9.2.1-2")


def _absent(table: Table, side: str) -> Iterator[Fact]:
    """14.3: whoever is off the map (12.16.1) is fed by no SDM this turn, though one had fed him."""
    for mark in (SUPPLIED, FEEDERS):
        for unit in marked(table, mark):
            if table.unit(unit).side == side and table.position.hex_of(unit) is None:
                yield Noted(subject=unit, mark=mark, value=None, because="14.3")


def _fed_by(table: Table, unit: str) -> str | None:
    """Who feeds a unit; 4.7.4: an extended division in either half."""
    return next((found for half in halves(table, (unit,)) if (found := supplier(table, half))), None)


def _able(table: Table, unit: str, by: str | None) -> str | None:
    """14.3: the SDMs of which its owner may say which one put a unit in supply; None if there is no choice."""
    found = next((able for half in halves(table, (unit,)) if by in (able := feeders(table, half))), [])
    return "+".join(found) if len(found) > 1 else None


def _far_from(table: Table, unit: str) -> bool:
    """Whether a supply path of any length leads from a unit, or its other half, to a source."""
    side, open_ = table.unit(unit).side, open_to(table, table.unit(unit).side)
    starts = sources(table, unit) | (hexset.union(stores(table).values()) if side == GERMAN else 0)
    traced = fed(table, side, starts & open_, ANY_LENGTH)
    return any(traced >> place(table, half) & 1 for half in halves(table, (unit,)))


def settle(table: Table, side: str) -> Iterator[Fact]:
    """13.4.3-2, -4: who was named goes over now; who is fed by his own again goes back, as nobody is who waits off the
    map (12.16.1)."""
    for unit in sorted({*marked(table, PENDING), *marked(table, ATTACHED)}):
        if table.unit(unit).side != side:
            continue
        to, there = table.position.mark(unit, PENDING), table.position.hex_of(unit) is not None
        lent = regroups(table, unit, str(to if to is not None else table.position.mark(unit, ATTACHED)))
        fed_at_home = there and any(supplier(table, half, own=True) for half in halves(table, (unit,)))  # 4.7.4
        back = to == army(table, table.unit(unit)) if lent else fed_at_home  # 18.13-b
        if to is not None:
            yield Marked(subject=unit, mark=PENDING, value=None, because="13.4.3-2")
        if back and table.position.mark(unit, ATTACHED) is not None:
            yield Marked(subject=unit, mark=ATTACHED, value=None, because="13.4.3-4")
        elif to is not None and not back:
            yield Marked(subject=unit, mark=ATTACHED, value=to, because="13.4.3-2")


def korsuns(table: Table, unit: str, by: str | None) -> bool:
    """14.5.1-a: whether Korsun's depot feeds a unit that is fed so; or a path of any length leads there from one that
    nobody feeds, and to no other source."""
    if by is None:
        starts = special_source(table) & open_to(table, GERMAN)
        traced = hexset.flood(table.grid, starts, open_to(table, GERMAN), supply_sides(table, GERMAN)) if starts else 0
        return bool((traced & ~linked(table)) >> place(table, unit) & 1)
    return by == BY_KORSUN or (by in table.roster and table.position.mark(by, FROM_KORSUN) is not None)


def _vehicles_come(table: Table, unit: str) -> bool:
    """9.2.1-2: a supply path of any length to a source, by bridges alone."""
    side = table.unit(unit).side
    starts = sources(table, unit) | (hexset.union(stores(table).values()) if side == GERMAN else 0)
    traced = hexset.flood(table.grid, starts, open_to(table, side), supply_sides(table, side))
    return bool(traced >> place(table, unit) & 1)


def hungry(table: Table, side: str) -> list[str]:
    """The units of a side that would be out of supply if it were determined now."""
    units = [u for u in table.position.on_map(side) if not is_sdm(table, u) and not always_fed(table, u)]
    return [unit for unit in units if not any(supplier(table, half) for half in halves(table, (unit,)))]
