"""One way walked hex by hex (9.0): where it is blocked, by which case, and what could be reached instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine import hexset
from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.ground import crosses, held, number, numbers, place
from engine.rules.movement import closed_to
from engine.table import kept
from games.manstein.data import HALF, Table
from games.manstein.rules import reach
from games.manstein.rules.ground import enemy_zoc
from games.manstein.rules.reach import NORMAL, STRATEGIC, Barred, allowance, reachable

ONE_STEP = {"9.2.1(1)-b": "it crosses a major river without a bridge", "9.2.4(1)": "it enters a swamp"}


@dataclass(frozen=True)
class Walk:
    """A way that was checked, and what it costs in half points."""

    path: tuple[Hex, ...]
    spent: int


@kept
def plan(table: Table, unit: str, to: Hex, via: tuple[Hex, ...], how: str) -> Walk:
    """The way to a hex: named and checked step by step, or the cheapest. Raises Illegal."""
    start, side = place(table, unit), table.unit(unit).side
    if how == STRATEGIC and not reach.may_march(table, table.enemy(side), start):
        why = "stands in an enemy zone of control" if enemy_zoc(table, side) >> start & 1 else "is not on a road"
        raise _refused(table, unit, start, NORMAL, "9.3.1-b", f"{unit} {why} and may not move strategically")
    if to == start and set(via) <= {start}:
        raise _refused(table, unit, to, how, "9.2-a", f"{unit} is in {number(table, to)} already")
    if via:
        stops = [*([] if via[0] == start else [start]), *via, *([] if via[-1] == to else [to])]
        return _walk(table, unit, stops, how)
    path, spent = reach.cheapest(table, unit, to, how)
    if not path:
        raise _out_of_reach(table, unit, to, how)
    return Walk(tuple(path), spent)


def _walk(table: Table, unit: str, path: Sequence[Hex], how: str) -> Walk:
    """Checks a way hex by hex. Raises Illegal."""
    spent, budget = 0, allowance(table, unit)
    for index, (here, there) in enumerate(pairwise(path)):
        spot = number(table, there)
        if table.grid.direction(here, there) is None:
            raise Illegal("9.2-b", f"{number(table, here)} and {spot} do not touch: name every hex", unit=unit, at=spot)
        spent += _march(table, unit, here, there) if how == STRATEGIC else _step(table, unit, path, index)
        if spent > budget:
            problem = f"{unit} has {_points(budget)} Movement Points and needs {_points(spent)} as far as {spot}"
            raise _refused(table, unit, there, how, "9.2-b", problem)
    return Walk(tuple(path), spent)


def _step(table: Table, unit: str, path: Sequence[Hex], index: int) -> int:
    here, there = path[index], path[index + 1]
    found = reach.step(table, table.enemy(table.unit(unit).side), here, there)
    spot = number(table, there)
    if isinstance(found, Barred):
        raise _refused(table, unit, there, NORMAL, found.case, f"{unit} may not enter {spot}: {found.why}")
    case = table.data.one_step(here, there)
    if case and len(path) > 2:
        problem = f"{unit} may not enter {spot}: {ONE_STEP[case]}, which must be the first and only step of a move"
        raise _refused(table, unit, there, NORMAL, case, problem)
    return found


def _march(table: Table, unit: str, here: Hex, there: Hex) -> int:
    spot, side = number(table, there), table.unit(unit).side
    if not crosses(table, table.data.roads, here, there):
        problem = f"{unit} finds no road from {number(table, here)} to {spot}"
        raise _refused(table, unit, there, STRATEGIC, "9.3.1-b", problem)
    if enemy_zoc(table, side) >> there & 1:
        problem = f"{unit} may not enter {spot}, an enemy zone of control, by strategic movement"
        raise _refused(table, unit, there, STRATEGIC, "9.3.1-b", problem)
    found = reach.step(table, table.enemy(side), here, there)
    if isinstance(found, Barred):
        raise _refused(table, unit, there, STRATEGIC, found.case, f"{unit} may not enter {spot}: {found.why}")
    return int(table.data.tables["terrain"]["way"]["road"]["strategic"] * HALF)


def _out_of_reach(table: Table, unit: str, to: Hex, how: str) -> Illegal:
    """The refusal of a hex that no way leads to, by the case that bars it."""
    bar = _road_bar(table, unit, to) if how == STRATEGIC else _bar(table, unit, to)
    return _refused(table, unit, to, how, bar.case, f"{unit} cannot reach {number(table, to)} ({bar.why})")


def _bar(table: Table, unit: str, to: Hex) -> Barred:
    """What keeps a unit out of a hex by normal movement."""
    enemy, start, budget = table.enemy(table.unit(unit).side), place(table, unit), allowance(table, unit)
    if not table.data.passable >> to & 1:
        return Barred("9.2.4bis", "no unit may go there")
    if held(table, enemy) >> to & 1:
        return Barred("3.1(2)", "the enemy is there")
    if table.grid.direction(start, to) is not None:
        last = reach.step(table, enemy, start, to)
        if isinstance(last, Barred):
            return last
    for spent, layer in enumerate(reach.layers(table, enemy, start, budget, NORMAL)):
        for here in (h for h in table.grid.neighbours(to) if layer >> h & 1):
            case, cost = table.data.one_step(here, to), reach.step(table, enemy, here, to)
            if case and isinstance(cost, int) and spent + cost <= budget:
                return Barred(case, f"{ONE_STEP[case]}, which must be the first and only step of a move")
    clear = closed_to(table.grid, table.data.exits, held(table, enemy))
    if hexset.union(hexset.reach(table.grid, 1 << start, clear, budget)) >> to & 1:
        return Barred("9.2.2", "enemy zones of control cost it too many Movement Points")
    return Barred("9.2-b", "its Movement Points do not suffice")


def _road_bar(table: Table, unit: str, to: Hex) -> Barred:
    """What keeps a unit out of a hex by strategic movement."""
    side = table.unit(unit).side
    clear = table.data.road_hexes & ~held(table, table.enemy(side)) & ~enemy_zoc(table, side)
    if hexset.flood(table.grid, 1 << place(table, unit), clear, table.data.roads) >> to & 1:
        return Barred("9.3.1-a", "its Movement Points do not suffice")
    return Barred("9.3.1-b", "no road leads there clear of the enemy and his zones of control")


def _refused(table: Table, unit: str, at: Hex, how: str, case: str, problem: str) -> Illegal:
    """The refusal of a way, with the hexes that the unit can reach instead."""
    near = numbers(table, reachable(table, unit, how))
    by = f"It can reach by `{how}`"
    return Illegal(case, problem, unit=unit, at=number(table, at), instead=by, alternatives=near)


def _points(halves: int) -> str:
    whole, half = divmod(halves, HALF)
    return f"{whole or ''}½" if half else str(whole)
