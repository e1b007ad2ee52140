"""Supply (12.0), lines of communications (11.3) and Soviet command (23.0)."""

from dataclasses import dataclass

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules import supply
from engine.rules.ground import held, place, units_at
from engine.rules.terrain import Six, hexsides
from engine.table import kept_while_side_still, kept_while_still
from games.korsun_spi.data import Table
from games.korsun_spi.rules.ground import GERMAN, SOVIET, disrupted, is_hq, open_to


@dataclass(frozen=True)
class Lines:
    """What a side's lines reach at one instant."""

    ground: HexSet  # hexes with a line to a source (German units, Soviet HQs)
    radius: dict[str, HexSet]  # per Soviet HQ that commands: the hexes within its rating


def sources(table: Table, side: str) -> HexSet:
    """19.71: the north and east edges for the Soviets; 19.72: four hexes for the Germans."""
    return table.data.sources[side]


def _supply_sides(table: Table, side: str, open_: HexSet) -> Six:
    """The hexsides that supply crosses: 10.15, for Korsun 19.71 and 19.72."""
    data, board = table.data, table.board
    shut = data.shut_sides
    if data.switch["supply_rivers"] == "korsun" and side == GERMAN:
        return tuple(board.land & ~shut[d] for d in range(6))
    major = hexsides(board, "major")
    bridged: list[HexSet] = list(board.ways.get("road", (0,) * 6))
    if data.switch["supply_rivers"] != "korsun":
        rails = board.ways.get("railroad", (0,) * 6)
        cities = board.terrain.get("city", 0) & open_
        from_city = [cities | hexset.step(table.grid, cities, (d + 3) % 6) for d in range(6)]
        bridged = [bridged[d] | rails[d] | from_city[d] for d in range(6)]
    return tuple(board.land & ~shut[d] & (~major[d] | bridged[d]) for d in range(6))


@kept_while_still()
def lines(table: Table, side: str) -> Lines:
    """All lines of a side as they are now."""
    enemy, open_ = table.enemy(side), open_to(table, side)
    hqs = {hq: (place(table, hq), table.position.value(hq, "rating")) for hq in headquarters(table)}
    radius = {hq: _radius(table, enemy, open_, *at) for hq, at in hqs.items()} if side == SOVIET else {}
    return Lines(_ground(table, enemy, open_), radius)


@kept_while_side_still()
def _ground(table: Table, enemy: str, open_: HexSet) -> HexSet:
    """12.11: what lines from the sources reach; one's own moves seldom open or close a hex."""
    side = table.enemy(enemy)
    sides = _supply_sides(table, side, open_)
    return supply.traced(table.grid, sources(table, side), open_, sides, table.data.swamp)


@kept_while_side_still()
def _radius(table: Table, enemy: str, open_: HexSet, start: Hex, rating: int) -> HexSet:
    """11.3: the hexes within an HQ's rating; 11.31: only a lake stops a line."""
    dry = tuple(table.board.land & ~shut for shut in table.data.shut_sides)
    return supply.within_line(table.grid, 1 << start, open_, rating, dry)


@kept_while_still()
def headquarters(table: Table) -> list[str]:
    """The Soviet HQs on the map."""
    return [unit for unit in table.position.on_map(SOVIET) if is_hq(table, unit)]


def active(table: Table, hq: str) -> bool:
    """23.1: whether an HQ is active; in the other games all are."""
    return table.data.switch["headquarters"] != "scheduled" or table.position.mark(hq, "active") is not None


def commanders(table: Table, unit: str) -> list[str]:
    """The HQs that may coordinate a unit's attacks now: active, not disrupted, within their rating (11.33, 23.13)."""
    radius, h = _commanding(table), place(table, unit)
    return [hq for hq in radius if radius[hq] >> h & 1]


@kept_while_still("active", "disrupted")
def _commanding(table: Table) -> dict[str, HexSet]:
    """What the HQs reach that are active and not disrupted."""
    radius = lines(table, SOVIET).radius
    return {hq: radius[hq] for hq in radius if active(table, hq) and not disrupted(table, hq)}


def ground_supplied(table: Table, unit: str) -> bool:
    """A real line to a source: through an HQ for Soviet units (12.14), air supply not counted."""
    side = table.unit(unit).side
    fed = lines(table, side).ground if side == GERMAN or is_hq(table, unit) else _handed_on(table)
    return bool(fed >> place(table, unit) & 1)


@kept_while_still("disrupted")
def _handed_on(table: Table) -> HexSet:
    """12.14: the hexes that HQs hand supply on to."""
    return hexset.union(reach for hq, reach in lines(table, SOVIET).radius.items() if _feeds(table, hq))


def _feeds(table: Table, hq: str) -> bool:
    return not disrupted(table, hq) and bool(lines(table, SOVIET).ground >> place(table, hq) & 1)


def fed_to_strike(table: Table, unit: str) -> bool:
    """23.1, 23.13: supply for attacks and the second move: a unit under active HQs draws it through one of them."""
    return supplied(table, unit) and through_active(table, unit)


def through_active(table: Table, unit: str) -> bool:
    """23.1, 23.13: whether what supply a unit has comes through an active HQ, if it is under any."""
    if table.unit(unit).side == GERMAN or is_hq(table, unit) or table.position.mark(unit, "entered") is not None:
        return True
    (commanded, fed), h = _under_active(table), place(table, unit)
    return not commanded >> h & 1 or bool(fed >> h & 1)


@kept_while_still("active", "disrupted")
def _under_active(table: Table) -> tuple[HexSet, HexSet]:
    """The hexes under HQs that command, and those under one of them that has supply."""
    radius = _commanding(table)
    return hexset.union(radius.values()), hexset.union(radius[hq] for hq in radius if _feeds(table, hq))


def supplied(table: Table, unit: str) -> bool:
    """Whether a unit fights at full strength at this instant (12.22)."""
    # 25.31: with its equipment left behind as out of supply, whatever its line
    return table.position.mark(unit, "heavy") != "under" and _fed(table, unit, by_air=True)


def _fed(table: Table, unit: str, *, by_air: bool) -> bool:
    """A line on the ground, or what stands for one: the turn of entry (15.0-c), aeroplanes (25.23)."""
    marks = ("entered", "air supplied") if by_air else ("entered",)
    return any(table.position.mark(unit, mark) is not None for mark in marks) or ground_supplied(table, unit)


def isolated(table: Table, unit: str) -> bool:
    """25.1: out of supply and alone when points are counted (25.12, 27.1-a); air supply is supply (25.23)."""
    return _alone(table, unit, table.data.switch["air_relieves"])


def cut_off(table: Table, unit: str) -> bool:
    """25.13, 25.21: isolated as far as lines on the ground go, and so eligible for air supply."""
    return _alone(table, unit, False)


def _alone(table: Table, unit: str, by_air: bool) -> bool:
    """25.1: a German unit without supply, more than three hexes from any friend that has it."""
    if not table.data.switch["isolation"] or table.unit(unit).side != GERMAN or _fed(table, unit, by_air=by_air):
        return False
    return not near_supplied(table, by_air) >> place(table, unit) & 1


@kept_while_still("air supplied", "entered", "heavy")
def near_supplied(table: Table, by_air: bool) -> HexSet:
    """25.14: every hex within three of a supplied German unit, by plain distance; 25.34: equipment under it forbids."""
    friends = (unit for unit in table.position.on_map(GERMAN) if table.position.mark(unit, "heavy") != "under")
    fed = hexset.of(place(table, unit) for unit in friends if _fed(table, unit, by_air=by_air))
    return hexset.within(table.grid, fed, table.data.tables["isolation"]["hexes"])


@kept_while_still("entered", "heavy")
def air_trace(table: Table, town: Hex) -> list[str]:
    """25.21: the isolated German units with a line to a town, of any length."""
    far = held(table, GERMAN) & ~near_supplied(table, False)
    if not far:
        return []
    spots = far & supply.traced(table.grid, 1 << town, open_to(table, GERMAN), ends=table.data.swamp)
    return [u for h in hexset.members(spots) for u in units_at(table, h, GERMAN) if cut_off(table, u)]
