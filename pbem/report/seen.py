"""What a reader may know of a span of lines: items in force, each with an id of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine import facts as f
from engine.campaign import Span
from engine.log import items
from engine.log.lines import readable_by


@dataclass(frozen=True)
class Seen:
    """An item that the reader may know; its id counts what he sees of its line, so that no gap tells of more."""

    id: str
    kind: str
    body: dict[str, Any]
    fact: f.Fact | None = None

    @property
    def opens(self) -> bool:
        """Whether a deed begins here: an answer to a top ask, or a new stage."""
        return isinstance(self.fact, f.StageBegan) or "top" in self.body


@dataclass(frozen=True)
class Before:
    """What was under way when a span begins: the stage, and the battle if one was still being decided."""

    stage: f.StageBegan | None = None
    fought: f.Fought | None = None


def seen(span: Span, side: str) -> tuple[Before, list[Seen]]:
    """What the reader had seen begin when a span begins, and all he saw in it; raises NoWayBack."""
    before = Before()
    for item in span.under_way:
        if readable_by(item.audience, side):
            before = _go_on(before, item.body)
    after: list[Seen] = []
    for line, count in span.in_force():
        shown = [item for item in items(line)[:count] if readable_by(item.audience, side)]
        for number, item in enumerate(shown):
            fact = f.load(item.body) if item.kind == "fact" else None
            after.append(Seen(f"{line['n']}.{number}", item.kind, item.body, fact))
    return before, after


def _go_on(before: Before, body: dict[str, Any]) -> Before:
    """A battle is under way until its side chooses its next deed, or the stage ends."""
    fact = f.load(body) if "fact" in body else None
    if isinstance(fact, f.Fought):
        return Before(before.stage, fact)
    return Before(fact if isinstance(fact, f.StageBegan) else before.stage)


def stages(items: Sequence[Seen]) -> Iterator[list[Seen]]:
    """Split where stages begin; the first may be the rest of one that began earlier."""
    yield from _split(items, lambda item: isinstance(item.fact, f.StageBegan))


def deeds(items: Sequence[Seen]) -> Iterator[list[Seen]]:
    """Split where an order that the player chose freely begins; what it led to is one deed."""
    yield from _split(items, lambda item: item.opens)


def _split(items: Sequence[Seen], opens: Callable[[Seen], bool]) -> Iterator[list[Seen]]:
    part: list[Seen] = []
    for item in items:
        if opens(item) and part:
            yield part
            part = []
        part.append(item)
    if part:
        yield part
