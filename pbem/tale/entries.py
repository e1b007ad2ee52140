"""What a reader may know of a log: items in force, each with a place of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from engine import facts as f
from engine.game import Game
from engine.log import Item, Line, effective, items
from engine.log.lines import readable_by
from engine.position import Position, apply

ONLOOKER = ""  # who reads what is open to all and nothing else
EVERYTHING = "*"  # who reads all there is


@dataclass(frozen=True)
class Entry:
    """An item with where it stands: its place counts what the reader sees of its line, so that no gap tells of more."""

    line: int
    place: int
    item: Item

    @property
    def id(self) -> str:
        return f"{self.line}.{self.place}"

    @property
    def fact(self) -> f.Fact | None:
        return self.item.fact if self.item.kind == "fact" else None


@dataclass(frozen=True)
class Tale:
    """All that a reader saw after a line, and what was under way then: the stage, and a battle still being decided."""

    entries: list[Entry]
    stage: f.StageBegan | None = None
    fought: f.Fought | None = None


def entries(lines: Iterable[Line], reader: str) -> Iterator[Entry]:
    """Everything in force that the reader may know, in the order it happened. Raises NoWayBack."""
    for line, count in effective(lines):
        yield from _entries(line, count, reader)


def tale(lines: Sequence[Line], reader: str, since: int) -> Tale:
    """What the reader saw after a line; of what came before it only as much is read as is needed. Raises NoWayBack."""
    in_force = effective(lines)
    after = next((i for i, (line, _) in enumerate(in_force) if line["n"] > since), len(in_force))
    seen = [entry for line, count in in_force[after:] for entry in _entries(line, count, reader)]
    return Tale(seen, *_under_way(in_force[:after], reader))


def _under_way(in_force: Sequence[tuple[Line, int | None]], reader: str) -> tuple[f.StageBegan | None, f.Fought | None]:
    """A battle is under way until its side chooses its next deed, or the stage ends."""
    fought, settled = None, False
    for line, count in reversed(in_force):
        for entry in reversed([*_entries(line, count, reader)]):
            body = entry.item.body
            if body.get("fact") == "StageBegan":
                assert isinstance(entry.fact, f.StageBegan)
                return entry.fact, fought
            if body.get("fact") == "Fought" and not settled:
                assert isinstance(entry.fact, f.Fought)
                fought, settled = entry.fact, True
            settled = settled or "top" in body
    return None, fought


def _entries(line: Line, count: int | None, reader: str) -> Iterator[Entry]:
    known = (item for item in items(line)[:count] if _reads(reader, item))
    return (Entry(line["n"], place, item) for place, item in enumerate(known))


def _reads(reader: str, item: Item) -> bool:
    return reader == EVERYTHING or readable_by(item.audience, reader)


def known_to(lines: Iterable[Line], game: Game, reader: str) -> Position:
    """The position that a reader's own facts lead to. Raises NoWayBack."""
    position = Position(game.setting, reader)
    for fact in facts_of(entries(lines, reader)):
        apply(position, fact)
    return position


def facts_of(entries: Iterable[Entry], reader: str = EVERYTHING) -> list[f.Fact]:
    """The facts alone, as far as a reader may know them."""
    return [entry.fact for entry in entries if entry.fact is not None and _reads(reader, entry.item)]
