"""The two movement phases: what may be ordered in them, and when they may end (4.2-a, 4.2-c)."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations

from engine import hexset
from engine.asks import Ask, Procedure, Step
from engine.facts import Fact, Moved
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import held, number, path_numbers, place, units_at
from games.korsun_spi.data import Table
from games.korsun_spi.orders import Delay, Discard, Disengage, End, Enter, Move, Overrun, Rail
from games.korsun_spi.rules import leaving
from games.korsun_spi.rules.allowance import check_may_move, left_behind, moving
from games.korsun_spi.rules.ground import crowd, crowded, enemy_zoc, excess, gait, overstacked
from games.korsun_spi.rules.leaving import onward
from games.korsun_spi.rules.limits import allowed_area
from games.korsun_spi.rules.losses import eliminate, worth
from games.korsun_spi.rules.movement import go
from games.korsun_spi.rules.overrun import check_overrun, overrun, overrun_choices
from games.korsun_spi.rules.rail import check_rail, may_rail, rail, rail_reach
from games.korsun_spi.rules.reach import Leaving, next_steps, reachable
from games.korsun_spi.rules.reinforcements import can_enter, check_enter, enter
from games.korsun_spi.rules.walking import Walk, plan


def maneuver(table: Table, side: str) -> Procedure:
    """One order at a time until the player says `end`."""
    while True:
        order = yield _ask(table, side)
        if isinstance(order, End):
            return
        yield from ORDERS[type(order)][1](table, side, order)


def check_move(table: Table, side: str, order: Move) -> Walk:
    return plan(table, side, order.units, order.to, order.via, onward(table, order.units))


def move(table: Table, side: str, order: Move) -> Iterator[Fact]:
    return go(table, side, order.units, check_move(table, side, order), "move", "5.0")


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


def discard(table: Table, side: str, order: Discard) -> Iterator[Fact]:
    for unit in order.units:
        yield from eliminate(table, unit, case="7.0-b")


def too_much(table: Table, side: str, h: Hex) -> list[str]:
    """Who may be discarded from a hex that is too full."""
    stack = units_at(table, h, side)
    return [unit for unit in stack if excess(table, [u for u in stack if u != unit]) < excess(table, stack)]


def check_end(table: Table, side: str, order: Order) -> None:
    """7.0: no hex is too full; 26.0: reinforcements that are due have entered, if they can."""
    full = crowded(table, side)
    if full:
        spot = number(table, full[0])
        problem = crowd(table, full[0], units_at(table, full[0], side))
        raise Illegal("7.0-b", problem, at=spot, instead="Move on, or discard some")
    if table.position.stage.endswith("initial"):
        waiting = can_enter(table, side)
        if waiting:
            raise Illegal("26.0", f"reinforcements must enter: {', '.join(waiting)}", instead="Use `enter UNIT at HEX`")


def check_room(table: Table, side: str, order: Order) -> None:
    """7.0-b: no order leaves too many units in a hex which they cannot leave any more. Raises Illegal."""
    end = table.grid.find(getattr(order, "to", getattr(order, "at", "")))
    joined = units_at(table, end, side) if end is not None else []
    if not crowded(table, side) and not overstacked(table, [*joined, *getattr(order, "units", ())]):
        return
    before, after = _stuck(table, side), table.suppose(list(_foreseen(table, side, order)))
    for h, over in _stuck(after, side).items():
        if over > before.get(h, 0):
            problem = f"{crowd(after, h, units_at(after, h, side))}, and they could not leave it any more"
            raise Illegal("7.0-b", problem, at=number(table, h), instead="Move on first, or go elsewhere")


def _foreseen(table: Table, side: str, order: Order) -> Iterator[Fact]:
    """What an order leads to up to its first die."""
    if isinstance(order, Enter):  # its procedure looks at units where they have come to stand
        yield from (Moved(unit=unit, path=(order.at,)) for unit in order.units)
        return
    for step in ORDERS[type(order)][1](table, side, order):
        if not isinstance(step, Fact):
            return
        yield step


def _stuck(table: Table, side: str) -> dict[Hex, int]:
    """By hex that is too full, how much of it cannot go away."""
    stacks = {h: units_at(table, h, side) for h in crowded(table, side)}
    return {h: excess(table, [u for u in stack if not _leave(table, side, h, (u,))]) for h, stack in stacks.items()}


def strays(table: Table, side: str) -> list[str]:
    """21.15: who overran beyond his area, has his move open still, and can go back."""
    open_ = (*moving(table), *left_behind(table))
    areas = ((unit, allowed_area(table, unit)) for unit in open_ if table.position.hex_of(unit) is not None)
    outside = [unit for unit, area in areas if area is not None and not area >> place(table, unit) & 1]
    return [unit for unit in outside if _leave(table, side, place(table, unit), (unit,))]


def check_strays(table: Table, side: str, order: Order) -> None:
    """21.15: nothing else happens until they are back. Raises Illegal."""
    out = strays(table, side)
    if out and not set(getattr(order, "units", ("",))) <= set(out):
        hexes = _hexes(table, _destinations(table, side, out[:1], None))
        raise Illegal("21.15", f"{out[0]} must first go back into its area", unit=out[0], instead="In reach",
                      alternatives=hexes)  # fmt: skip


def _default(table: Table, side: str) -> Order:
    """`end`, or first what must be done before it."""
    for unit in strays(table, side):
        return Move(units=(unit,), to=_hexes(table, _destinations(table, side, (unit,), None))[0])
    full = crowded(table, side)
    if full:
        return Discard(units=_cheapest(table, units_at(table, full[0], side)))
    waiting = can_enter(table, side) if table.position.stage.endswith("initial") else {}
    for unit, hexes in waiting.items():
        spots = hexset.members(hexes)
        return Enter(units=(unit,), at=number(table, min(spots, key=lambda h: (len(table.position.at(h)), h))))
    return End()


def _cheapest(table: Table, stack: Sequence[str]) -> tuple[str, ...]:
    """7.0-b: whom to discard so that the rest fits: who gives the fewest points, then who has the fewest steps."""
    groups = [group for size in range(1, len(stack)) for group in combinations(stack, size)]
    enough = [group for group in groups if not overstacked(table, [unit for unit in stack if unit not in group])]

    def price(group: Sequence[str]) -> tuple[int, int]:
        points = sum(worth(table, unit, isolated=False)[1] for unit in group)
        return points, sum(table.position.steps_left(unit) for unit in group)

    return min(enough, key=price)


# What may be ordered in both phases and in the first alone: how each is checked, and carried out.
Rule = tuple[Callable[..., object], Callable[..., Iterator[Step]]]
BOTH: dict[type[Order], Rule] = {
    Move: (check_move, move),
    Overrun: (check_overrun, overrun),
    Delay: (leaving.check_delay, leaving.delay),
    Disengage: (leaving.check_disengage, leaving.disengage),
    Discard: (check_discard, discard),
}
ORDERS: dict[type[Order], Rule] = {**BOTH, Enter: (check_enter, enter), Rail: (check_rail, rail)}


def _barred(table: Table, side: str) -> tuple[type[Order], ...]:
    """What a side never has in this scenario."""
    switch, rows = table.data.switch, table.data.tables["disengagement"]
    leaves = switch["disengage"] != "none" and side in rows[switch["disengage"]]["sides"]
    has: dict[type[Order], bool] = {Rail: side in switch["rail"], Delay: switch["delay"], Disengage: leaves}
    return tuple(verb for verb, may in has.items() if not may)


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    initial = table.position.stage.endswith("initial")

    def check(order: Order) -> None:
        check_strays(seen, side, order)
        if isinstance(order, End):
            check_end(seen, side, order)
            return
        ORDERS[type(order)][0](seen, side, order)
        if not isinstance(order, Discard):
            check_room(seen, side, order)

    name = "initial movement" if initial else "mechanised movement"
    return Ask(
        side=side,
        name=name,
        subject=side,
        prompt=f"orders for the {name} of turn {table.position.turn}; `end` closes the phase",
        verbs=(*(ORDERS if initial else BOTH), End),
        barred=_barred(table, side),
        check=check,
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
    rails = initial and side in table.data.switch["rail"]
    for h in hexset.members(held(table, side)):
        stack = units_at(table, h, side)
        found += _leave(table, side, h, stack)
        found += _rides(table, side, h, stack) if rails else []
    found += overrun_choices(table, side)
    out = set(strays(table, side))
    if out:
        return [choice for choice in found if set(choice.given.get("units", ("",))) <= out]
    return found if full or waiting else [*found, Choice(End)]


def _hexes(table: Table, hexes: HexSet) -> tuple[str, ...]:
    return path_numbers(table, hexset.members(hexes))


def _parties(table: Table, units: Sequence[str]) -> list[tuple[str, ...]]:
    """Who of a stack may go: each by himself, the units of a division, all that march alike, as a hex holds them."""
    if len(units) == 1:
        return [(units[0],)]
    together: dict[tuple[str, ...], list[str]] = {(unit,): [unit] for unit in units}
    for unit in units:
        kind = gait(table, unit)
        for likeness in (("all", kind), (table.unit(unit).formation or unit, kind)):
            together.setdefault(likeness, []).append(unit)
    return [party for party in dict.fromkeys(map(tuple, together.values())) if not overstacked(table, party)]


def _leave(table: Table, side: str, h: Hex, stack: Sequence[str]) -> list[Choice]:
    return (_ways_out if enemy_zoc(table, side) >> h & 1 else _moves)(table, side, stack)


def _moves(table: Table, side: str, stack: Sequence[str]) -> list[Choice]:
    return [
        _bound(Move, table, side, party, rule)
        for party in _parties(table, stack)
        if passes(check_may_move, table, side, party) and _can_go(table, side, party, rule := onward(table, party))
    ]


def _ways_out(table: Table, side: str, stack: Sequence[str]) -> list[Choice]:
    """Delay and disengagement, where some hex can be reached by them."""
    found = []
    for unit in stack:
        if passes(leaving.may_delay, table, side, (unit,)) and _can_go(table, side, (unit,), leaving.delay_rule(table)):
            found.append(_bound(Delay, table, side, (unit,), leaving.delay_rule(table)))
    able = [unit for unit in stack if passes(leaving.may_disengage, table, side, (unit,))]
    for party in _parties(table, able):
        rule = leaving.may_disengage(table, side, party)
        if _can_go(table, side, party, rule):
            found.append(_bound(Disengage, table, side, party, rule))
    return found


def _rides(table: Table, side: str, h: Hex, stack: Sequence[str]) -> list[Choice]:
    able = [unit for unit in stack if passes(may_rail, table, side, (unit,))]
    reach = rail_reach(table, side, h) if able else 0
    ends = [(unit, _ends(table, side, (unit,), reach)) for unit in able]
    return [pick(Rail, "to", partial(_hexes, table, hexes), units=(unit,)) for unit, hexes in ends if hexes]


def _bound(kind: type[Order], table: Table, side: str, units: tuple[str, ...], rule: Leaving | None) -> Choice:
    """Units that may go somewhere: where is worked out only if somebody asks."""
    return pick(kind, "to", lambda: _hexes(table, _destinations(table, side, units, rule)), units=units)


def _destinations(table: Table, side: str, units: Sequence[str], rule: Leaving | None) -> HexSet:
    return _ends(table, side, units, reachable(table, side, units, rule))


def _can_go(table: Table, side: str, units: Sequence[str], rule: Leaving | None) -> bool:
    """Whether there is a hex to go to; mostly an empty one beside them tells."""
    near = next_steps(table, side, units, rule)
    empty = near & ~held(table, side)
    return bool(near) and bool(_ends(table, side, units, empty) or _destinations(table, side, units, rule))


def _ends(table: Table, side: str, units: Sequence[str], hexes: HexSet) -> HexSet:
    """Of these hexes, where all the units may end a move (21.15) and there is room for them (7.0)."""
    for unit in units:
        area = allowed_area(table, unit)
        hexes &= -1 if area is None else area
    stacks = ((h, units_at(table, h, side)) for h in hexset.members(hexes & held(table, side)))
    return hexes & ~hexset.of(h for h, stack in stacks if overstacked(table, [*stack, *units]))
