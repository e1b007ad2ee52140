"""The Movement Segment (5.5(1), 9.0): activated units move one after another; HQs may relocate instead."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from engine import hexset
from engine.asks import Ask, Option, Step
from engine.facts import Fact, Marked, Moved
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, numbers, path_numbers
from engine.table import Table
from games.manstein.orders import End, Move, Relocate, Strat
from games.manstein.rules.crossings import entered
from games.manstein.rules.ground import NOBODY, absent, crowded, is_hq
from games.manstein.rules.headquarters import check_relocation, refuges, relocate
from games.manstein.rules.reach import NORMAL, STRATEGIC, reachable
from games.manstein.rules.stacking import MOVED, any_open, check_end, check_relief, movable, open_to, relief
from games.manstein.rules.walking import plan


def movement_segment(table: Table, side: str) -> Generator[Step, Any, None]:
    while True:
        order = yield _ask(table, side)
        if isinstance(order, End):
            return
        if isinstance(order, Relocate):
            scores = table.data.switch["voluntary_relocation"] == "scores"
            yield Marked(subject=order.hq, mark=MOVED, value=1, because="14.1(4)")
            yield from relocate(table, order.hq, order.to, "14.1(4)", scores=scores)
        else:
            yield from _go(table, order)


def _go(table: Table, order: Move | Strat) -> Iterator[Fact]:
    how = _how(order)
    via = [table.grid.hex(h) for h in order.via]
    for unit in order.units:
        walk = plan(table, unit, table.grid.hex(order.to), via, how)
        case = "9.3.1-a" if how == STRATEGIC else "9.2-a"
        yield Marked(subject=unit, mark=MOVED, value=1, because="9.1.1")
        yield Moved(unit=unit, path=path_numbers(table, walk.path), how=how, spent=walk.spent, because=case)
        yield from entered(table, unit, walk.path[1:])


def _how(order: Move | Strat) -> str:
    return STRATEGIC if isinstance(order, Strat) else NORMAL


# What is legal


def check_may_move(table: Table, side: str, unit: str) -> None:
    """Raises Illegal."""
    position = table.position
    case, problem = "9.0", absent(table, side, unit)
    if not problem and position.mark(unit, "activated") is None:
        problem = f"{unit} is not activated"
    if not problem and position.mark(unit, MOVED) is not None:
        case, problem = "9.1.1", f"{unit} has moved in this segment already"
    if problem:
        able = movable(table, side) or (NOBODY,)
        raise Illegal(case, problem, unit=unit, instead="These may still move", alternatives=able)


def check_move(table: Table, side: str, order: Move | Strat) -> None:
    """9.1, 3.1(3): each unit's way, and that the segment can still end within the limit. Raises Illegal."""
    to = table.grid.hex(order.to)
    via = [table.grid.hex(h) for h in order.via]
    for unit in order.units:
        check_may_move(table, side, unit)
        plan(table, unit, to, via, _how(order))
    check_relief(table, side, dict.fromkeys(order.units, to))


def check_relocate(table: Table, side: str, order: Relocate) -> None:
    """14.1(4): an HQ that goes by its own choice. Raises Illegal."""
    check_may_move(table, side, order.hq)
    if not is_hq(table, order.hq):
        able = [unit for unit in movable(table, side) if is_hq(table, unit)] or [NOBODY]
        raise Illegal("14.1(4)", f"{order.hq} is no HQ", unit=order.hq, instead="Activated HQs", alternatives=able)
    check_relocation(table, order.hq, order)
    check_relief(table, side, {order.hq: table.grid.hex(order.to)})


# The ask


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)

    def check(order: Order) -> None:
        if isinstance(order, Move | Strat):
            check_move(seen, side, order)
        elif isinstance(order, Relocate):
            check_relocate(seen, side, order)
        else:
            check_end(seen, side)

    return Ask(
        side=side,
        name="movement",
        subject=side,
        prompt="moves of the activated units; `end` closes the segment",
        verbs=(Move, Strat, Relocate, End),
        check=check,
        options=lambda so_far: _options(seen, side, so_far),
        default=lambda: _default(seen, side),
        case="5.5(1)",
        top=True,
    )


def _default(table: Table, side: str) -> Order:
    """The end of the segment; before it, whoever must move on out of a hex too full."""
    onward = relief(table, side) if crowded(table, side) else None
    if not onward:
        return End()
    unit, to = next(iter(onward.items()))
    verb = Move if reachable(table, unit, NORMAL) >> to & 1 else Strat
    return verb(units=(unit,), to=number(table, to))


def _options(table: Table, side: str, so_far: str) -> list[Option]:
    if not so_far:
        return _first_steps(table, side)
    verb, _, rest = so_far.partition(" ")
    unit = rest.removesuffix(" to").strip()
    if verb == "relocate":
        spots = open_to(table, side, unit, refuges(table, unit))
        return [Option(f"relocate {unit} to {spot}") for spot in numbers(table, spots)]
    hexes = reachable(table, unit, NORMAL)
    if verb == "strat":  # only where the unit could not walk
        hexes = reachable(table, unit, STRATEGIC) & ~hexes
    hexes = open_to(table, side, unit, hexes)
    return [Option(f"{verb} {unit} to {number(table, h)}") for h in hexset.members(hexes)]


def _first_steps(table: Table, side: str) -> list[Option]:
    found: list[Option] = []
    for unit in movable(table, side):
        normal = reachable(table, unit, NORMAL)
        if any_open(table, side, unit, normal):
            found.append(Option(f"move {unit} to", complete=False, more=True))
        if any_open(table, side, unit, reachable(table, unit, STRATEGIC) & ~normal):
            found.append(Option(f"strat {unit} to", complete=False, more=True))
        if is_hq(table, unit) and any_open(table, side, unit, refuges(table, unit)):
            found.append(Option(f"relocate {unit} to", complete=False, more=True))
    if isinstance(_default(table, side), End):
        found.append(Option("end"))
    return found
