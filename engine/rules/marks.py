"""Marks: what is remembered of units, hexes and the game from one order to the next."""

from collections.abc import Iterable, Iterator

from engine.facts import Fact, Marked, Noted, Wiped
from engine.table import Table, kept_while_marked


@kept_while_marked
def marked(table: Table, mark: str) -> list[str]:
    """Everything that bears a mark, by name: a position knows no other order of its marks."""
    return sorted(subject for subject, marks in table.position.marks.items() if mark in marks)


def wipe(table: Table, marks: Iterable[str], case: str, side: str = "") -> Iterator[Fact]:
    """Marks that last for a while come off everything, or the units of a side, if anything bears one.

    Where something is hidden from somebody all are named: he would read off the list what is borne unseen.
    """
    gone = tuple(marks)
    if not table.position.views:
        bearers = table.position.marks.items()
        borne = {mark for subject, bears in bearers if not side or _of(table, subject, side) for mark in bears}
        gone = tuple(mark for mark in gone if mark in borne)
    if gone:
        yield Wiped(marks=gone, side=side, because=case)


def _of(table: Table, subject: str, side: str) -> bool:
    return subject in table.roster and table.unit(subject).side == side


def unmark(table: Table, subject: str, case: str) -> Iterator[Fact]:
    """All that a unit bears comes off, as it leaves the map; what was only noted is noted again."""
    for mark in sorted(table.position.marks.get(subject, {})):
        kind = Noted if mark in table.position.noted else Marked
        yield kind(subject=subject, mark=mark, value=None, because=case)


def game_mark(table: Table, mark: str) -> str:
    """A mark on the game itself; empty if it has none of that name."""
    return str(table.position.mark("game", mark) or "")


def set_game(table: Table, mark: str, value: str | None, case: str, kind: type[Marked] = Marked) -> Iterator[Fact]:
    """A mark on the game itself, told or only noted, if it changes anything."""
    if table.position.mark("game", mark) != value:
        yield kind(subject="game", mark=mark, value=value, because=case)
