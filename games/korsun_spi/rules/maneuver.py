"""The two movement phases: what may be ordered in them, and when they may end (4.2-a, 4.2-c)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Step
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import held, number, path_numbers, units_at
from games.korsun_spi.data import Table
from games.korsun_spi.orders import Delay, Discard, Disengage, End, Enter, Move, Overrun, Rail
from games.korsun_spi.rules.allowance import check_may_move
from games.korsun_spi.rules.ground import crowded, enemy_zoc, excess, gait, room_taken
from games.korsun_spi.rules.leaving import (
    check_delay,
    check_disengage,
    delay,
    delay_rule,
    disengage,
    may_delay,
    may_disengage,
    onward,
)
from games.korsun_spi.rules.limits import allowed_area, limit_row
from games.korsun_spi.rules.losses import eliminate, worth
from games.korsun_spi.rules.movement import go
from games.korsun_spi.rules.overrun import check_overrun, overrun, overrun_choices
from games.korsun_spi.rules.rail import check_rail, may_rail, rail, rail_reach
from games.korsun_spi.rules.reach import Leaving, can_leave, next_steps, reachable
from games.korsun_spi.rules.reinforcements import can_enter, check_enter, enter
from games.korsun_spi.rules.walking import Walk, plan

INITIAL = (Move, Overrun, Delay, Disengage, Enter, Rail, Discard, End)
MECHANISED = (Move, Overrun, Delay, Disengage, Discard, End)


def maneuver(table: Table, side: str) -> Generator[Step, Any, None]:
    """One order at a time until the player says `end`."""
    while True:
        order = yield _ask(table, side)
        if isinstance(order, End):
            return
        yield from _carry_out(table, side, order)


def _carry_out(table: Table, side: str, order: Order) -> Generator[Step, Any, None]:
    match order:
        case Move():
            yield from go(table, side, order.units, check_move(table, side, order), "move", "5.0")
        case Overrun():
            yield from overrun(table, side, order)
        case Delay():
            yield from delay(table, side, order)
        case Disengage():
            yield from disengage(table, side, order)
        case Enter():
            yield from enter(table, side, order)
        case Rail():
            yield from rail(table, side, order)
        case Discard():
            for unit in order.units:
                yield from eliminate(table, unit, case="7.0-b")


def check_move(table: Table, side: str, order: Move) -> Walk:
    return plan(table, side, order.units, order.to, order.via, onward(table, order.units))


def _check(table: Table, side: str, order: Order) -> None:
    match order:
        case Move():
            check_move(table, side, order)
        case Overrun():
            check_overrun(table, side, order)
        case Delay():
            check_delay(table, side, order)
        case Disengage():
            check_disengage(table, side, order)
        case Enter():
            check_enter(table, side, order)
        case Rail():
            check_rail(table, side, order)
        case Discard():
            check_discard(table, side, order)
        case End():
            check_end(table, side)


def check_discard(table: Table, side: str, order: Discard) -> None:
    """7.0-b: only where the limit is broken, and only what is too much."""
    gone: list[str] = []
    for unit in order.units:
        h = table.position.hex_of(unit)
        mine = h is not None and table.unit(unit).side == side and unit not in gone
        left = [u for u in units_at(table, h, side) if u not in gone] if h is not None and mine else []
        if excess(table, [u for u in left if u != unit]) >= excess(table, left):
            full = [number(table, spot) for spot in crowded(table, side)]
            raise Illegal("7.0-b", f"{unit} is not above the stacking limit", unit=unit,
                          instead="Hexes too full" if full else "No hex is too full", alternatives=full)  # fmt: skip
        gone.append(unit)


def too_much(table: Table, side: str, h: Hex) -> list[str]:
    """Who may be discarded from a hex that is too full."""
    stack = units_at(table, h, side)
    return [unit for unit in stack if excess(table, [u for u in stack if u != unit]) < excess(table, stack)]


def check_end(table: Table, side: str) -> None:
    """7.0: no hex is too full; 26.0: reinforcements that are due have entered, if they can."""
    full = crowded(table, side)
    if full:
        spot = number(table, full[0])
        raise Illegal("7.0-b", f"too many units stand in {spot}: {', '.join(units_at(table, full[0], side))}", at=spot,
                      instead="Move on, or discard some")  # fmt: skip
    if table.position.stage.endswith("initial"):
        waiting = can_enter(table, side)
        if waiting:
            raise Illegal("26.0", f"reinforcements must enter: {', '.join(waiting)}", instead="Use `enter UNIT at HEX`")


def _default(table: Table, side: str) -> Order:
    """`end`, or first what must be done before it."""
    full = crowded(table, side)
    if full:
        spare = too_much(table, side, full[0])
        return Discard(units=(min(spare, key=lambda u: (-room_taken(table, u), worth(table, u, isolated=False)[1])),))
    waiting = can_enter(table, side) if table.position.stage.endswith("initial") else {}
    for unit, hexes in waiting.items():
        spots = sorted(hexset.members(hexes), key=lambda h: (len(table.position.at(h)), h))
        return Enter(units=(unit,), at=number(table, spots[0]))
    return End()


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    initial = table.position.stage.endswith("initial")
    name = "initial movement" if initial else "mechanised movement"
    return Ask(
        side=side,
        name=name,
        subject=side,
        prompt=f"orders for the {name} of turn {table.position.turn}; `end` closes the phase",
        verbs=INITIAL if initial else MECHANISED,
        check=lambda order: _check(seen, side, order),
        offers=lambda: _choices(seen, side),
        default=lambda: _default(seen, side),
        case="4.2-a" if initial else "4.2-c",
        top=True,
    )


def _choices(table: Table, side: str) -> list[Choice]:
    """Whole orders where they are few; units first and their hexes next where they are many."""
    full, initial = crowded(table, side), table.position.stage.endswith("initial")
    waiting = can_enter(table, side) if initial else {}
    found = [pick(Discard, "units", lambda: [u for h in full for u in too_much(table, side, h)])] if full else []
    found += [pick(Enter, "at", partial(_hexes, table, hexes), units=(unit,)) for unit, hexes in waiting.items()]
    zones, rails = enemy_zoc(table, side), initial and side in table.data.switch["rail"]
    for h in hexset.members(held(table, side)):
        stack = units_at(table, h, side)
        found += (_ways_out if zones >> h & 1 else _moves)(table, side, stack)
        found += _rides(table, side, h, stack) if rails else []
    found += overrun_choices(table, side)
    return found if full or waiting else [*found, Choice(End)]


def _hexes(table: Table, hexes: HexSet) -> tuple[str, ...]:
    return path_numbers(table, hexset.members(hexes))


def _parties(table: Table, units: Sequence[str]) -> list[tuple[str, ...]]:
    """Who of a stack may go: each by himself, the units of a division, and all that march alike."""
    if len(units) == 1:
        return [(units[0],)]
    together: dict[tuple[str, ...], list[str]] = {(unit,): [unit] for unit in units}
    for unit in units:
        kind = gait(table, unit)
        for likeness in (("all", kind), (table.unit(unit).formation or unit, kind)):
            together.setdefault(likeness, []).append(unit)
    return list(dict.fromkeys(map(tuple, together.values())))


def _moves(table: Table, side: str, stack: Sequence[str]) -> list[Choice]:
    return [
        _bound(Move, table, side, party, rule)
        for party in _parties(table, stack)
        if _can_go(table, side, party, rule := onward(table, party)) and passes(check_may_move, table, side, party)
    ]


def _ways_out(table: Table, side: str, stack: Sequence[str]) -> list[Choice]:
    """Delay and disengagement, where some hex can be reached by them."""
    found = []
    for unit in stack:
        if passes(may_delay, table, side, (unit,)) and _can_go(table, side, (unit,), delay_rule(table)):
            found.append(_bound(Delay, table, side, (unit,), delay_rule(table)))
    able = [unit for unit in stack if passes(may_disengage, table, side, (unit,))]
    for party in _parties(table, able):
        rule = may_disengage(table, side, party)
        if _can_go(table, side, party, rule):
            found.append(_bound(Disengage, table, side, party, rule))
    return found


def _rides(table: Table, side: str, h: Hex, stack: Sequence[str]) -> list[Choice]:
    able = [unit for unit in stack if passes(may_rail, table, side, (unit,))]
    hexes = rail_reach(table, side, h) if able else 0
    return [pick(Rail, "to", partial(_hexes, table, hexes), units=(unit,)) for unit in able if hexes]


def _bound(kind: type[Order], table: Table, side: str, units: tuple[str, ...], leaving: Leaving | None) -> Choice:
    """Units that may go somewhere: where is worked out only if somebody asks."""
    return pick(kind, "to", lambda: _hexes(table, _destinations(table, side, units, leaving)), units=units)


def _destinations(table: Table, side: str, units: Sequence[str], leaving: Leaving | None) -> HexSet:
    return reachable(table, side, units, leaving) & _allowed(table, units)


def _can_go(table: Table, side: str, units: Sequence[str], leaving: Leaving | None) -> bool:
    """Whether there is a hex to go to; mostly one step tells."""
    if leaving is None and all(limit_row(table, unit) is None for unit in units):
        return can_leave(table, side, units)
    near = next_steps(table, side, units, leaving)
    return bool(near) and bool(near & _allowed(table, units) or _destinations(table, side, units, leaving))


def _allowed(table: Table, units: Sequence[str]) -> HexSet:
    """21.15: where all these units may end a move."""
    common = -1
    for unit in units:
        area = allowed_area(table, unit)
        common &= -1 if area is None else area
    return common
