"""How far units get (6.0): terrain, roads, rivers, and the enemy's zones of control."""

from __future__ import annotations

from dataclasses import dataclass

from engine import hexset
from engine.hexes import Hex, opposite
from engine.hexset import HexSet
from engine.rules.ground import held, place
from engine.rules.movement import Exits, closed_to
from engine.table import kept, kept_while_side_still, kept_while_still
from games.korsun_vv import data
from games.korsun_vv.data import HALF, MOBILE, Going, Table
from games.korsun_vv.rules.duty import answerable, binds, owed_to
from games.korsun_vv.rules.ground import (
    BREAKTHROUGH,
    barred_to,
    enemy_zoc,
    full_hexes,
    kind_of,
    may_attack,
    same_zone,
    takes_road,
    weather,
)
from games.korsun_vv.rules.points import allowance, left, stride

ENDLESS = 200  # movement points for any way across the map


@kept_while_still(BREAKTHROUGH)
def exits(table: Table, side: str, kind: Going, sky: str) -> Exits:
    """Every step with what it costs past the enemy: 4.1-c, 4.2-d, 4.2-e, 6.2-b."""
    return _zoned(table, side, _roads(table, side, kind, sky))


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


@kept_while_side_still()
def busy_hexes(table: Table, side: str) -> HexSet:
    """6.2-b: the hexes whose road a unit of the side has taken."""
    spots = hexset.members(held(table, side))
    return hexset.of(h for h in spots if any(takes_road(table, unit) for unit in table.position.at(h)))


def _zoned(table: Table, side: str, plain: Exits) -> Exits:
    grid, zones = table.grid, enemy_zoc(table, side)
    closed = held(table, table.enemy(side))
    into = [hexset.step(grid, zones, opposite(d)) for d in range(6)]
    shut = [hexset.step(grid, closed, opposite(d)) for d in range(6)]
    leave, cross = zone_costs(table)
    rivers, same = table.data.rivers, same_zone(table, side)
    found: dict[int, list[HexSet]] = {}
    for cost, masks in plain.items():
        for d, mask in enumerate(masks):
            open_ = mask & ~shut[d] & ~(rivers[d] & into[d])
            if not open_:
                continue
            for extra, part in (
                (0, open_ & ~zones),
                (leave, open_ & zones & ~into[d]),
                (cross, open_ & zones & into[d] & ~same[d]),
            ):
                if part:
                    found.setdefault(cost + extra, [0] * 6)[d] |= part
    return {cost: tuple(masks) for cost, masks in sorted(found.items())}


def zone_costs(table: Table) -> tuple[int, int]:
    """4.2-d, 4.2-e: leaving a zone, and from one zone into another, in half points."""
    row = table.data.tables["movement"]
    return row["leave_zoc"]["points"] * HALF, row["zoc_to_zoc"]["points"] * HALF


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


def layers(table: Table, unit: str, budget: int) -> list[HexSet]:
    """What a unit can reach by cost, the duty to attack aside."""
    side, start, kind = table.unit(unit).side, place(table, unit), kind_of(table, unit)
    return _layers(table, side, start, kind, weather(table), budget, barred_to(table, unit))


@kept_while_still(BREAKTHROUGH)
def _layers(table: Table, side: str, start: Hex, kind: Going, sky: str, budget: int, barred: HexSet) -> list[HexSet]:
    ways = exits(table, side, kind, sky)
    if barred & ~(1 << start):
        ways = closed_to(table.grid, ways, barred)
    return hexset.reach(table.grid, 1 << start, ways, budget, stop=enemy_zoc(table, side)) if ways else [1 << start]


@kept
def reachable(table: Table, unit: str) -> HexSet:
    """Every hex in which the unit may end its move, stacking aside (4.2-b, 4.2-c)."""
    side, have = table.unit(unit).side, purse(table, unit)
    found, here = layers(table, unit, have.whole), 1 << place(table, unit)
    kept_back = hexset.union(found[: have.kept + 1]) & ~here
    if owed_to(table, unit):
        return hexset.of(h for h in hexset.members(kept_back) if answerable(table, unit, h))
    return kept_back | hexset.union(found) & ~binds(table, side) & ~here


def destinations(table: Table, unit: str) -> HexSet:
    """Where the unit may stop with room for it."""
    return reachable(table, unit) & ~full_hexes(table, table.unit(unit).side, unit)


def cheapest(table: Table, unit: str, to: Hex) -> list[Hex]:
    """One cheapest way to a hex; empty if there is none."""
    side = table.unit(unit).side
    found = layers(table, unit, purse(table, unit).whole)
    if not any(layer >> to & 1 for layer in found):
        return []
    ways = exits(table, side, kind_of(table, unit), weather(table))
    return hexset.path(table.grid, found, ways, to, stop=enemy_zoc(table, side))


def hindrance(table: Table, unit: str, to: Hex) -> tuple[str, str]:
    """Case and words for a hex that is out of a unit's reach: the ground, the enemy's zones, or too few points."""
    ground = data.passable(table.data, kind_of(table, unit), weather(table))
    far = hexset.distance_layers(table.grid, 1 << place(table, unit), table.data.land, sides=ground)
    if not hexset.union(far) >> to & 1:
        return "6.2-a", f"no way leads there in {weather(table)} over ground that is open to it"
    if not hexset.union(layers(table, unit, ENDLESS * HALF)) >> to & 1:
        return "4.2-a", "enemy units and their zones of control bar every way"
    return "6.1-a", "its movement points do not suffice"


@dataclass(frozen=True)
class Barred:
    """Why a step may not be taken."""

    case: str
    why: str


def step(table: Table, unit: str, here: Hex, there: Hex) -> int | Barred:
    """What one step costs in half points, or why it is barred."""
    side, kind, sky = table.unit(unit).side, kind_of(table, unit), weather(table)
    d = table.grid.direction(here, there)
    alone = not (busy_hexes(table, side) >> there & 1)
    cost = table.data.step_cost(kind, sky, here, there, alone=alone)
    if d is None or cost is None:
        return Barred("6.2-a", f"{'tanks cannot' if kind == MOBILE else 'nobody can'} go there in {sky} that way")
    if held(table, table.enemy(side)) >> there & 1:
        return Barred("4.1-d", "the enemy is there")
    if barred_to(table, unit) >> there & 1:
        return Barred("6.2-c", "the road through difficult ground holds one mechanized unit")
    zones = enemy_zoc(table, side)
    leaving, entering = bool(zones >> here & 1), bool(zones >> there & 1)
    if entering and table.data.rivers[d] >> here & 1:
        return Barred("4.1-c", "a river is not crossed into an enemy zone of control")
    if leaving and entering and same_zone(table, side)[d] >> here & 1:
        return Barred("4.2-e", "both hexes are in the zone of control of the same enemy unit")
    leave, cross = zone_costs(table)
    return cost + (cross if leaving and entering else leave if leaving else 0)
