"""How far units get (9.0): normal movement with zones, rivers and swamps; strategic movement along roads.

What the enemy's units alone decide is kept for as long as they stand where they are: a whole segment, mostly.
"""

from dataclasses import dataclass

from engine import hexset
from engine.hexes import Hex, opposite
from engine.hexset import HexSet
from engine.rules.ground import crosses, held, place
from engine.rules.movement import Exits, closed_to
from engine.rules.terrain import hexsides
from engine.table import kept_while_side_still
from games.manstein.data import HALF, Table
from games.manstein.rules.ground import zoc

NORMAL, STRATEGIC = "move", "strat"  # the verbs of the two kinds of movement


def allowance(table: Table, unit: str) -> int:
    """9.2-a, 11.2.3: the unit's Movement Points, in halves."""
    printed = table.position.value(unit, "move")
    state = table.position.mark(unit, "supply")
    if state is None:
        return printed * HALF
    row = table.data.tables["supply"][str(state)]
    if "halved_divisor" in row and table.data.switch["isolated_movement"] == "halved":
        return printed // row["halved_divisor"] * HALF
    return max(0, printed + row["move"]) * HALF


@kept_while_side_still()
def exits(table: Table, enemy: str, how: str) -> Exits:
    """9.2.2, 9.2.3: every step of normal movement with what it costs past an enemy; 9.3.1: of strategic movement."""
    return _roads(table, enemy) if how == STRATEGIC else _steps(table, enemy)


def _roads(table: Table, enemy: str) -> Exits:
    """9.3.1: along roads at half cost, never into an enemy zone."""
    cost = int(table.data.tables["terrain"]["way"]["road"]["strategic"] * HALF)
    return closed_to(table.grid, {cost: table.data.roads}, held(table, enemy) | zoc(table, enemy))


def _steps(table: Table, enemy: str) -> Exits:
    zones = zoc(table, enemy)
    into = [hexset.step(table.grid, zones, opposite(d)) for d in range(6)]
    leave, enter = table.data.zone_cost
    major = hexsides(table.board, "major")
    found: dict[int, list[HexSet]] = {}
    for cost, masks in closed_to(table.grid, table.data.exits, held(table, enemy)).items():
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


@dataclass(frozen=True)
class Barred:
    """Why a step may not be taken."""

    case: str
    why: str


def step(table: Table, enemy: str, here: Hex, there: Hex) -> int | Barred:
    """What one step of normal movement costs in half points, or why it is barred."""
    cost = table.data.step_cost(here, there)
    if cost is None:
        return Barred("9.2.4bis", "no unit may go there")
    if held(table, enemy) >> there & 1:
        return Barred("3.1(2)", "the enemy is there")
    zones = zoc(table, enemy)
    leaving, entering = bool(zones >> here & 1), bool(zones >> there & 1)
    if leaving and entering:
        if crosses(table, hexsides(table.board, "major"), here, there):
            return Barred("9.2.3", "a major river is not crossed from one enemy zone of control into another")
        if table.data.one_step(here, there) == "9.2.4(1)":
            return Barred("9.2.4(2)", "a swamp is not entered from one enemy zone of control into another")
    leave, enter = table.data.zone_cost
    return cost + leave * leaving + enter * entering


@kept_while_side_still()
def single_steps(table: Table, enemy: str, start: Hex) -> dict[Hex, int]:
    """9.2.1(1)-b, 9.2.4(1): hexes that may be entered only as the first and last step, with the cost."""
    costs = {h: step(table, enemy, start, h) for h in table.grid.neighbours(start) if table.data.one_step(start, h)}
    return {h: cost for h, cost in costs.items() if isinstance(cost, int)}


@kept_while_side_still()
def layers(table: Table, enemy: str, start: Hex, budget: int, how: str) -> list[HexSet]:
    """What can be reached by ordinary steps, by cost."""
    if how == STRATEGIC and not may_march(table, enemy, start):
        return [1 << start]
    return hexset.reach(table.grid, 1 << start, exits(table, enemy, how), budget)


def may_march(table: Table, enemy: str, start: Hex) -> bool:
    """9.3.1-b: on a road, and not in an enemy zone."""
    return bool(table.data.road_hexes >> start & 1) and not zoc(table, enemy) >> start & 1


def reachable(table: Table, unit: str, how: str) -> HexSet:
    """Every hex the unit can end its move in, stacking aside."""
    return reaches(table, unit)[how == STRATEGIC]


def reaches(table: Table, unit: str) -> tuple[HexSet, HexSet]:
    """The hexes that a unit reaches by normal and by strategic movement."""
    return _reaches(table, table.enemy(table.unit(unit).side), place(table, unit), allowance(table, unit))


@kept_while_side_still()
def _reaches(table: Table, enemy: str, start: Hex, budget: int) -> tuple[HexSet, HexSet]:
    walked, marched = (hexset.union(layers(table, enemy, start, budget, how)) for how in (NORMAL, STRATEGIC))
    walked |= hexset.of(h for h, cost in single_steps(table, enemy, start).items() if cost <= budget)
    return walked & ~(1 << start), marched & ~(1 << start)


def cheapest(table: Table, unit: str, to: Hex, how: str) -> tuple[list[Hex], int]:
    """One cheapest way to a hex that the unit can reach, and what it costs; none if it cannot."""
    enemy, start, budget = table.enemy(table.unit(unit).side), place(table, unit), allowance(table, unit)
    found = layers(table, enemy, start, budget, how)
    spent = next((cost for cost, layer in enumerate(found) if layer >> to & 1), None)
    near = how == NORMAL and table.grid.direction(start, to) is not None
    direct = single_steps(table, enemy, start).get(to) if near else None
    if direct is not None and direct <= budget and (spent is None or direct < spent):
        return [start, to], direct
    return ([], 0) if spent is None else (hexset.path(table.grid, found, exits(table, enemy, how), to), spent)
