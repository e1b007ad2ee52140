"""The copy of a log that a reader may have: all of it when the game is over, his own view of it before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.log import Item, Line, effective, export, items
from engine.log.chain import revealed
from engine.log.lines import readable_by


@dataclass(frozen=True)
class Copy:
    """Lines as one reader may have them; `reader` None is an onlooker, who is shown what is open to all."""

    lines: list[Line]
    whole: list[Line]  # the same lines unabridged: only for what was taken back, never for what is shown
    reader: str | None
    over: bool

    def entries(self) -> Iterator[Entry]:
        """What is in force and the reader may know, in the order it happened. Raises NoWayBack."""
        for line, count in effective(self.whole):
            known = items(self.lines[line["n"]])
            if count is not None:
                known = known[: sum(self._reads(item) for item in items(line)[:count])]
            for place, item in enumerate(known):
                yield Entry(line["n"], place, item)

    def _reads(self, item: Item) -> bool:
        return self.over or readable_by(item.audience, self.reader)


@dataclass(frozen=True, slots=True)
class Entry:
    """An item with where it stands: the line, and the place among what this copy has of the line."""

    line: int
    place: int
    item: Item

    @property
    def fact(self) -> str:
        """The name of the fact that it is; empty for answers and rolls."""
        return str(self.item.body["fact"]) if self.item.kind == "fact" else ""


def copy_for(lines: Sequence[Line], reader: str | None, secret: bytes | None) -> Copy:
    """The log as it may be handed out; the secret opens a running game's log to its reader. Raises ValueError."""
    if revealed(lines) is not None:
        return Copy(list(lines), list(lines), reader, True)
    if secret is None:
        raise ValueError("a running game cannot be handed out without its secret")
    return Copy(export(lines, reader, secret), list(lines), reader, False)
