"""What was under way when a line was written: a report that tells only what came after it must know where it begins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import log
from engine.log.history import goes_beyond

UnderWay = tuple[log.Item, ...]  # the stage, and what was fought since its side last chose freely

MOST = 48  # changes kept; whoever was told nothing for longer makes the log be read whole


@dataclass(frozen=True)
class Span:
    """The lines after one, and what was under way there: all that a report needs of a log."""

    since: int
    lines: Sequence[log.Line]
    under_way: UnderWay

    @classmethod
    def of(cls, lines: Sequence[log.Line], since: int) -> Span:
        """Cut from a whole log; raises NoWayBack."""
        start = _start(lines, since)
        return cls(since, lines[since + 1 :], _after_each(lines)[start] if start >= 0 else ())

    @cached_property
    def items(self) -> list[tuple[int, log.Item]]:
        """What is in force of these lines, each item with its line's number."""
        return log.items_in_force(self.lines, self.since)


class Lately:
    """For each of the last lines, what was under way after it; those that changed nothing are left out."""

    def __init__(self, changes: Iterable[tuple[int, UnderWay]] = ()) -> None:
        self._changes = list(changes)

    @classmethod
    def of(cls, lines: Sequence[log.Line]) -> Lately:
        """As a whole log tells it; raises NoWayBack."""
        lately = cls()
        for n, under_way in enumerate(_after_each(lines)):
            lately._note(n, under_way)
        return lately

    def add(self, n: int, happened: Iterable[log.Item]) -> None:
        """A line that goes on from the last."""
        self._note(n, go_on(self._changes[-1][1], happened))

    def go_back(self, lines: Sequence[log.Line], going: log.Line) -> None:
        """A line that goes back to another, or into it."""
        to, point = going["back"]["line"], going["back"]["point"]
        known = self.before((), to if point is None else to - 1)
        if known is None:
            self._changes = Lately.of([*lines, going])._changes
        else:
            self._note(going["n"], known if point is None else go_on(known, log.items(lines[to])[:point]))

    def before(self, lines: Sequence[log.Line], since: int) -> UnderWay | None:
        """What was under way where the lines after one begin, or where they last went back to; None if not known."""
        start = _start(lines, since)
        return next((under_way for n, under_way in reversed(self._changes) if n <= start), () if start < 0 else None)

    def to_json(self) -> list[Any]:
        return [[n, [[item.kind, item.body, item.audience] for item in under_way]] for n, under_way in self._changes]

    @classmethod
    def from_json(cls, data: Any) -> Lately:
        return cls((n, tuple(log.Item(*item) for item in under_way)) for n, under_way in data)

    def _note(self, n: int, under_way: UnderWay) -> None:
        if not self._changes or self._changes[-1][1] != under_way:
            self._changes.append((n, under_way))
            del self._changes[:-MOST]


def _start(lines: Sequence[log.Line], since: int) -> int:
    """The line from which what came after another goes on: that one, or the last that went back to it or beyond."""
    return max((line["n"] for line in lines if line["n"] > since and goes_beyond(line, since)), default=since)


def _after_each(lines: Sequence[log.Line]) -> list[UnderWay]:
    """What was under way after each line of a whole log; raises NoWayBack."""
    log.effective(lines)
    after: list[UnderWay] = []
    for line in lines:
        before = after[-1] if after else ()
        if "back" in line:
            to, point = line["back"]["line"], line["back"]["point"]
            begun = after[to - 1] if to else ()
            before = after[to] if point is None else go_on(begun, log.items(lines[to])[:point])
        after.append(go_on(before, log.items(line)))
    return after


def go_on(under_way: UnderWay, happened: Iterable[log.Item]) -> UnderWay:
    """A stage goes on until the next, a fight until its side chooses its next deed; what all know holds for all."""
    for item in happened:
        name, public = item.body.get("fact"), item.audience == log.ALL
        if name == "StageBegan" and public:
            under_way = (item,)
        elif "top" in item.body and public:
            under_way = tuple(known for known in under_way if known.body.get("fact") == "StageBegan")
        elif name in ("StageBegan", "Fought") or "top" in item.body:
            under_way = (*under_way, item)
    return under_way
