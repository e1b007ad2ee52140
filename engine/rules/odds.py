"""Odds: from two strengths to a column of a table."""

from __future__ import annotations

from collections.abc import Sequence


def ratio_column(attack: int, defence: int, columns: Sequence[str]) -> int:
    """The column of a ratio, rounded for the defender and held within the table; columns read "1-2", "3-1" ..."""
    best = 0
    for index, name in enumerate(columns):
        left, right = map(int, name.split("-"))
        if attack * right >= defence * left:
            best = index
    return best


def shifted(column: int, shifts: int, columns: Sequence[str]) -> int:
    """The column so many to the right, held within the table."""
    return max(0, min(len(columns) - 1, column + shifts))
