"""What a referee has to say: what happened, and what became of each line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import facts as f
from engine.asks import Ask
from engine.log.lines import Item, Line
from engine.refusals import Refusal
from engine.table import Table

SOURCES = ("clause", "hand", "drawer", "standing", "default")


@dataclass
class LineReply:
    """What became of a line: done, refused, returned, kept (in the drawer), sealed, read; a condition holds or not."""

    number: int
    text: str
    state: str
    understood: str = ""
    refusal: Refusal | None = None


@dataclass
class Reply:
    """The answer to a set of order lines."""

    side: str
    lines: list[LineReply] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    asks: tuple[Ask, ...] = ()
    stopped: str = ""  # why it went no further, in words; empty if everything was carried out
    drawn: dict[str, list[LineReply]] = field(default_factory=dict)  # what became of lines out of drawers
    handed_back: dict[str, list[str]] = field(default_factory=dict)  # what lay in drawers, where a side changed hands
    taken_out: dict[str, list[str]] = field(default_factory=dict)  # what waited there for a future that is not to come
    line: Line | None = None  # of the log, if one was written
    supposed: bool = False  # of a dry run: the other side might step in, and was taken to let it pass
    leads_to: Table | None = None  # of a dry run: the table as the side would see it then

    def add(self, part: Reply) -> None:
        """What came of some more lines of the same set."""
        self.lines += part.lines
        self.items += part.items
        self.handed_back |= part.handed_back
        for side, lines in part.drawn.items():
            self.drawn.setdefault(side, []).extend(lines)

    @property
    def refused(self) -> list[LineReply]:
        return [line for line in self.lines if line.refusal is not None]

    @property
    def facts(self) -> list[f.Fact]:
        return [item.fact for item in self.items if item.kind == "fact"]


def in_order(lines: Sequence[LineReply]) -> list[LineReply]:
    """As they stand in the mail; what was tied to a line, and has no number of its own, comes behind it."""
    number, placed = 0, []
    for line in lines:
        number = line.number or number
        placed.append((number, line))
    return [line for _, line in sorted(placed, key=lambda pair: pair[0])]


class Differs(Exception):
    """A recorded item that the rules do not give again."""

    def __init__(self, index: int, recorded: Any, found: Any) -> None:
        super().__init__(f"item {index}: recorded {recorded}, the rules give {found}")
        self.index, self.recorded, self.found = index, recorded, found


_REVEALING = (f.Drew, f.Turned, f.Sighted, f.SeatTaken)


def reveals(fact: f.Fact) -> bool:
    """Whether a fact shows anyone what his view did not hold, or gives him a side: it cannot be taken back."""
    return fact.only is not None or isinstance(fact, _REVEALING)


def compare(recorded: Sequence[Item], found: Sequence[Item]) -> None:
    """Raises Differs at the first item that is not the same."""
    for index, item in enumerate(recorded):
        if index >= len(found):
            raise Differs(index, item.body, "nothing more")
        if item.kind != found[index].kind or item.body != found[index].body:
            raise Differs(index, item.body, found[index].body)
        if item.audience != found[index].audience:
            raise Differs(index, f"for {item.audience}", f"for {found[index].audience}")
    if len(found) > len(recorded):
        raise Differs(len(recorded), "nothing more", found[len(recorded)].body)
