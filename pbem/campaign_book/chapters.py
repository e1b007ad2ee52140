"""A campaign cut into chapters: a turn each, with where it led, what it cost, and its battles by weight."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from engine import facts as f
from engine.game import Game
from engine.position import Position
from engine.table import Table
from pbem.replay.steps import happen
from pbem.tale.deeds import Battle, Deed, battles, deeds
from pbem.tale.entries import EVERYTHING, Entry, facts_of

FALLEN_WEIGHS = 2  # a unit that is gone, beside its steps


@dataclass(frozen=True)
class Clash:
    """A battle with its number in the whole campaign, what hung on it, and where it left everybody."""

    number: int
    battle: Battle
    weight: int
    facts: tuple[f.Fact, ...]
    after: Position


@dataclass(frozen=True)
class TurnChapter:
    """A turn, or what came before the first."""

    turn: int
    facts: tuple[f.Fact, ...]
    clashes: tuple[Clash, ...]
    before: Position
    after: Position
    lost: dict[str, int]  # steps, by side, in this turn
    score: dict[str, int]  # as it stood at the end

    @property
    def fallen(self) -> list[str]:
        """The units that were eliminated and did not come back in the same turn."""
        gone = dict.fromkeys(fact.unit for fact in self.facts if isinstance(fact, f.Eliminated))
        return [unit for unit in gone if not self.after.alive(unit)]

    @property
    def arrived(self) -> list[str]:
        """The units that are on the map now and were nowhere before."""
        return [unit for unit in self.after.on_map() if self.before.hex_of(unit) is None]


@dataclass
class _Fold:
    """The campaign as far as it has been told."""

    game: Game
    position: Position
    lost: dict[str, int]
    fights: int = 0

    def take(self, facts: Iterable[f.Fact]) -> None:
        for fact in facts:
            happen(self.position, self.lost, fact)

    def score(self) -> dict[str, int]:
        return dict(self.game.score(Table(self.game, self.position))) if self.position.stage else {}


def chapters(game: Game, entries: Iterable[Entry], reader: str) -> list[TurnChapter]:
    """The campaign as a reader knows it, a chapter for each turn that was begun."""
    position = Position(game.setting, None if reader == EVERYTHING else reader)
    told = _Fold(game, position, dict.fromkeys(game.sides, 0))
    by_turn = groupby(deeds(entries), key=lambda deed: deed.stage.turn if deed.stage else 0)
    return [_chapter(told, turn, list(run)) for turn, run in by_turn]


def _chapter(told: _Fold, turn: int, done: Sequence[Deed]) -> TurnChapter:
    before, lost = told.position.copy(), dict(told.lost)
    clashes = [clash for deed in done for clash in _clashes(told, deed)]
    cost = {side: number - lost.get(side, 0) for side, number in told.lost.items()}
    facts = tuple(facts_of(entry for deed in done for entry in deed.entries))
    return TurnChapter(turn, facts, tuple(clashes), before, told.position.copy(), cost, told.score())


def _clashes(told: _Fold, deed: Deed) -> Iterator[Clash]:
    """The battles of a deed; all that is in it has been folded when the last has been told."""
    if not deed.fought:
        told.take(facts_of(deed.entries))
        return
    for battle in battles(deed.entries):
        facts = (*facts_of(battle.before), battle.fought, *facts_of(battle.after))
        lost, score = sum(told.lost.values()), told.score()
        told.take(facts)
        told.fights += 1
        swing = sum(abs(points - score.get(side, 0)) for side, points in told.score().items())
        weight = sum(told.lost.values()) - lost + FALLEN_WEIGHS * len(battle.fallen) + swing
        yield Clash(told.fights, battle, weight, facts, told.position.copy())


def heaviest(clashes: Iterable[Clash], most: int) -> list[Clash]:
    """Those on which most hung; of equals the first."""
    return sorted(clashes, key=lambda clash: (-clash.weight, clash.number))[:most]


def decisive(told: Sequence[TurnChapter], most: int, in_turn: int) -> set[int]:
    """The numbers of the battles on which most hung, some from each turn at the most."""
    best = [clash for chapter in told for clash in heaviest(chapter.clashes, in_turn)]
    return {clash.number for clash in heaviest(best, most) if clash.weight}
