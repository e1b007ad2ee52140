"""How far units get (9.0): normal movement with zones, rivers and swamps; strategic movement along roads."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine import hexset
from engine.hexes import Hex, opposite
from engine.hexset import HexSet
from engine.rules.ground import crosses, held, place
from engine.rules.movement import Exits, closed_to
from engine.rules.terrain import hexsides
from engine.table import Table
from games.manstein.data import HALF, Data
from games.manstein.rules.ground import enemy_zoc

NORMAL, STRATEGIC = "move", "strat"


def allowance(table: Table, unit: str) -> int:
    """9.2-a, 11.2.3: the unit's Movement Points, in halves."""
    printed = table.position.value(unit, "move")
    row = table.data.tables["supply"]
    state = table.position.mark(unit, "supply")
    if state == "isolated" and table.data.switch["isolated_movement"] == "halved":
        printed //= row["isolated"]["halved_divisor"]
    elif state is not None:
        printed = max(0, printed + row[str(state)]["move"])
    return printed * HALF


# What the enemy's units alone decide is kept for as long as they stand where they are: a whole segment, mostly.


def exits(table: Table, side: str) -> Exits:
    """9.2.2, 9.2.3: every step of normal movement with what it costs past the enemy's zones."""
    return _exits(table.data, held(table, table.enemy(side)), enemy_zoc(table, side))


@lru_cache(maxsize=16)
def _exits(data: Data, enemy: HexSet, zones: HexSet) -> Exits:
    grid = data.board.grid
    into = [hexset.step(grid, zones, opposite(d)) for d in range(6)]
    leave, enter = data.zone_cost
    major = hexsides(data.board, "major")
    found: dict[int, list[HexSet]] = {}
    for cost, masks in closed_to(grid, data.exits, enemy).items():
        for d, mask in enumerate(masks):
            for extra, part in (
                (0, mask & ~zones & ~into[d]),
                (leave, mask & zones & ~into[d]),
                (enter, mask & ~zones & into[d]),
                (leave + enter, mask & zones & into[d] & ~major[d]),
            ):
                if part:
                    found.setdefault(cost + extra, [0] * 6)[d] |= part
    return {cost: tuple(masks) for cost, masks in sorted(found.items())}


def road_exits(table: Table, side: str) -> Exits:
    """9.3.1: along roads at half cost, never into an enemy zone."""
    return _road_exits(table.data, held(table, table.enemy(side)) | enemy_zoc(table, side))


@lru_cache(maxsize=16)
def _road_exits(data: Data, never: HexSet) -> Exits:
    cost = int(data.tables["terrain"]["way"]["road"]["strategic"] * HALF)
    return closed_to(data.board.grid, {cost: data.roads}, never)


@dataclass(frozen=True)
class Barred:
    """Why a step may not be taken."""

    case: str
    why: str


def step(table: Table, side: str, here: Hex, there: Hex) -> int | Barred:
    """What one step of normal movement costs in half points, or why it is barred."""
    cost: int | None = table.data.step_cost(here, there)
    if cost is None:
        return Barred("9.2.4bis", "no unit may go there")
    if held(table, table.enemy(side)) >> there & 1:
        return Barred("3.1(2)", "the enemy is there")
    zones = enemy_zoc(table, side)
    leaving, entering = bool(zones >> here & 1), bool(zones >> there & 1)
    if leaving and entering:
        if crosses(table, hexsides(table.board, "major"), here, there):
            return Barred("9.2.3", "a major river is not crossed from one enemy zone of control into another")
        if table.data.one_step(here, there) == "9.2.4(1)":
            return Barred("9.2.4(2)", "a swamp is not entered from one enemy zone of control into another")
    leave: int
    enter: int
    leave, enter = table.data.zone_cost
    return cost + leave * leaving + enter * entering


def single_steps(table: Table, side: str, start: Hex) -> dict[Hex, int]:
    """9.2.1(1)-b, 9.2.4(1): hexes that may be entered only as the first and last step, with the cost."""

    def work_out() -> dict[Hex, int]:
        found = {}
        for there in table.grid.neighbours(start):
            if table.data.one_step(start, there):
                cost = step(table, side, start, there)
                if isinstance(cost, int):
                    found[there] = cost
        return found

    return table.keep(("single steps", side, start), work_out)


def layers(table: Table, unit: str, how: str) -> tuple[HexSet, ...]:
    """What a unit can reach by ordinary steps, by cost."""
    side, start = table.unit(unit).side, place(table, unit)
    return layers_from(table, side, start, allowance(table, unit), how)


def layers_from(table: Table, side: str, start: Hex, budget: int, how: str) -> tuple[HexSet, ...]:
    enemy, zones = held(table, table.enemy(side)), enemy_zoc(table, side)
    if how == STRATEGIC:
        return _marches(table.data, enemy | zones, start, budget) if may_march(table, side, start) else (1 << start,)
    return _walks(table.data, enemy, zones, start, budget)


@lru_cache(maxsize=4096)
def _walks(data: Data, enemy: HexSet, zones: HexSet, start: Hex, budget: int) -> tuple[HexSet, ...]:
    return tuple(hexset.reach(data.board.grid, 1 << start, _exits(data, enemy, zones), budget))


@lru_cache(maxsize=4096)
def _marches(data: Data, never: HexSet, start: Hex, budget: int) -> tuple[HexSet, ...]:
    return tuple(hexset.reach(data.board.grid, 1 << start, _road_exits(data, never), budget))


def may_march(table: Table, side: str, start: Hex) -> bool:
    """9.3.1-b: on a road, and not in an enemy zone."""
    return bool(table.data.road_hexes >> start & 1) and not enemy_zoc(table, side) >> start & 1


def reachable(table: Table, unit: str, how: str) -> HexSet:
    """Every hex the unit can end its move in, stacking aside."""
    side, start, budget = table.unit(unit).side, place(table, unit), allowance(table, unit)

    def work_out() -> HexSet:
        total = 0
        for layer in layers_from(table, side, start, budget, how):
            total |= layer
        if how == NORMAL:
            total |= hexset.of(h for h, cost in single_steps(table, side, start).items() if cost <= budget)
        return total & ~(1 << start)

    return table.keep(("reachable", side, start, budget, how), work_out)


def cheapest(table: Table, unit: str, to: Hex, how: str) -> list[Hex]:
    """One cheapest way to a hex that the unit can reach; empty if it cannot."""
    side, start = table.unit(unit).side, place(table, unit)
    found = layers(table, unit, how)
    ways = exits(table, side) if how == NORMAL else road_exits(table, side)
    way = hexset.path(table.grid, found, ways, to) if any(layer >> to & 1 for layer in found) else []
    if how == NORMAL:
        direct = single_steps(table, side, start).get(to)
        spent = next((cost for cost, layer in enumerate(found) if layer >> to & 1), None)
        if direct is not None and direct <= allowance(table, unit) and (spent is None or direct < spent):
            return [start, to]
    return way
