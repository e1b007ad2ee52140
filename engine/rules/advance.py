"""Advance after combat: who goes how far, offered one unit after another."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from engine.asks import Ask
from engine.hexes import Hex
from engine.orders.choice import Choice, Given
from engine.orders.usual import Advance, NoAdvance
from engine.refusals import Illegal, passes
from engine.rules.ground import path_numbers
from engine.rules.retreat import Way
from engine.table import Table


def advance_ask(
    seen: Table,
    side: str,
    units: tuple[str, ...],
    spots: str,
    orders: tuple[type[Advance], type[NoAdvance]],
    ways: Callable[[str], Iterable[Way]],
    check: Callable[[Any], None],
    *,
    case: str,
    far: str = ", and how far",
    must: Advance | None = None,  # what is done for one who may not leave it
) -> Ask:
    """Who of these units goes in."""
    offers = partial(advance_choices, seen, units, ways, *orders, check)
    return Ask(
        side=side,
        name="advance",
        subject=spots,
        prompt=f"who of {', '.join(units)} advances into {spots}{far}",
        verbs=orders,
        check=check,
        offers=lambda: offers()[must is not None :],
        default=lambda: must or orders[1](),
        case=case,
        passable=True,
        units=units,
    )


def wrong_way(table: Table, unit: str, way: Way, ways: Iterable[Way], case: str, why: str = "") -> Illegal:
    """A way that a unit may not go, and those that it may."""
    said, *legal = [" ".join(path_numbers(table, each)) for each in (way, *ways)]
    return Illegal(case, f"{unit} may not advance by {said}{why}", unit=unit, at=said.split()[-1] if said else "",
                   instead="It may go", alternatives=legal)  # fmt: skip


def advance_choices(
    table: Table,
    units: Sequence[str],
    ways: Callable[[str], Iterable[Way]],
    order: type[Advance],
    no_advance: type[NoAdvance],
    check: Callable[[Advance], None],
) -> list[Choice]:
    """Nobody, or one more unit by each of its ways, as far as the check lets all of them go together."""

    def onward(given: Given) -> Choice:
        before = given["paths"]

        def longer() -> Iterator[tuple[str, tuple[str, ...]]]:
            for unit in units:
                if unit not in dict(before):
                    found = ((unit, path_numbers(table, way)) for way in ways(unit))
                    yield from (path for path in found if passes(check, order(paths=(*before, path))))

        return Choice(order, given, "paths", longer, complete=bool(before), onward=onward)

    return [Choice(no_advance), *onward({"paths": ()}).following()]


def ways_named(table: Table, target: Hex, order: Advance) -> dict[str, Way]:
    """Each unit's way; a unit named without one goes into the hex, one named with its last hex goes through it."""
    chosen: dict[str, Way] = {}
    for unit, named in order.paths:
        steps = tuple(table.grid.hex(h) for h in named) or (target,)
        chosen[unit] = (target, *steps) if len(steps) == 1 and steps[0] != target else steps
    return chosen
