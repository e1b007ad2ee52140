"""Stacking: how much of a hex a stack takes up."""

from collections.abc import Callable, Sequence

from engine.hexes import Hex
from engine.table import Table, kept_for_good, kept_while_side_still


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
    held, judged = table.position.held(side), _judged(table, excess)
    found = [h for h, stack in table.position.stacks() if judged.get(stack, True) and too_many(table, excess, stack)]
    return [h for h in found if held >> h & 1]


def too_many(table: Table, excess: Callable[[Table, Sequence[str]], int], stack: tuple[str, ...]) -> bool:
    """Whether a stack breaks such a limit."""
    judged = _judged(table, excess)
    if stack not in judged:
        judged[stack] = excess(table, stack) > 0
    return judged[stack]


@kept_for_good
def _judged(table: Table, excess: Callable[[Table, Sequence[str]], int]) -> dict[tuple[str, ...], bool]:
    """Stacks that were looked at before: most stand for turns."""
    return {}
