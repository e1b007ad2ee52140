"""A campaign cut into steps: an order with all that came of it, or the opening of a stage."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from engine.game import Game
from engine.log import ALL
from pbem.replay.copies import Entry
from pbem.wording.words import stage_name, told

OPENS = frozenset({"StageBegan", "GameEnded"})
QUIET = frozenset({"Marked", "Counted", "Pooled", "SeatTaken"})  # bookkeeping: nothing to look at on the map
# What a step is by the weightiest thing in it, heaviest first; those after `turn` are dull.
KINDS = (
    ("end", ("GameEnded",)),
    ("battle", ("Fought",)),
    ("loss", ("Eliminated", "StepLost")),
    ("arrival", ("Placed", "Turned")),
    ("move", ("Moved", "Halted")),
)
DULL = frozenset({"move", "stage", "other"})


@dataclass
class Step:
    """Entries that are shown together."""

    entries: list[Entry] = field(default_factory=list)
    turn: int = 0
    stage: str = ""
    opens_turn: bool = False

    @property
    def kind(self) -> str:
        facts = {entry.fact for entry in self.entries}
        if self.opens_turn and "GameEnded" not in facts:
            return "turn"
        found = (kind for kind, names in KINDS if facts.intersection(names))
        return next(found, "stage" if "StageBegan" in facts else "other")

    @property
    def dull(self) -> bool:
        return self.kind in DULL

    @property
    def bare(self) -> bool:
        """Whether nothing in it can be seen on the map or is worth stopping for."""
        return all(e.item.kind == "answer" or e.fact in QUIET for e in self.entries)

    def ranges(self) -> list[tuple[int, int, int]]:
        """Where its entries stand: the line, the first place, and the place after the last."""
        found: list[tuple[int, int, int]] = []
        for entry in self.entries:
            if found and found[-1][0] == entry.line and found[-1][2] == entry.place:
                found[-1] = (entry.line, found[-1][1], entry.place + 1)
            else:
                found.append((entry.line, entry.place, entry.place + 1))
        return found


def steps_of(entries: Iterable[Entry]) -> list[Step]:
    """The campaign step by step; whoever only closes a stage is told with the stage that follows."""
    found: list[Step] = []
    for group in _groups(entries):
        opens = any(entry.fact in OPENS for entry in group)
        if found and opens and found[-1].bare:
            group = [*found.pop().entries, *group]
        found.append(_step(group, found[-1] if found else None))
    return found


def _groups(entries: Iterable[Entry]) -> Iterator[list[Entry]]:
    group: list[Entry] = []
    for entry in entries:
        if group and _begins(entry, group):
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _begins(entry: Entry, group: list[Entry]) -> bool:
    if entry.item.kind != "answer":
        return entry.fact in OPENS
    top, before = entry.item.body.get("top"), group[-1].item.body.get("top")
    together = top and before == top - 1  # two sides that answered at once are shown at once
    return top is not None and not together


def _step(entries: list[Entry], before: Step | None) -> Step:
    turn, stage = (before.turn, before.stage) if before else (0, "")
    step = Step(entries, turn, stage)
    for entry in entries:
        if entry.fact == "StageBegan":
            step.turn, step.stage = entry.item.body["turn"], entry.item.body["stage"]
    step.opens_turn = step.turn != turn
    return step


# In words.


@dataclass(frozen=True)
class Sentence:
    text: str
    style: str  # order, roll, fact, work (how a battle was worked out) or mark
    audience: str


def sentences(game: Game, step: Step, unspoken: Collection[str] = ()) -> list[Sentence]:
    """What happened in a step, each sentence with who may read it; some marks nobody wants to hear of."""
    found = []
    spoken = (e for e in step.entries if e.item.body.get("mark") not in unspoken or e.fact != "Marked")
    for (style, audience), run in groupby(spoken, key=lambda e: (_style(e), e.item.audience)):
        entries = list(run)
        if style == "battle":
            found += [s for entry in entries for s in _battle(game, entry)]
        else:
            said = told(game, [entry.item for entry in entries])
            found += [Sentence(text.removeprefix("> "), style, audience) for text in said]
    return found


def _battle(game: Game, entry: Entry) -> Iterator[Sentence]:
    """A battle in a sentence, then how it was worked out, line by line."""
    item = entry.item
    for text in told(game, [replace(item, body=item.body | {"working": []})]):
        yield Sentence(text, "fact", item.audience)
    for what, case in item.body.get("working", ()):
        yield Sentence(f"{what} [{case}]" if case else what, "work", item.audience)


def _style(entry: Entry) -> str:
    if entry.fact == "Fought":
        return "battle"
    if entry.item.kind == "fact":
        return "mark" if entry.fact in QUIET else "fact"
    return "order" if entry.item.kind == "answer" else "roll"


def battle_name(body: dict[str, Any]) -> str:
    """A battle in one line of an index."""
    kind = str(body["kind"])
    return f"{kind[:1].upper()}{kind[1:]} on {', '.join(body['targets'])}: {body['column']}, {body['result']}"


def battles(step: Step) -> list[tuple[str, str]]:
    """The battles in a step, each with who may know of it."""
    return [(battle_name(e.item.body), e.item.audience) for e in step.entries if e.fact == "Fought"]


def step_name(step: Step) -> str:
    """When it is: the turn and the stage."""
    return f"Turn {step.turn}, {stage_name(step.stage)}" if step.stage else "Set-up"


def hidden_in(steps: Iterable[Step]) -> bool:
    """Whether anything in the campaign was not for all to know."""
    return any(entry.item.audience != ALL for step in steps for entry in step.entries)
