"""Stacking: how much of a hex a stack takes up."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def over(stack: Sequence[str], size: Callable[[str], int], limit: int) -> int:
    """By how much a stack goes beyond a limit; 0 if it fits."""
    return max(0, sum(size(unit) for unit in stack) - limit)
