"""The Movement Segment (5.5(1), 9.0): activated units move one after another; HQs may relocate instead."""

from collections.abc import Iterator
from functools import partial

from engine.asks import Ask, Procedure
from engine.facts import Fact, Moved, Noted
from engine.hexset import HexSet
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, numbers, path_numbers
from games.manstein.data import Table
from games.manstein.orders import End, Move, Relocate, Strat
from games.manstein.rules.crossings import entered
from games.manstein.rules.ground import LED, NOBODY, absent, crowded, is_hq
from games.manstein.rules.headquarters import check_relocation, refuges, relocate
from games.manstein.rules.reach import reaches
from games.manstein.rules.stacking import MOVED, any_open, check_end, check_relief, movable, open_to, relief, stacks
from games.manstein.rules.walking import plan


def movement_segment(table: Table, side: str) -> Procedure:
    while True:
        order = yield _ask(table, side)
        if isinstance(order, End):
            return
        if isinstance(order, Relocate):
            scores = table.data.switch["voluntary_relocation"] == "scores"
            yield Noted(subject=order.hq, mark=MOVED, because="14.1(4)")
            yield from relocate(table, order.hq, order.to, "14.1(4)", scores=scores)
        else:
            yield from _go(table, side, order)


def _go(table: Table, side: str, order: Move | Strat) -> Iterator[Fact]:
    to, via = table.grid.hex(order.to), tuple(table.grid.hex(h) for h in order.via)
    seen = table.seen_by(side)  # where the check has found the ways
    walks = [plan(seen, unit, to, via, order.verb) for unit in order.units]
    for unit, walk in zip(order.units, walks, strict=True):
        case = "9.3.1-a" if isinstance(order, Strat) else "9.2-a"
        yield Noted(subject=unit, mark=MOVED, because="9.1.1")
        yield Moved(unit=unit, path=path_numbers(table, walk.path), how=order.verb, spent=walk.spent, because=case)
        yield from entered(table, unit, walk.path[1:])


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
    to, via = table.grid.hex(order.to), tuple(table.grid.hex(h) for h in order.via)
    for unit in order.units:
        check_may_move(table, side, unit)
        plan(table, unit, to, via, order.verb)
    check_relief(table, side, dict.fromkeys(order.units, to))


def check_relocate(table: Table, side: str, order: Relocate) -> None:
    """14.1(4): an HQ that goes by its own choice. Raises Illegal."""
    check_may_move(table, side, order.hq)
    if not is_hq(table, order.hq):
        able = [unit for unit in movable(table, side) if is_hq(table, unit)] or [NOBODY]
        raise Illegal("14.1(4)", f"{order.hq} is no HQ", unit=order.hq, instead="Activated HQs", alternatives=able)
    if table.position.mark(order.hq, "activated") == LED:
        said = f"{order.hq} was activated by another HQ, and only moves and fights"
        raise Illegal("8.1.3-b", said, unit=order.hq, instead="Write `move`")
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
        offers=partial(_choices, seen, side),
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
    verb = Move if reaches(table, unit)[0] >> to & 1 else Strat
    return verb(units=(unit,), to=number(table, to))


def _choices(table: Table, side: str) -> list[Choice]:
    """Every unit by each kind of movement, whole stacks by the usual one; where to is worked out for who looks."""
    found: list[Choice] = []
    for unit in movable(table, side):
        walked, marched = reaches(table, unit)
        for verb, hexes in ((Move, walked), (Strat, marched & ~walked)):  # on the road where it could not walk
            if any_open(table, side, unit, hexes):
                found.append(pick(verb, "to", partial(_open, table, side, unit, hexes), units=(unit,)))
        leads = is_hq(table, unit) and table.position.mark(unit, "activated") != LED
        if leads and any_open(table, side, unit, refuges(table, unit)):
            found.append(pick(Relocate, "to", partial(_open, table, side, unit, refuges(table, unit)), hq=unit))
    found += [
        pick(Move, "to", partial(numbers, table, hexes), units=stack) for stack, hexes in stacks(table, side).items()
    ]
    return [*found, Choice(End)] if isinstance(_default(table, side), End) else found


def _open(table: Table, side: str, unit: str, hexes: HexSet) -> list[str]:
    return numbers(table, open_to(table, side, unit, hexes))
