"""Marks: what is remembered of units, hexes and the game from one order to the next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.facts import Fact, Marked
from engine.table import Table


def marked(table: Table, mark: str) -> list[str]:
    """Everything that bears a mark, by name: a position knows no other order of its marks."""
    return sorted(subject for subject, marks in table.position.marks.items() if mark in marks)


def wipe(table: Table, marks: Iterable[str], case: str) -> Iterator[Fact]:
    """Marks that last for a while come off."""
    for mark in marks:
        for subject in marked(table, mark):
            yield Marked(subject=subject, mark=mark, value=None, because=case)


def game_mark(table: Table, mark: str) -> str:
    """A mark on the game itself; empty if it has none of that name."""
    return str(table.position.mark("game", mark) or "")


def set_game(table: Table, mark: str, value: str | None, case: str) -> Iterator[Fact]:
    """A mark on the game itself, if it changes anything."""
    if table.position.mark("game", mark) != value:
        yield Marked(subject="game", mark=mark, value=value, because=case)
