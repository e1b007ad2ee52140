"""What a reader may know of a log: items in force, each with a place of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engine import facts as f
from engine.campaign import Span
from engine.log import Item, Line, effective, items
from engine.log.lines import readable_by

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


def tale(span: Span, reader: str) -> Tale:
    """What the reader saw in a span of lines, and what he had seen begin before it. Raises NoWayBack."""
    seen = [entry for line, count in span.in_force() for entry in _entries(line, count, reader)]
    stage, fought = None, None
    for item in span.under_way:
        fact = item.fact if item.kind == "fact" and _reads(reader, item) else None
        if isinstance(fact, f.StageBegan):
            stage, fought = fact, None
        elif isinstance(fact, f.Fought):
            fought = fact
    return Tale(seen, stage, fought)


def _entries(line: Line, count: int | None, reader: str) -> Iterator[Entry]:
    known = (item for item in items(line)[:count] if _reads(reader, item))
    return (Entry(line["n"], place, item) for place, item in enumerate(known))


def _reads(reader: str, item: Item) -> bool:
    return reader == EVERYTHING or readable_by(item.audience, reader)


def facts_of(entries: Iterable[Entry], reader: str = EVERYTHING) -> list[f.Fact]:
    """The facts alone, as far as a reader may know them."""
    return [entry.fact for entry in entries if entry.fact is not None and _reads(reader, entry.item)]
