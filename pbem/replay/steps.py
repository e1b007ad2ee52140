"""A campaign cut into steps: a deed each, but whoever only closes a stage is shown with the one that follows.

Its course: losses and score after every step, as one reader knows them.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TypeVar

from engine import facts as f
from engine.game import Game
from engine.position import Position, apply
from engine.table import Table
from pbem.tale.deeds import deeds
from pbem.tale.entries import EVERYTHING, NOWHERE, Entry, facts_of, is_quiet
from pbem.wording.words import answer_line, roll_sentence, said, stage_name, working_lines

SMALL = (f.Marked, f.Counted, f.Pooled, f.SeatTaken)  # nothing to look at on the map
# What a step is by the weightiest thing in it, heaviest first.
KINDS: tuple[tuple[str, tuple[type[f.Fact], ...]], ...] = (
    ("end", (f.GameEnded,)),
    ("turn", ()),
    ("battle", (f.Fought,)),
    ("loss", (f.Eliminated, f.StepLost)),
    ("arrival", (f.Placed, f.Turned)),
    ("move", (f.Moved, f.Halted)),
    ("stage", (f.StageBegan,)),
)
DULL = frozenset({"move", "stage", "other"})


@dataclass(frozen=True)
class Step:
    """Entries that are shown together."""

    entries: Sequence[Entry]
    began: f.StageBegan | None = None  # the stage that is on after it
    opens_turn: bool = False

    @property
    def turn(self) -> int:
        return self.began.turn if self.began else 0

    @property
    def stage(self) -> str:
        return self.began.stage if self.began else ""

    @property
    def kind(self) -> str:
        facts = facts_of(self.entries)
        turn = {"turn"} if self.opens_turn else set()
        found = turn | {kind for kind, weighty in KINDS if any(isinstance(fact, weighty) for fact in facts)}
        return next((kind for kind, _ in KINDS if kind in found), "other")

    @property
    def bare(self) -> bool:
        """Whether nothing in it can be seen on the map or is worth stopping for."""
        facts = [entry.fact for entry in self.entries if entry.item.kind != "answer"]
        return all(fact is not None and (fact.bookkeeping or isinstance(fact, SMALL)) for fact in facts)

    def ranges(self) -> list[tuple[int, int, int]]:
        """Where its entries stand: the line, the first place, and the place after the last."""
        found: list[tuple[int, int, int]] = []
        for entry in (entry for entry in self.entries if entry.place != NOWHERE):
            if found and found[-1][0] == entry.line and found[-1][2] == entry.place:
                found[-1] = (entry.line, found[-1][1], entry.place + 1)
            else:
                found.append((entry.line, entry.place, entry.place + 1))
        return found


def steps_of(entries: Iterable[Entry]) -> list[Step]:
    """The campaign step by step."""
    found: list[Step] = []
    for deed in deeds(entries):
        held = list(deed.entries)
        if found and found[-1].bare and isinstance(held[0].fact, f.StageBegan | f.GameEnded):
            held = [*found.pop().entries, *held]
        turn = deed.stage.turn if deed.stage else 0
        found.append(Step(held, deed.stage, turn != (found[-1].turn if found else 0)))
    return found


# In words.


@dataclass(frozen=True)
class Sentence:
    text: str
    style: str  # order, roll, fact, work (how a battle was worked out) or mark
    audience: str


def sentences(game: Game, step: Step) -> list[Sentence]:
    """What happened in a step, each sentence with who may read it; not what the rules note for themselves."""
    spoken = (e for e in step.entries if not is_quiet(game, e))
    found: list[Sentence] = []
    for (style, audience), run in groupby(spoken, key=lambda e: (_style(e), e.item.audience)):
        found += [Sentence(text, how, audience) for how, text in _told(game, style, list(run))]
    return found


def _told(game: Game, style: str, entries: Sequence[Entry]) -> Iterator[tuple[str, str]]:
    """Sentences with their style; after a battle how it was worked out, line by line."""
    if style == "order":
        yield from ((style, answer_line(game, entry.item.body)) for entry in entries)
    elif style == "roll":
        yield from ((style, roll_sentence(entry.item.body)) for entry in entries)
    elif style == "battle":
        for fact in facts_of(entries):
            assert isinstance(fact, f.Fought)
            yield from (("fact", str(one)) for one in said(game, [fact.model_copy(update={"working": ()})]))
            yield from (("work", line) for line in working_lines(fact))
    else:
        yield from ((style, str(one)) for one in said(game, facts_of(entries)))


def _style(entry: Entry) -> str:
    if entry.fact is None:
        return "order" if entry.item.kind == "answer" else "roll"
    if isinstance(entry.fact, f.Fought):
        return "battle"
    return "mark" if isinstance(entry.fact, SMALL) else "fact"


def step_name(step: Step) -> str:
    """When it is: the turn and the stage."""
    return f"Turn {step.turn}, {stage_name(step.stage)}" if step.stage else "Set-up"


# How it went.

T = TypeVar("T")
Series = list[tuple[int, list[int]]]  # from this step on: a number for each side


@dataclass
class Progression:
    """How it went, and where it ended."""

    position: Position
    losses: Series = field(default_factory=list)
    score: Series = field(default_factory=list)
    headlines: list[tuple[int, str]] = field(default_factory=list)  # from this step on: where the campaign stands


def course(game: Game, steps: Sequence[Step], reader: str = EVERYTHING) -> Progression:
    """Folds the steps as a reader knows them."""
    found = Progression(Position(game.setting, reader))
    table = Table(game, found.position)
    lost = dict.fromkeys(game.sides, 0)
    for number, step in enumerate(steps):
        for fact in facts_of(step.entries, reader):
            happen(found.position, lost, fact)
        _note(found.losses, number, list(lost.values()))
        score = game.score(table)
        if score:
            _note(found.score, number, [score.get(side, 0) for side in game.sides])
        headline = game.summary(table) if found.position.stage else ""
        if headline:
            _note(found.headlines, number, headline)
    return found


def happen(position: Position, lost: dict[str, int], fact: f.Fact) -> None:
    """The fact is applied, and the steps that it costs each side are added."""
    if isinstance(fact, f.StepLost):
        lost[position.setting.roster.get(fact.unit).side] += fact.steps
    elif isinstance(fact, f.Eliminated):
        lost[position.setting.roster.get(fact.unit).side] += max(position.steps_left(fact.unit), 0)
    apply(position, fact)


def _note(series: list[tuple[int, T]], number: int, value: T) -> None:
    if not series or series[-1][1] != value:
        series.append((number, value))
