"""How far units get (6.0): terrain, roads, rivers, and the enemy's zones of control."""

from dataclasses import dataclass

from engine import hexset
from engine.hexes import Hex, opposite
from engine.hexset import HexSet
from engine.rules.ground import held, place
from engine.rules.movement import Exits, closed_to
from engine.table import kept, kept_while_still
from games.korsun_vv import data
from games.korsun_vv.data import HALF, MOBILE, Going, Table
from games.korsun_vv.names import BREAKTHROUGH
from games.korsun_vv.rules.duty import answerable, binds, owed_to
from games.korsun_vv.rules.ground import Walker, busy_hexes, enemy_zoc, full_hexes, may_attack, open_to, sources, walker
from games.korsun_vv.rules.points import allowance, left, stride

ENDLESS = 200  # movement points for any way across the map


@kept_while_still(BREAKTHROUGH)
def _exits(table: Table, side: str, kind: Going, sky: str) -> Exits:
    """What every step costs but for those out of the enemy's zones, none of which goes on (4.1-c, 4.2-a, 6.2-b)."""
    zones, rivers = enemy_zoc(table, side), table.data.rivers
    shut = [zones | rivers[d] & hexset.step(table.grid, zones, opposite(d)) for d in range(6)]
    return closed_to(table.grid, _roads(table, side, kind, sky), held(table, table.enemy(side)), shut)


def _roads(table: Table, side: str, kind: Going, sky: str) -> Exits:
    """6.2-b: mobile units pay the road's cost only into hexes without another unit, infantry aside."""
    alone = data.exits(table.data, kind, sky)
    if kind != MOBILE:
        return alone
    busy = busy_hexes(table, side)
    into = [hexset.step(table.grid, busy, opposite(d)) for d in range(6)]
    found: dict[int, list[HexSet]] = {
        cost: [mask & ~into[d] for d, mask in enumerate(masks)] for cost, masks in alone.items()
    }
    for cost, masks in data.exits(table.data, kind, sky, alone=False).items():
        row = found.setdefault(cost, [0] * 6)
        for d, mask in enumerate(masks):
            row[d] |= mask & into[d]
    return {cost: tuple(row) for cost, row in found.items()}


@dataclass(frozen=True)
class Purse:
    """What a unit can pay in half movement points: in all, and if a point must be left for an attack."""

    whole: int
    kept: int


def purse(table: Table, unit: str) -> Purse:
    points, one = left(table, unit), allowance(table, unit)
    whole = stride(table, unit) + points * one
    keep = table.data.tables["attack"]["normal"]["points"]
    kept = stride(table, unit) + max(0, points - keep) * one if points >= keep else -1
    return Purse(whole, kept if may_attack(table, unit) else -1)


Layers = tuple[list[HexSet], Exits]  # the hexes by their cost, and the steps that lead there


def layers(table: Table, unit: str, budget: int) -> Layers:
    """What a unit can reach by cost, the duty to attack aside."""
    return _layers(table, walker(table, unit), place(table, unit), budget)


@kept_while_still(BREAKTHROUGH)
def _layers(table: Table, who: Walker, start: Hex, budget: int) -> Layers:
    ways, zones = _exits(table, who.side, who.kind, who.sky), enemy_zoc(table, who.side)
    if who.barred:
        ways = closed_to(table.grid, ways, who.barred)
    if zones >> start & 1:
        ways = _out_of(table, who, start, ways)
    return hexset.reach(table.grid, 1 << start, ways, budget, stop=zones), ways


def _out_of(table: Table, who: Walker, start: Hex, ways: Exits) -> Exits:
    """4.2-d, 4.2-e: only the first step leads out of a zone, for its own price."""
    found = {cost: list(masks) for cost, masks in ways.items()}
    for d in range(6):
        there = table.grid.neighbour(start, d)
        cost = None if there is None else _step(table, who, start, there)
        if isinstance(cost, int):
            found.setdefault(cost, [0] * 6)[d] |= 1 << start
    return {cost: tuple(masks) for cost, masks in found.items()}


@kept
def reachable(table: Table, unit: str) -> HexSet:
    """Every hex in which the unit may end its move, stacking aside (4.2-b, 4.2-c)."""
    side, have = table.unit(unit).side, purse(table, unit)
    found, here = layers(table, unit, have.whole)[0], 1 << place(table, unit)
    kept_back = hexset.union(found[: have.kept + 1]) & ~here
    if owed_to(table, unit):
        return hexset.of(h for h in hexset.members(kept_back) if answerable(table, unit, h))
    return kept_back | hexset.union(found) & ~binds(table, side) & ~here


def destinations(table: Table, unit: str) -> HexSet:
    """Where the unit may stop with room for it."""
    return reachable(table, unit) & ~full_hexes(table, table.unit(unit).side, [unit])


def cheapest(table: Table, unit: str, to: Hex) -> tuple[list[Hex], int]:
    """One cheapest way to a hex, empty if there is none, and what it costs."""
    found, ways = layers(table, unit, purse(table, unit).whole)
    spent = next((cost for cost, layer in enumerate(found) if layer >> to & 1), None)
    if spent is None:
        return [], 0
    return hexset.path(table.grid, found, ways, to, stop=enemy_zoc(table, table.unit(unit).side)), spent


def hindrance(table: Table, unit: str, to: Hex) -> tuple[str, str]:
    """Case and words for a hex that is out of a unit's reach: the ground, the enemy's zones, or too few points."""
    far = hexset.distance_layers(table.grid, 1 << place(table, unit), table.data.land, sides=open_to(table, unit))
    if not hexset.union(far) >> to & 1:
        return "6.2-a", f"no way leads there in {walker(table, unit).sky} over ground that is open to it"
    if not hexset.union(layers(table, unit, ENDLESS * HALF)[0]) >> to & 1:
        return "4.2-a", "enemy units and their zones of control bar every way"
    who = walker(table, unit)
    roads, enemy = _roads(table, who.side, who.kind, who.sky), table.enemy(who.side)
    clear = closed_to(table.grid, roads, held(table, enemy))
    free = hexset.reach(table.grid, 1 << place(table, unit), clear, purse(table, unit).whole)
    if hexset.union(free) >> to & 1:
        return "4.2-a", "enemy zones of control bar the way that its movement points would allow"
    return "6.1-a", "its movement points do not suffice"


@dataclass(frozen=True)
class Barred:
    """Why a step may not be taken."""

    case: str
    why: str


def step(table: Table, unit: str, here: Hex, there: Hex) -> int | Barred:
    """What one step costs a unit in half points, or why it is barred."""
    return _step(table, walker(table, unit), here, there)


def _step(table: Table, who: Walker, here: Hex, there: Hex) -> int | Barred:
    side, kind, sky = who.side, who.kind, who.sky
    d = table.grid.direction(here, there)
    alone = not (busy_hexes(table, side) >> there & 1)
    cost = table.data.step_cost(kind, sky, here, there, alone=alone)
    if d is None or cost is None:
        return Barred("6.2-a", f"{'tanks cannot' if kind == MOBILE else 'nobody can'} go there in {sky} that way")
    if held(table, table.enemy(side)) >> there & 1:
        return Barred("4.1-d", "the enemy is there")
    if who.barred >> there & 1:
        return Barred("6.2-c", "the road through difficult ground holds one mechanized unit")
    zones = enemy_zoc(table, side)
    if not zones >> there & 1:
        return cost + (table.data.tables["movement"]["leave_zoc"]["points"] * HALF if zones >> here & 1 else 0)
    if table.data.rivers[d] >> here & 1:
        return Barred("4.1-c", "a river is not crossed into an enemy zone of control")
    if sources(table, side, here) & sources(table, side, there):
        return Barred("4.2-e", "both hexes are in the zone of control of the same enemy unit")
    return cost + (table.data.tables["movement"]["zoc_to_zoc"]["points"] * HALF if zones >> here & 1 else 0)
