"""What a reader may know of a span of lines: items in force, each with an id of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine import facts as f
from engine.log import Line, effective, items
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


def seen(lines: Sequence[Line], side: str, since: int) -> tuple[Before, list[Seen]]:
    """What the reader had seen begin up to a line, and all he saw after it; raises NoWayBack."""
    under_way: dict[str, dict[str, Any]] = {}
    after: list[Seen] = []
    for line, count in effective(lines):
        shown = [item for item in items(line)[:count] if readable_by(item.audience, side)]
        if line["n"] <= since:
            for item in shown:
                _go_on(under_way, item.body)
            continue
        for number, item in enumerate(shown):
            fact = f.load(item.body) if item.kind == "fact" else None
            after.append(Seen(f"{line['n']}.{number}", item.kind, item.body, fact))
    stage, fought = (f.load(under_way[name]) if name in under_way else None for name in ("StageBegan", "Fought"))
    assert stage is None or isinstance(stage, f.StageBegan)
    assert fought is None or isinstance(fought, f.Fought)
    return Before(stage, fought), after


def _go_on(under_way: dict[str, dict[str, Any]], body: dict[str, Any]) -> None:
    """A battle is under way until its side chooses its next deed, or the stage ends."""
    name = body.get("fact", "")
    if "top" in body or name == "StageBegan":
        under_way.pop("Fought", None)
    if name in ("StageBegan", "Fought"):
        under_way[name] = body


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
