"""The course of a campaign: losses and score after every step, as one reader knows them."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from engine import facts as f
from engine.game import Game
from engine.position import Position, apply
from engine.table import Table
from pbem.replay.steps import Step
from pbem.tale.entries import EVERYTHING, facts_of

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
        if headline and (not found.headlines or found.headlines[-1][1] != headline):
            found.headlines.append((number, headline))
    return found


def happen(position: Position, lost: dict[str, int], fact: f.Fact) -> None:
    """The fact is applied, and the steps that it costs each side are added."""
    if isinstance(fact, f.StepLost):
        lost[position.setting.roster.get(fact.unit).side] += fact.steps
    elif isinstance(fact, f.Eliminated):
        lost[position.setting.roster.get(fact.unit).side] += max(position.steps_left(fact.unit), 0)
    apply(position, fact)


def _note(series: Series, number: int, values: list[int]) -> None:
    if not series or series[-1][1] != values:
        series.append((number, values))
