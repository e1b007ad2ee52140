"""One way walked hex by hex (9.0): where it is blocked, by which case, and what could be reached instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.hexes import Hex
from engine.refusals import Illegal
from engine.table import Table
from games.manstein.data import HALF, numbers
from games.manstein.rules.ground import crosses, enemy_zoc, number, place
from games.manstein.rules.reach import (
    NORMAL,
    STRATEGIC,
    Barred,
    allowance,
    cheapest,
    may_march,
    reachable,
    step,
)


@dataclass(frozen=True)
class Walk:
    """A way that was checked, and what it costs in half points."""

    path: tuple[Hex, ...]
    spent: int


def plan(table: Table, unit: str, to: Hex, via: Sequence[Hex], how: str) -> Walk:
    """The way to a hex, named or the cheapest, checked step by step. Raises Illegal."""
    return table.keep(("plan", unit, to, tuple(via), how), lambda: _plan(table, unit, to, via, how))


def _plan(table: Table, unit: str, to: Hex, via: Sequence[Hex], how: str) -> Walk:
    start, side = place(table, unit), table.unit(unit).side
    if how == STRATEGIC and not may_march(table, side, start):
        why = "stands in an enemy zone of control" if enemy_zoc(table, side) >> start & 1 else "is not on a road"
        raise Illegal("9.3.1-b", f"{unit} {why} and may not move strategically", unit=unit, at=number(table, start))
    if to == start and not via:
        raise Illegal("9.2-a", f"{unit} is in {number(table, to)} already", unit=unit, at=number(table, to))
    if via:
        stops = [*([] if via[0] == start else [start]), *via, *([] if via[-1] == to else [to])]
        return _walk(table, unit, stops, how)
    path = cheapest(table, unit, to, how)
    if not path:
        raise _out_of_reach(table, unit, to, how)
    return _walk(table, unit, path, how)


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
            raise Illegal("9.2-b", problem, unit=unit, at=spot, instead="It can reach",
                          alternatives=numbers(table.data, reachable(table, unit, how)))  # fmt: skip
    return Walk(tuple(path), spent)


def _step(table: Table, unit: str, path: Sequence[Hex], index: int) -> int:
    here, there = path[index], path[index + 1]
    found = step(table, table.unit(unit).side, here, there)
    spot = number(table, there)
    if isinstance(found, Barred):
        raise Illegal(found.case, f"{unit} may not enter {spot}: {found.why}", unit=unit, at=spot)
    case = table.data.one_step(here, there)
    if case and len(path) > 2:
        what = "crosses a major river without a bridge" if case == "9.2.1(1)-b" else "enters a swamp"
        problem = f"{unit} {what} into {spot}, which must be the first and only step of its move"
        raise Illegal(case, problem, unit=unit, at=spot)
    return found


def _march(table: Table, unit: str, here: Hex, there: Hex) -> int:
    spot, side = number(table, there), table.unit(unit).side
    if not crosses(table, table.data.roads, here, there):
        raise Illegal("9.3.1-b", f"no road leads from {number(table, here)} to {spot}", unit=unit, at=spot)
    if enemy_zoc(table, side) >> there & 1:
        problem = f"{unit} may not enter {spot}, an enemy zone of control, by strategic movement"
        raise Illegal("9.3.1-b", problem, unit=unit, at=spot)
    found = step(table, side, here, there)
    if isinstance(found, Barred):
        raise Illegal(found.case, f"{unit} may not enter {spot}: {found.why}", unit=unit, at=spot)
    return int(table.data.tables["terrain"]["way"]["road"]["strategic"] * HALF)


def _out_of_reach(table: Table, unit: str, to: Hex, how: str) -> Illegal:
    """The refusal of a hex that no way leads to, by the case that bars the last step if the unit stands beside it."""
    spot, start = number(table, to), place(table, unit)
    near = numbers(table.data, reachable(table, unit, how))
    case, why = ("9.3.1-a" if how == STRATEGIC else "9.2-b"), "its Movement Points do not suffice"
    if how == NORMAL:
        last = step(table, table.unit(unit).side, start, to) if table.grid.direction(start, to) is not None else 0
        if isinstance(last, Barred):
            case, why = last.case, last.why
        elif not table.data.passable >> to & 1:
            case, why = "9.2.4bis", "no unit may go there"
        elif table.position.held(table.enemy(table.unit(unit).side)) >> to & 1:
            case, why = "3.1(2)", "the enemy is there"
    problem = f"{unit} cannot reach {spot} ({why})"
    return Illegal(case, problem, unit=unit, at=spot, instead="It can reach", alternatives=near)


def _points(halves: int) -> str:
    whole, half = divmod(halves, HALF)
    return f"{whole or ''}½" if half else str(whole)
