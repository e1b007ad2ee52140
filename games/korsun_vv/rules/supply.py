"""Supply (10.0): lines to a friendly edge, to HQs, to roads in mud, and to the airfield of the pocket."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact
from engine.hexset import HexSet
from engine.rules import zones
from engine.rules.ground import held, place
from engine.rules.supply import within_line
from engine.table import kept_while_still
from games.korsun_vv.data import MUD, Table, lines
from games.korsun_vv.names import BREAKTHROUGH, BY_AIR, GERMAN, ISOLATED, RUSSIAN, SUPPLY, UNSUPPLIED
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import enemy_zoc, headquarters, is_hq, set_mark, weather
from games.korsun_vv.shapes import Row


@kept_while_still(BREAKTHROUGH)
def open_hexes(table: Table, side: str) -> HexSet:
    """10.1-a: no enemy, nor his zone unless a friend is there."""
    return zones.uncontrolled(
        table.data.land, held(table, table.enemy(side)), enemy_zoc(table, side), held(table, side)
    )


def from_edge(table: Table, side: str) -> HexSet:
    """The hexes with a Line of Supply of any length to a friendly edge, roads or not."""
    return _from_edge(table, side, weather(table))


@kept_while_still(BREAKTHROUGH)
def _from_edge(table: Table, side: str, sky: str) -> HexSet:
    return hexset.flood(table.grid, table.data.edges(side), open_hexes(table, side), lines(table.data, sky))


@kept_while_still(BREAKTHROUGH)
def roads_to(table: Table, side: str, start: HexSet) -> HexSet:
    """10.2-a, 10.2-b: the road hexes from which the road leads there."""
    return hexset.flood(table.grid, start & table.data.road_hexes, open_hexes(table, side), table.data.roads)


def _near_road(table: Table, side: str, start: HexSet, far: Row) -> HexSet:
    return _lines(table, side, roads_to(table, side, start), far["hexes"])


def _lines(table: Table, side: str, start: HexSet, length: int) -> HexSet:
    """The hexes with a Line of Supply of at most that length to the start."""
    return within_line(table.grid, start, open_hexes(table, side), length, sides=lines(table.data, weather(table)))


def fed_by_ground(table: Table, side: str) -> HexSet:
    """10.2-b, 10.2-c: where an HQ is supplied without the airfield."""
    if weather(table) == MUD:
        return _near_road(table, side, table.data.edges(side), table.data.tables["supply"]["mud"]["hq"])
    return from_edge(table, side)


def fed_by_air(table: Table) -> HexSet:
    """10.2-b, 13.4-a: a way to the airfield while a German unit is there; in mud the road must lead to it."""
    if not held(table, GERMAN) >> table.data.airfield & 1:
        return 0
    field = 1 << table.data.airfield
    if weather(table) == MUD:
        return _near_road(table, GERMAN, field, table.data.tables["supply"]["mud"]["hq"])
    return hexset.flood(table.grid, field, open_hexes(table, GERMAN), lines(table.data, weather(table)))


def found(table: Table) -> dict[str, str | None]:
    """How every unit on the map is supplied: not at all (""), by air, or well (None)."""
    result: dict[str, str | None] = {}
    for side in (RUSSIAN, GERMAN):
        ground = fed_by_ground(table, side)
        well, by_air = 0, 0
        for hq in headquarters(table, side):
            spot = 1 << place(table, hq)
            if ground & spot:
                well |= spot
                result[hq] = None
            elif hq == chief(table) and fed_by_air(table) & spot:
                by_air |= spot
                result[hq] = BY_AIR
            else:
                result[hq] = ""
        near = table.data.tables["supply"]["mud"]["unit"]
        mud = weather(table) == MUD
        units = _near_road(table, side, table.data.edges(side), near) if mud else from_edge(table, side)
        units |= _lines(table, side, well, table.data.reach[side])  # 10.2-a: by an HQ within command range
        air = _lines(table, side, by_air, table.data.reach[side])
        for unit in table.position.on_map(side):
            if not is_hq(table, unit):
                h = place(table, unit)
                result[unit] = None if units >> h & 1 else BY_AIR if air >> h & 1 else ""
    return result


def check_supply(table: Table) -> Iterator[Fact]:
    """10.3: who cannot trace is isolated, and at the second failure unsupplied."""
    for unit, state in found(table).items():
        before = table.position.mark(unit, SUPPLY)
        now = state if state != "" else (UNSUPPLIED if before in (ISOLATED, UNSUPPLIED) else ISOLATED)
        case = "13.4-b" if now == BY_AIR else "10.3-d" if now == UNSUPPLIED else "10.3-a"
        yield from set_mark(table, unit, SUPPLY, now, case)
