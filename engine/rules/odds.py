"""Odds: from two strengths to a column of a table, and by how far they run off it."""

from collections.abc import Sequence

from engine.forecast import Working


def ratio_column(attack: int, defence: int, columns: Sequence[str]) -> int:
    """The column of a ratio, rounded for the defender and held within the table; columns read "1-2", "3-1" ..."""
    best = 0
    for index, name in enumerate(columns):
        left, right = map(int, name.split("-"))
        if attack * right >= defence * left:
            best = index
    return best


def ratio_beyond(attack: int, defence: int, columns: Sequence[str]) -> int:
    """By how many columns a ratio runs off a table that ends in whole ratios: below nought, on its left."""
    (_, lowest), (highest, _) = (map(int, columns[end].split("-")) for end in (0, -1))
    if defence and attack > defence:
        return max(0, attack // defence - highest)
    return min(0, lowest - -(-defence // attack)) if attack else 0


def shifted(column: int, shifts: int, columns: Sequence[str]) -> int:
    """The column so many to the right, held within the table."""
    return max(0, min(len(columns) - 1, column + shifts))


def shifted_beyond(column: int, shifts: int, columns: Sequence[str]) -> int:
    """By how many columns a shift runs off the table: below nought, on its left."""
    return column + shifts - shifted(column, shifts, columns)


def told_beyond(by: int, case: str) -> list[Working]:
    """The line of the working that says so."""
    columns = "1 column" if abs(by) == 1 else f"{abs(by)} columns"
    return [Working("the odds", f"{columns} {'beyond' if by > 0 else 'short of'} the table", case)] if by else []
