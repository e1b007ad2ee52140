"""What a rulebook gives the engine: a `Rulebook` in its folder, and from it a `Game` for each scenario."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Generic

from engine.asks import Ask, Procedure
from engine.board import Board
from engine.facts import Counted, Drew, Fact, Pooled
from engine.folder import Title
from engine.forecast import Forecast
from engine.orders.book import Book
from engine.orders.order import Order
from engine.position import Position, Setting
from engine.reference import CardHand, Chart, Mark, Track
from engine.rules.pools import shuffle_track
from engine.standing import Question
from engine.table import D, Table


@dataclass(frozen=True)
class Rulebook(Title):
    """A published game with its rules: found by scanning `games/`."""

    start: Callable[[str, Mapping[str, Any]], Game[Any]]
    charts: Callable[[Game[Any]], Sequence[Chart]] = field(default=lambda game: ())  # for the reference pages

    def game(self, scenario: str = "", options: Mapping[str, Any] | None = None) -> Game[Any]:
        """A game of a scenario (the first one if none is named), its options completed and checked."""
        found = self.scenario(scenario)
        switches = {switch.name: switch for switch in found.choices}
        chosen = {name: switch.default for name, switch in switches.items()}
        for name, value in (options or {}).items():
            if name not in switches:
                raise NoSuchOption(name, tuple(chosen))
            if value not in switches[name].values:
                raise NoSuchOption(f"{name}={value}", tuple(f"{name}={v}" for v in switches[name].values))
            chosen[name] = value
        return self.start(found.id, chosen)


class NoSuchOption(ValueError):
    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(f"there is no option {name!r}; there is {', '.join(known) or 'none'}")
        self.name, self.known = name, tuple(known)


def won_or_lost(position: Position) -> int:
    """1 if somebody who sits at the table has won, -1 if a side has that the rules play, 0 if nobody has."""
    return 0 if not position.winner else 1 if position.winner in position.setting.chairs else -1


@dataclass(frozen=True)
class Game(Generic[D]):
    """One scenario ready to be played: static things, and the functions that are its rules."""

    rulebook: str
    title: str
    version: str
    scenario: str
    options: Mapping[str, Any]
    setting: Setting
    board: Board
    book: Book
    data: D  # the game's own tables, for its own rules
    opening: Callable[[Game[D]], list[Fact]]
    play: Callable[[Table[D]], Procedure]
    enter: Callable[[Table[D], str, int], Procedure]  # begin a stage of a turn, for case files and corrections
    forecast: Callable[[Table[D], str, Order], Forecast]  # raises Illegal for what cannot be forecast
    appraise: Callable[[Table[D], Ask, Order], float]  # how good an answer looks to a sensible player; 0 is idle
    faults: Callable[[Table[D]], list[str]]  # what must always be true of a position and is not
    summary: Callable[[Table[D]], str] = field(default=lambda table: "")  # where the campaign stands, in a line
    # Where it stands, label by label (date, weather, score ...): the head of every report.
    standing: Callable[[Table[D]], Sequence[tuple[str, str]]] = field(default=lambda table: ())
    # The points of each side as they stand, where the game counts any: the replay draws their course.
    score: Callable[[Table[D]], Mapping[str, int]] = field(default=lambda table: {})
    # How good an end is for who plays it alone: victories above 0, by their level, defeats below; a duel is settled so.
    level: Callable[[Table[D]], int] = field(default=lambda table: won_or_lost(table.position))
    # What a side may be asked in the other's play, by name: what standing orders can answer.
    questions: Mapping[str, Question] = field(default_factory=dict)
    marks: Mapping[str, Mark] = field(default_factory=dict)  # what the game's marks mean to its readers
    tracks: Mapping[str, Track] = field(default_factory=dict)  # and how its tracks are told
    hands: Sequence[CardHand] = ()  # pools that are drawn as cards
    quiet: frozenset[str] = frozenset()  # pools, tracks and boxes of which no letter tells: what comes of them is told
    part: Board | None = None  # the part of the board that a scenario is played on, if not on all of it
    # What a sensible player answers by a plan of the rulebook's own; None: whatever is appraised best.
    advise: Callable[[Table[D], Ask], Order | None] = field(default=lambda table, ask: None)
    # What `kept_for_good` functions have worked out; a game with other counters or tables begins anew.
    remembered: dict[Hashable, dict[Hashable, Any]] = field(init=False, default_factory=dict, repr=False, compare=False)

    @property
    def sides(self) -> tuple[str, ...]:
        return self.setting.sides

    @property
    def shown(self) -> Board:
        """The board as pictures show it."""
        return self.part or self.board

    @cached_property
    def place_names(self) -> dict[str, str]:
        grid = self.board.grid
        return {
            name.casefold(): grid.number_of(place.hex)
            for place in self.board.places.values()
            for name in (place.name, *place.also)
        }

    @cached_property
    def spoken_of(self) -> frozenset[str]:
        """What a condition may name besides units and places: marks, and what questions put in numbers."""
        amounts = (name for question in self.questions.values() for name in question.amounts)
        return frozenset(name.casefold() for name in (*self.marks, *amounts))

    def keeps_quiet(self, fact: Fact) -> bool:
        """What is in the log and the fold, and in no letter."""
        if isinstance(fact, (Pooled, Drew)):
            return fact.pool in self.quiet
        if isinstance(fact, Counted):
            return fact.track in self._quiet_tracks or fact.track in self.quiet
        return fact.bookkeeping

    @cached_property
    def _quiet_tracks(self) -> frozenset[str]:
        return frozenset(map(shuffle_track, self.quiet))

    def new_position(self) -> Position:
        return Position(self.setting)
