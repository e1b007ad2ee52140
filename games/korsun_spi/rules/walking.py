"""One way walked hex by hex (5.2): where it is blocked, by which case, and what could be reached instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import held, number, numbers, place
from engine.rules.movement import Exits, closed_to, cost_of_step
from engine.table import kept
from games.korsun_spi.data import HALF, Table
from games.korsun_spi.rules.allowance import CLOSED, allowance, check_may_move, left, spent
from games.korsun_spi.rules.ground import enemy_zoc, gait, is_hq
from games.korsun_spi.rules.limits import check_limit
from games.korsun_spi.rules.reach import (
    Leaving,
    combat_units,
    exits_from,
    free_step,
    layers_from,
    reachable,
    river_closed,
)


@dataclass(frozen=True)
class Walk:
    """A way that was checked, and what each unit has spent at its end."""

    path: tuple[Hex, ...]
    spent: dict[str, int]


class Purse(NamedTuple):
    """What a unit pays a walk from."""

    exits: Exits  # what each step costs
    limit: int


@kept
def plan(
    table: Table, side: str, units: tuple[str, ...], end: str, by: tuple[str, ...], leaving: Leaving | None
) -> Walk:
    """The way to a hex, named or the cheapest, checked step by step. Raises Illegal."""
    way = _way(table, side, units, table.grid.hex(end), [table.grid.hex(h) for h in by], leaving)
    check_limit(table, units, way.path[-1])
    return way


def _way(table: Table, side: str, units: Sequence[str], to: Hex, via: list[Hex], leaving: Leaving | None) -> Walk:
    start = check_may_move(table, side, units)
    if to == start and not via:
        raise Illegal("5.0", f"the units are in {number(table, to)} already", at=number(table, to))
    stops = [*([] if via and via[0] == start else [start]), *via, *([to] if not via or via[-1] != to else [])]
    if via and all(table.grid.direction(a, b) is not None for a, b in pairwise(stops)):
        return walk(table, side, units, stops, leaving)
    refusal: Illegal | None = None
    for unit in _one_of_each_gait(table, units):
        try:
            return walk(table, side, units, _cheapest(table, side, unit, stops, units, leaving), leaving)
        except Illegal as problem:
            refusal = refusal or problem
    assert refusal is not None
    raise refusal


def _one_of_each_gait(table: Table, units: Sequence[str]) -> list[str]:
    """Whose costs a way is chosen by: the unit with the fewest points left first."""
    slowest = sorted(units, key=lambda unit: (left(table, unit), gait(table, unit) == "mech"))
    return list({gait(table, unit): unit for unit in reversed(slowest)}.values())[::-1]


def _cheapest(
    table: Table, side: str, unit: str, stops: Sequence[Hex], units: Sequence[str], leaving: Leaving | None
) -> list[Hex]:
    """The cheapest way through the stops by a unit's costs; one it cannot pay for if there is no other."""
    kind, zones = gait(table, unit), enemy_zoc(table, side)
    budget = left(table, unit) - (leaving.extra if leaving is not None else 0)
    path = [stops[0]]
    for here, there in pairwise(stops):
        exits = exits_from(table, side, kind, here, leaving)
        layers = layers_from(table, side, kind, here, max(budget, 0), leaving)
        leg = hexset.path(table.grid, layers, exits, there, zones)
        if not leg and table.grid.direction(here, there) is not None:
            leg = [here, there]  # 5.14, or the walk says what is wrong with it
        if not leg:
            clear = closed_to(table.grid, table.data.exits(side, kind), held(table, table.enemy(side)))
            if hexset.union(hexset.reach(table.grid, 1 << here, clear, max(budget, 0))) >> there & 1:
                raise _out_of_reach(table, side, units, there, leaving)
            layers = layers_from(table, side, kind, here, CLOSED, leaving)
            leg = hexset.path(table.grid, layers, exits, there, zones)
        if not leg:
            raise _out_of_reach(table, side, units, there, leaving)
        path += leg[1:]
    return path


def walk(table: Table, side: str, units: Sequence[str], path: Sequence[Hex], leaving: Leaving | None = None) -> Walk:
    """Checks a way hex by hex. Raises Illegal with the case, the hex and what could be reached instead."""
    zones, rivers = enemy_zoc(table, side), river_closed(table, side)
    totals = {unit: spent(table, unit) for unit in units}
    purses = {unit: Purse(table.data.exits(side, gait(table, unit)), allowance(table, unit)) for unit in units}
    hqs = [unit for unit in units if is_hq(table, unit)]
    for index, (here, there) in enumerate(pairwise(path)):
        first = index == 0
        _check_entry(table, side, here, there, rivers)
        _check_leaving(table, here, there, first, zones, leaving, side)
        if hqs:
            _check_company(table, side, hqs, there)
        for unit, purse in purses.items():
            way_out = leaving if first else None
            totals[unit] = _pay(table, side, unit, purse, here, there, totals[unit], way_out, units)
    return Walk(tuple(path), totals)


def _check_company(table: Table, side: str, hqs: Sequence[str], there: Hex) -> None:
    """11.23: an HQ enters an enemy zone of control only where a friend that is no HQ stands. Raises Illegal."""
    if hqs and enemy_zoc(table, side) >> there & 1 and not combat_units(table, side) >> there & 1:
        spot = number(table, there)
        problem = f"{hqs[0]} may enter {spot}, an enemy zone of control, only if a friendly unit is there first"
        raise Illegal("11.23", problem, unit=hqs[0], at=spot)


def _check_leaving(
    table: Table, here: Hex, there: Hex, first: bool, zones: HexSet, leaving: Leaving | None, side: str
) -> None:
    if zones >> here & 1 and not (first and leaving is not None):
        spot = number(table, here)
        if first:
            raise _held_fast(spot)
        raise Illegal("5.23", f"units stop on entering an enemy zone of control: {spot}", at=spot)
    if leaving is None or not zones >> there & 1:
        return
    target = number(table, there)
    if leaving.avoids_zones:
        raise Illegal(leaving.case, f"disengaging units may not enter an enemy zone of control: {target}", at=target)
    if first and leaving.first_step_clear and not held(table, side) >> there & 1:
        raise Illegal(leaving.case, f"from one enemy zone into another only where a friend stands: {target}", at=target)


def _check_entry(table: Table, side: str, here: Hex, there: Hex, rivers: Sequence[HexSet]) -> None:
    target = number(table, there)
    if held(table, table.enemy(side)) >> there & 1:
        raise Illegal("5.22", f"{target} holds enemy units", at=target, instead="Overrun is the only way in")
    direction = table.grid.direction(here, there)
    if direction is None:
        raise Illegal("5.0", f"{number(table, here)} and {target} do not touch", at=target)
    if not table.board.land >> there & 1:
        raise Illegal("5.0", f"{target} is not on the map", at=target)
    if not table.data.passable >> there & 1 or table.data.shut_sides[direction] >> here & 1:
        case = "19.25" if table.board.kinds.get(there) == "river" else "10.16"
        raise Illegal(case, f"nothing may enter {target} from {number(table, here)}: it is water", at=target)
    if rivers[direction] >> here & 1:
        problem = f"no crossing the river into {target}: an enemy on the bank controls it"
        raise Illegal("10.13-a", problem, at=target)


def _pay(
    table: Table,
    side: str,
    unit: str,
    purse: Purse,
    here: Hex,
    there: Hex,
    before: int,
    leaving: Leaving | None,
    units: Sequence[str],
) -> int:
    """What a unit has spent after one more step. Raises Illegal when it cannot pay."""
    cost = cost_of_step(purse.exits, table.grid, here, there)
    assert cost is not None
    extra = leaving.extra if leaving is not None else 0
    if before + cost + extra <= purse.limit:
        return before + cost + extra
    if before == 0 and free_step(table, side, unit, leaving) >> there & 1:
        return CLOSED
    have, need = (purse.limit - before) / HALF, (cost + extra) / HALF
    problem = f"{unit} has {max(have, 0):g} Movement Points left and needs {need:g} to enter {number(table, there)}"
    reach = numbers(table, reachable(table, side, units, leaving))
    raise Illegal(
        (leaving.cost_case or leaving.case) if leaving else "5.11", problem, unit=unit, at=number(table, there),
        instead="In reach", alternatives=reach,
    )  # fmt: skip


def _out_of_reach(table: Table, side: str, units: Sequence[str], there: Hex, leaving: Leaving | None) -> Illegal:
    """There is no way at all: say which rule stands in it."""
    start = place(table, units[0])
    if enemy_zoc(table, side) >> start & 1 and leaving is None:
        return _held_fast(number(table, start))
    for near in table.grid.neighbours(there):
        if table.board.land >> near & 1:
            try:
                _check_entry(table, side, near, there, river_closed(table, side))
                _check_company(table, side, [unit for unit in units if is_hq(table, unit)], there)
            except Illegal as refusal:
                return refusal
    reach = numbers(table, reachable(table, side, units, leaving))
    target = number(table, there)
    problem = f"enemy units and their zones of control bar the way to {target}"
    return Illegal("5.23", problem, at=target, instead="In reach", alternatives=reach)


def _held_fast(spot: str) -> Illegal:
    problem = f"units in an enemy zone of control may not walk out of it: {spot}"
    instead = "It may overrun from there, or delay or disengage where the rules allow"
    return Illegal("5.24", problem, at=spot, instead=instead)
