"""Advance after combat: who goes how far, offered one unit after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from engine.asks import Option
from engine.hexes import Hex
from engine.orders.usual import Advance, NoAdvance
from engine.refusals import passes
from engine.rules.ground import path_numbers
from engine.table import Table


def advance_options(
    table: Table,
    units: Sequence[str],
    ways: Callable[[str], Iterable[tuple[Hex, ...]]],
    order: type[Advance],
    check: Callable[[Advance], None],
    so_far: str,
) -> list[Option]:
    """Nobody, or one more unit by each of its ways, as far as the check lets all of them go together."""
    pieces = [piece.split() for piece in so_far.removeprefix(order.verb).split(",") if piece.split()]
    before = tuple((piece[0], tuple(piece[1:])) for piece in pieces)
    options = [] if before else [Option(NoAdvance.verb)]
    for unit in units:
        if unit in dict(before):
            continue
        for way in ways(unit):
            longer = order(paths=(*before, (unit, path_numbers(table, way))))
            if passes(check, longer):
                options.append(Option(longer.line(), complete=True, more=True))
    return options


def ways_named(table: Table, target: Hex, order: Advance) -> dict[str, tuple[Hex, ...]]:
    """Each unit's way; a unit named without one goes into the hex, one named with its last hex goes through it."""
    chosen: dict[str, tuple[Hex, ...]] = {}
    for unit, named in order.paths:
        steps = tuple(table.grid.hex(h) for h in named) or (target,)
        chosen[unit] = (target, *steps) if len(steps) == 1 and steps[0] != target else steps
    return chosen
