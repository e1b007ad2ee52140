"""What a reader may know of a log: items in force, each with a place of its own."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from engine import facts as f
from engine.campaign import Span
from engine.game import Game
from engine.log import Item, Line, effective, items
from engine.log.lines import readable_by
from pbem.wording.words import SKIPPED, capital

ONLOOKER = ""  # who reads what is open to all and nothing else
EVERYTHING = "*"  # who reads all there is
NOWHERE = -1  # the place of what is told of a line and stands in no part of it


@dataclass(frozen=True)
class Entry:
    """An item with where it stands: its place counts what the reader sees of its line, so that no gap tells of more."""

    line: int
    place: int
    item: Item

    @property
    def id(self) -> str:
        return f"{self.line}.{self.place}"

    @cached_property
    def fact(self) -> f.Fact | None:
        return self.item.fact if self.item.kind == "fact" else None


@dataclass(frozen=True)
class Tale:
    """All that a reader saw after a line, and what was under way then: the stage, and a battle still being decided."""

    entries: list[Entry]
    stage: f.StageBegan | None = None
    fought: f.Fought | None = None
    reader: str = ""


def entries(lines: Iterable[Line], reader: str) -> Iterator[Entry]:
    """Everything in force that the reader may know, in the order it happened. Raises NoWayBack."""
    for line, count in effective(lines):
        yield from _entries(((line["n"], item) for item in items(line)[:count]), reader)
        if "skip" in line:  # there is no item of it: nothing has changed but what will be thrown
            yield Entry(line["n"], NOWHERE, Item("fact", f.Told(text=f"{capital(SKIPPED)}.")))


def tale(span: Span, reader: str) -> Tale:
    """What the reader saw in a span of lines, and what he had seen begin before it. Raises NoWayBack."""
    stage, fought = None, None
    for item in span.under_way:
        fact = item.fact if item.kind == "fact" and _reads(reader, item) else None
        if isinstance(fact, f.StageBegan):
            stage, fought = fact, None
        elif isinstance(fact, f.Fought):
            fought = fact
    return Tale([*_entries(span.items, reader)], stage, fought, reader)


def _entries(happened: Iterable[tuple[int, Item]], reader: str) -> Iterator[Entry]:
    places: Counter[int] = Counter()
    for n, item in happened:
        if _reads(reader, item):
            yield Entry(n, places[n], item)
            places[n] += 1


def _reads(reader: str, item: Item) -> bool:
    return reader == EVERYTHING or readable_by(item.audience, reader)


def is_quiet(game: Game, entry: Entry) -> bool:
    """What no letter and no page tells: what the rules note for themselves, and what is dealt from a quiet pile."""
    if entry.fact is not None:
        return game.keeps_quiet(entry.fact)
    return entry.item.body.get("stream", "").removeprefix("pile ") in game.quiet


def facts_of(entries: Iterable[Entry], reader: str = EVERYTHING) -> list[f.Fact]:
    """The facts alone, as far as a reader may know them."""
    known = entries if reader == EVERYTHING else (entry for entry in entries if _reads(reader, entry.item))
    return [fact for entry in known if (fact := entry.fact) is not None]
