"""Stacking: how much of a hex a stack takes up."""

from collections.abc import Callable, Sequence

from engine import hexset
from engine.hexes import Hex
from engine.table import Table, kept_while_side_still


def over(stack: Sequence[str], size: Callable[[str], int], limit: int) -> int:
    """By how much a stack goes beyond a limit; 0 if it fits."""
    return max(0, sum(size(unit) for unit in stack) - limit)


def crowd(where: str, stack: Sequence[str], limit: str, size: Callable[[str], int] | None = None) -> str:
    """A stack that is too large, as a refusal tells it: who takes up how much, and how much there may be."""
    sizes = ", ".join(f"{unit} ({size(unit)})" if size is not None else unit for unit in stack)
    return f"too many units would stand in {where}: {sizes}; the limit is {limit}"


@kept_while_side_still()
def crowded(table: Table, side: str, excess: Callable[[Table, Sequence[str]], int]) -> list[Hex]:
    """The hexes in which a side breaks a limit that rests on its units alone."""
    at = table.position.at
    stacks = [h for h in hexset.members(table.position.held(side)) if len(at(h)) > 1]
    return [h for h in stacks if excess(table, at(h)) > 0]
