"""The Movement Segment (5.5(1), 9.0): activated units move one after another; HQs may relocate instead."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine import hexset
from engine.asks import Ask, Option, Step
from engine.facts import Fact, Marked, Moved
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.table import Table
from games.manstein.data import numbers
from games.manstein.orders import End, Move, Relocate, Strat
from games.manstein.rules.crossings import entered
from games.manstein.rules.ground import (
    activated,
    crowded,
    excess,
    has_room,
    held,
    is_hq,
    number,
    path_numbers,
    place,
    units_at,
)
from games.manstein.rules.headquarters import check_relocation, refuges, relocate
from games.manstein.rules.reach import NORMAL, STRATEGIC, reachable
from games.manstein.rules.walking import plan

MOVED = "moved"  # a unit that has moved in this segment


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
    if table.unit(unit).side != side or position.hex_of(unit) is None:
        raise Illegal("9.0", f"{unit} is not on the map, or not yours", unit=unit)
    if position.mark(unit, "activated") is None:
        raise Illegal("9.0", f"{unit} is not activated", unit=unit)
    if position.mark(unit, MOVED) is not None:
        raise Illegal("9.1.1", f"{unit} has moved in this segment already", unit=unit)
    full = crowded(table, side)
    if full and place(table, unit) not in full:
        spot = number(table, full[0])
        raise Illegal("3.1(3)", f"too many units stand in {spot}: one of them must move on first", at=spot)


def check_move(table: Table, side: str, order: Move | Strat) -> None:
    """9.1, 3.1(3): each unit's way, and that the hex can be emptied again if it grows too full. Raises Illegal."""
    to = table.grid.hex(order.to)
    via = [table.grid.hex(h) for h in order.via]
    for unit in order.units:
        check_may_move(table, side, unit)
        plan(table, unit, to, via, _how(order))
    _check_room(table, side, order.units, to)


def _check_room(table: Table, side: str, coming: Sequence[str], to: Hex) -> None:
    there = [u for u in units_at(table, to, side) if u not in coming]
    over = excess(table, [*there, *coming])
    if not over:
        return
    spot = number(table, to)
    still = crowded(table, side)
    if over == 1 and len(coming) == 1 and all(h == place(table, coming[0]) for h in still):
        others = [u for u in there if excess(table, [*(t for t in there if t != u), *coming]) == 0]
        if any(_can_move_on(table, side, u, coming[0]) for u in others):
            return
    raise Illegal("3.1(1)", f"too many units would stand in {spot}: {', '.join([*there, *coming])}", at=spot,
                  instead="Move somebody out of it first")  # fmt: skip


def _can_move_on(table: Table, side: str, unit: str, coming: str) -> bool:
    """3.1(3): whether a unit in a hex that grows too full can still leave it for one with room."""
    mark = table.position.mark
    if mark(unit, "activated") is None or mark(unit, MOVED) is not None:
        return False
    full, left = full_hexes(table, side, unit), place(table, coming)
    if full >> left & 1 and has_room(table, side, left, [unit], leaving=(coming,)):
        full &= ~(1 << left)
    return any(reachable(table, unit, how) & ~full for how in (NORMAL, STRATEGIC))


def full_hexes(table: Table, side: str, unit: str) -> HexSet:
    """The hexes in which there is no room for one more unit of that kind."""
    limits = table.data.tables["stacking"]

    def work_out() -> HexSet:
        found = 0
        for h in hexset.members(held(table, side)):
            stack = table.position.at(h)
            hqs = sum(1 for other in stack if is_hq(table, other))
            if hqs >= limits["headquarters"] if is_hq(table, unit) else len(stack) - hqs >= limits["units"]:
                found |= 1 << h
        return found

    return table.keep(("full", side, is_hq(table, unit)), work_out)


def check_end(table: Table, side: str) -> None:
    """3.1(3): nobody stands too crowded when the segment ends. Raises Illegal."""
    full = crowded(table, side)
    if full:
        spot = number(table, full[0])
        raise Illegal("3.1(3)", f"too many units stand in {spot}: {', '.join(units_at(table, full[0], side))}", at=spot)


# The ask


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)

    def check(order: Order) -> None:
        if isinstance(order, Move | Strat):
            check_move(seen, side, order)
        elif isinstance(order, Relocate):
            check_may_move(seen, side, order.hq)
            if not is_hq(seen, order.hq):
                raise Illegal("14.1(4)", f"{order.hq} is no HQ", unit=order.hq)
            check_relocation(seen, order.hq, order)
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
    full = crowded(table, side)
    if not full:
        return End()
    for unit in units_at(table, full[0], side):
        for how, verb in ((NORMAL, Move), (STRATEGIC, Strat)):
            hexes = _destinations(table, side, unit, how, strict=True) if unit in movable(table, side) else 0
            for h in hexset.members(hexes):
                return verb(units=(unit,), to=number(table, h))
    raise AssertionError(f"nobody can leave {number(table, full[0])}")


def movable(table: Table, side: str) -> list[str]:
    """The activated units that may still move."""
    full = crowded(table, side)
    mark = table.position.mark
    return [
        unit
        for unit in activated(table, side)
        if mark(unit, MOVED) is None and (not full or place(table, unit) in full)
    ]


def _destinations(table: Table, side: str, unit: str, how: str, *, strict: bool = False) -> HexSet:
    """Where a unit may end its move; hexes that are full only if somebody there can still move on."""
    crowd = crowded(table, side)
    if crowd and (place(table, unit) not in crowd or excess(table, _staying(table, side, unit)) > 0):
        return 0
    found = reachable(table, unit, how)
    full = found & full_hexes(table, side, unit)
    found &= ~full
    if not strict:
        found |= hexset.of(h for h in hexset.members(full) if _has_turnover(table, side, unit, h))
    return found


def _has_turnover(table: Table, side: str, unit: str, h: Hex) -> bool:
    try:
        _check_room(table, side, (unit,), h)
    except Illegal:
        return False
    return True


def _staying(table: Table, side: str, unit: str) -> list[str]:
    return [u for u in units_at(table, place(table, unit), side) if u != unit]


def _options(table: Table, side: str, so_far: str) -> list[Option]:
    if not so_far:
        return _first_steps(table, side)
    verb, _, rest = so_far.partition(" ")
    unit = rest.removesuffix(" to").strip()
    if verb == "relocate":
        return [Option(f"relocate {unit} to {spot}") for spot in numbers(table.data, refuges(table, unit))]
    how = STRATEGIC if verb == "strat" else NORMAL
    hexes = hexset.members(_destinations(table, side, unit, how))
    return [Option(f"{verb} {unit} to {number(table, h)}") for h in hexes]


def _first_steps(table: Table, side: str) -> list[Option]:
    found: list[Option] = []
    for unit in movable(table, side):
        normal = _destinations(table, side, unit, NORMAL)
        if normal:
            found.append(Option(f"move {unit} to", complete=False, more=True))
        if _destinations(table, side, unit, STRATEGIC) & ~normal:
            found.append(Option(f"strat {unit} to", complete=False, more=True))
        if is_hq(table, unit) and refuges(table, unit):
            found.append(Option(f"relocate {unit} to", complete=False, more=True))
    if not crowded(table, side):
        found.append(Option("end"))
    return found
