"""The two movement phases: what may be ordered in them, and when they may end (4.2-a, 4.2-c)."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

from engine import hexset
from engine.asks import Ask, Option, Step
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import number, place, units_at
from engine.table import Table
from games.korsun_spi.orders import (
    Delay,
    Discard,
    Disengage,
    End,
    Enter,
    Move,
    Overrun,
    Rail,
)
from games.korsun_spi.rules.allowance import check_may_move
from games.korsun_spi.rules.ground import GERMAN, crowded, enemy_zoc, excess, gait, room_taken
from games.korsun_spi.rules.leaving import (
    check_delay,
    check_disengage,
    delay,
    delay_rule,
    disengage,
    disengage_rule,
    onward,
)
from games.korsun_spi.rules.limits import allowed_area, check_limit
from games.korsun_spi.rules.losses import eliminate, worth
from games.korsun_spi.rules.movement import go
from games.korsun_spi.rules.overrun import check_overrun, overrun, overrun_options
from games.korsun_spi.rules.rail import check_rail, rail, rail_reach
from games.korsun_spi.rules.reach import can_leave, reachable
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
    via = [table.grid.hex(h) for h in order.via]
    way = plan(table, side, order.units, table.grid.hex(order.to), via, onward(table, order.units))
    check_limit(table, order.units, way.path[-1])
    return way


def _check(table: Table, side: str, order: Order) -> None:
    match order:
        case Move():
            check_move(table, side, order)
        case Overrun():
            check_overrun(table, side, order)
        case Delay():
            check_limit(table, order.units, check_delay(table, side, order)[0].path[-1])
        case Disengage():
            check_limit(table, order.units, check_disengage(table, side, order).path[-1])
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
        options=lambda so_far: _options(seen, side, so_far),
        default=lambda: _default(seen, side),
        case="4.2-a" if initial else "4.2-c",
        top=True,
    )


def _options(table: Table, side: str, so_far: str) -> list[Option]:
    """Whole orders where they are few; a unit first and its hexes next where they are many."""
    verb = so_far.split(" ", 1)[0]
    if not verb:
        return _first_steps(table, side)
    units = so_far.split(" ", 1)[1].removesuffix(" to").removesuffix(" at").split(", ")
    hexes = 0
    if verb == "move":
        hexes = _destinations(table, side, units)
    elif verb == "delay":
        hexes = reachable(table, side, units, delay_rule(table)) & _allowed(table, units)
    elif verb == "disengage":
        hexes = reachable(table, side, units, disengage_rule(table, side)) & _allowed(table, units)
    elif verb == "rail":
        hexes = rail_reach(table, side, place(table, units[0]))
    elif verb == "enter":
        hexes = can_enter(table, side)[units[0]]
    return [Option(f"{so_far} {number(table, h)}") for h in hexset.members(hexes)]


def _allowed(table: Table, units: Sequence[str]) -> HexSet:
    """21.15: where all these units may end a move."""
    common = -1
    for unit in units:
        area = allowed_area(table, unit)
        common &= -1 if area is None else area
    return common


def _destinations(table: Table, side: str, units: Sequence[str]) -> HexSet:
    if not passes(check_may_move, table, side, units):
        return 0
    return reachable(table, side, units, onward(table, units)) & _allowed(table, units)


def _can_move(table: Table, side: str, unit: str) -> bool:
    """Whether there is a hex to move to; mostly one step tells."""
    near, area = can_leave(table, side, unit), allowed_area(table, unit)
    if onward(table, [unit]) is None and (area is None or not near or near & area):
        return bool(near) and passes(check_may_move, table, side, [unit])
    return bool(_destinations(table, side, [unit]))


def _first_steps(table: Table, side: str) -> list[Option]:
    found: list[Option] = []
    full = crowded(table, side)
    initial = table.position.stage.endswith("initial")
    for h in full:
        found += [Option(f"discard {unit}") for unit in too_much(table, side, h)]
    waiting = can_enter(table, side) if initial else {}
    found += [Option(f"enter {unit} at", complete=False, more=True) for unit in waiting]
    zones = enemy_zoc(table, side)
    for unit in table.position.on_map(side):
        if zones >> place(table, unit) & 1:
            found += _ways_out(table, side, unit)
        elif _can_move(table, side, unit):
            found.append(Option(f"move {unit} to", complete=False, more=True))
        if initial and side in table.data.switch["rail"] and _railable(table, side, unit):
            found.append(Option(f"rail {unit} to", complete=False, more=True))
    found += _divisions(table, side)
    found += overrun_options(table, side)
    if not full and not waiting:
        found.append(Option("end"))
    return found


def _divisions(table: Table, side: str) -> list[Option]:
    """Regiments of a division that stand together may go together."""
    together: dict[tuple[str, Hex], list[str]] = {}
    for unit in table.position.on_map(side):
        if table.unit(unit).formation:
            together.setdefault((table.unit(unit).formation, place(table, unit)), []).append(unit)
    found = []
    for (_, h), units in together.items():
        named = ", ".join(units)
        if len(units) < 2 or len({gait(table, unit) for unit in units}) > 1:
            continue
        if not enemy_zoc(table, side) >> h & 1:
            if _destinations(table, side, units):
                found.append(Option(f"move {named} to", complete=False, more=True))
        elif _may_disengage(table, side, units):
            found.append(Option(f"disengage {named} to", complete=False, more=True))
    return found


def _may_disengage(table: Table, side: str, units: Sequence[str]) -> bool:
    try:
        hexes = reachable(table, side, units, disengage_rule(table, side)) & _allowed(table, units)
    except Illegal:
        return False
    first = next(hexset.members(hexes), None)
    if first is None:
        return False
    return passes(check_disengage, table, side, Disengage(units=tuple(units), to=number(table, first)))


def _railable(table: Table, side: str, unit: str) -> bool:
    reach = rail_reach(table, side, place(table, unit))
    return any(
        passes(check_rail, table, side, Rail(units=(unit,), to=number(table, h))) for h in [*hexset.members(reach)][:1]
    )


def _ways_out(table: Table, side: str, unit: str) -> list[Option]:
    """Delay and disengagement, where some hex can be reached by them."""
    found = []
    for verb, order, check in (("delay", Delay, check_delay), ("disengage", Disengage, check_disengage)):
        if verb == "delay" and (side != GERMAN or len(table.position.at(place(table, unit))) < 2):
            continue  # 22.1: nobody would stay behind
        try:
            rule = delay_rule(table) if verb == "delay" else disengage_rule(table, side)
            check_may_move(table, side, [unit])
        except Illegal:
            continue
        hexes = reachable(table, side, [unit], rule) & _allowed(table, [unit])
        first = next(hexset.members(hexes), None)
        if first is not None and passes(check, table, side, order(units=(unit,), to=number(table, first))):
            found.append(Option(f"{verb} {unit} to", complete=False, more=True))
    return found
