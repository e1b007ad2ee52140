"""Advance after combat: who goes how far, offered one unit after another."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from engine.hexes import Hex
from engine.orders.choice import Choice, Given
from engine.orders.usual import Advance, NoAdvance
from engine.refusals import passes
from engine.rules.ground import path_numbers
from engine.table import Table


def advance_choices(
    table: Table,
    units: Sequence[str],
    ways: Callable[[str], Iterable[tuple[Hex, ...]]],
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


def ways_named(table: Table, target: Hex, order: Advance) -> dict[str, tuple[Hex, ...]]:
    """Each unit's way; a unit named without one goes into the hex, one named with its last hex goes through it."""
    chosen: dict[str, tuple[Hex, ...]] = {}
    for unit, named in order.paths:
        steps = tuple(table.grid.hex(h) for h in named) or (target,)
        chosen[unit] = (target, *steps) if len(steps) == 1 and steps[0] != target else steps
    return chosen
