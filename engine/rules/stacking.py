"""Stacking: how much of a hex a stack takes up."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def room(stack: Sequence[str], size: Callable[[str], int], limit: int) -> int:
    """What is left of a hex's limit; below zero the stack is too large."""
    return limit - sum(size(unit) for unit in stack)
