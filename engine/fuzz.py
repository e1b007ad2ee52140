"""Whole campaigns played by bots to find what breaks: crashes, dead ends, broken positions, bad logs."""

import multiprocessing
import os
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, replace
from pathlib import PurePath
from random import Random
from threading import Thread
from typing import Any

from engine.asks import Ask
from engine.bots import BOTS, Bot, Endless, RandomLegal, Stuck, play
from engine.campaign import verify_lines
from engine.facts import StageBegan
from engine.game import Game
from engine.log import Line, items
from engine.orders.order import Order
from engine.position import apply
from engine.referee import not_asked
from engine.refusals import Refusal
from engine.table import Table

GameFactory = Callable[[], Game]  # for more than one worker it must be picklable: a function or a partial of one
Progress = Callable[[int, int], None]

MOST_FAULTS = 5  # of one game: more of the same tell nothing
RESTLESS = (3, 8, 20)  # short phases reach late turns fast, long ones crowd the map
PROBE = 0.04  # how often every choice of an ask is tried, not only the one taken


@dataclass(frozen=True)
class Finding:
    """Something that must not happen, and how to see it again."""

    kind: str  # crash, dead end, endless, position, log
    seed: int
    at: str  # the key of the last ask
    line: str  # the last answer
    what: str
    where: tuple[str, ...] = ()  # the end of the traceback, innermost last


@dataclass
class FuzzedGame:
    """What came of one campaign."""

    seed: int
    answers: int = 0
    lines: int = 0
    facts: int = 0
    ended: str = ""
    winner: str = ""
    scores: dict[int, dict[str, int]] = field(default_factory=dict)  # at the end of each turn
    faults: list[Finding] = field(default_factory=list)


@dataclass
class FuzzReport:
    """What came of all of them."""

    game: str
    games: int = 0
    faults: list[Finding] = field(default_factory=list)
    answers: int = 0
    facts: int = 0
    results: Counter[str] = field(default_factory=Counter)
    winners: Counter[str] = field(default_factory=Counter)
    scores: dict[int, list[dict[str, int]]] = field(default_factory=dict)  # of every game that came so far, by turn
    seconds: float = 0.0

    @property
    def games_per_minute(self) -> float:
        return round(self.games * 60 / self.seconds, 1) if self.seconds else 0.0

    def add(self, played: FuzzedGame) -> None:
        self.games += 1
        self.answers += played.answers
        self.facts += played.facts
        self.results[played.ended or "broken off"] += 1
        self.winners[played.winner or "nobody"] += 1
        self.faults += played.faults
        for turn, score in played.scores.items():
            self.scores.setdefault(turn, []).append(score)

    def means(self) -> dict[int, dict[str, float]]:
        """The mean score of each side after each turn, and of how many games."""
        found = {}
        for turn, scores in sorted(self.scores.items()):
            sides = {side: round(sum(score[side] for score in scores) / len(scores), 2) for side in scores[0]}
            found[turn] = {**sides, "games": len(scores)}
        return found

    def to_json(self) -> dict[str, Any]:
        faults = [asdict(fault) for fault in sorted(self.faults, key=lambda fault: fault.seed)]
        return {
            "game": self.game,
            "games": self.games,
            "faults": faults,
            "games_per_minute": self.games_per_minute,
            "answers": self.answers,
            "facts": self.facts,
            "results": dict(sorted(self.results.items())),
            "winners": dict(sorted(self.winners.items())),
            "scores": self.means(),
        }


def no_progress(done: int, of: int) -> None:
    """Nobody watches."""


def fuzz(
    game_factory: GameFactory,
    games: int,
    seed: int = 0,
    bots: str = "random",
    workers: int = 1,
    progress: Progress = no_progress,
) -> FuzzReport:
    """Plays so many campaigns from consecutive seeds; every fault found is in the report."""
    report = FuzzReport(game_factory().rulebook)
    begun = time.perf_counter()
    for played in _campaigns(game_factory, range(seed, seed + games), bots, workers):
        report.add(played)
        progress(report.games, games)
    report.seconds = time.perf_counter() - begun
    return report


def _campaigns(factory: GameFactory, seeds: range, bots: str, workers: int) -> Iterator[FuzzedGame]:
    if workers <= 1:
        game = factory()
        for seed in seeds:
            yield play_one(game, seed, bots)
        return
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=spawn, initializer=_sit_down, initargs=(factory,)) as pool:
        for future in as_completed([pool.submit(_play_here, seed, bots) for seed in seeds]):
            yield future.result()


_here: dict[str, Game] = {}  # the game of a worker process, set up once


def _sit_down(factory: GameFactory) -> None:
    Thread(target=_leave_with_the_last, daemon=True).start()
    _here["game"] = factory()


def _leave_with_the_last() -> None:
    """A worker whose employer was killed would wait for its next game for ever."""
    employer = multiprocessing.parent_process()
    if employer is not None:
        employer.join()
        os._exit(1)


def _play_here(seed: int, bots: str) -> FuzzedGame:
    return play_one(_here["game"], seed, bots)


def play_one(game: Game, seed: int, bots: str = "random") -> FuzzedGame:
    """One campaign, watched all the way, and its log verified."""
    played = FuzzedGame(seed)
    watcher = _Watcher(game, played)
    try:
        result = play(game, watcher.bots(bots), seed=seed, watch=watcher.watch)
        lines = result.campaign.lines()
        watcher.position_faults(result.campaign.referee.table)
        played.ended, played.winner, played.lines = result.ended, result.winner, len(lines)
        played.scores = scores(game, lines)
        verdict = verify_lines(lines, None, lambda *named: game)
        played.facts = verdict.facts
        for fault in verdict.faults:
            watcher.note("log", f"line {fault.line}: {fault.what}")
        if not result.ended:
            watcher.note("dead end", "play stopped, and the game has no result")
    except Endless as endless:
        watcher.note("endless", str(endless))
    except Stuck as stuck:
        watcher.note("dead end", str(stuck))
    except Exception as error:
        watcher.note("crash", f"{type(error).__name__}: {error}", _innermost(error))
    return played


def scores(game: Game, lines: Sequence[Line]) -> dict[int, dict[str, int]]:
    """The score at the end of each turn, where the game counts any."""
    found: dict[int, dict[str, int]] = {}
    table = Table(game, game.new_position())
    for item in (item for line in lines for item in items(line) if item.kind == "fact"):
        ended = table.position.turn
        if isinstance(item.fact, StageBegan) and 0 < ended < item.fact.turn:
            found[ended] = dict(game.score(table))
        apply(table.position, item.fact)
    found[table.position.turn] = dict(game.score(table))
    return {turn: score for turn, score in found.items() if score}


def _innermost(error: BaseException, most: int = 6) -> tuple[str, ...]:
    frames = traceback.extract_tb(error.__traceback__)[-most:]
    return tuple(f"{'/'.join(PurePath(f.filename).parts[-3:])}:{f.lineno} in {f.name}: {f.line}" for f in frames)


class _Watcher:
    """Looks over the bots' shoulders: is every ask sound, is the position whole at the end of each stage?"""

    def __init__(self, game: Game, played: FuzzedGame) -> None:
        self.game, self.played = game, played
        self.random = Random(played.seed)
        self.stage: tuple[int, str] = (0, "")
        self.at = ""
        self.last: Order | None = None

    def bots(self, kind: str) -> Mapping[str, Bot]:
        """A bot for each chair, of a temper that depends on the seed."""
        seed = self.played.seed * 10
        made: dict[str, Bot] = {}
        for number, side in enumerate(self.game.setting.chairs):
            if kind == "random":
                made[side] = RandomLegal(seed + number, restless=self.random.choice(RESTLESS))
            else:
                made[side] = BOTS[kind](seed + number)
        return {side: _Heard(bot, self) for side, bot in made.items()}

    def note(self, kind: str, what: str, where: tuple[str, ...] = ()) -> None:
        if len(self.played.faults) < MOST_FAULTS:
            line = self.last.line() if self.last is not None else ""
            self.played.faults.append(Finding(kind, self.played.seed, self.at, line, what, where))

    def position_faults(self, table: Table) -> None:
        for fault in self.game.faults(table):
            self.note("position", fault)

    def watch(self, table: Table, ask: Ask) -> Ask:
        """The ask looked over; its options are kept, so that the bot need not work them out again."""
        self.played.answers += 1
        stage = (table.position.turn, table.position.stage)
        if stage != self.stage:
            self.stage = stage
            self.position_faults(table)
        kept = ask.choices()
        if not kept:
            self.note("dead end", f"{ask.key}: there is nothing to choose from")
        self.must_be_legal(ask, ask.default(), "the default")
        if self.random.random() < PROBE:
            for choice in kept:
                if choice.complete:
                    order = choice.order()
                    self.must_be_legal(ask, order, "a choice")
                    self.must_read_again(table, ask, order)
                elif not choice.following():
                    self.note("dead end", f"{ask.key}: {choice.line()!r} is offered and leads nowhere")
        return replace(ask, offers=lambda: kept)

    def must_read_again(self, table: Table, ask: Ask, order: Order) -> None:
        """What a choice says can be written, and means the same."""
        read: Order | str
        try:
            read = self.game.book.read(order.line(), table.reading(ask.side))
        except Refusal as refusal:
            read = refusal.sentence()
        if read != order:
            self.note("dead end", f"{ask.key}: {order.line()!r} is read as {read}")

    def must_be_legal(self, ask: Ask, order: Order, what: str) -> None:
        try:
            if not isinstance(order, ask.verbs):
                raise not_asked(order, ask)
            ask.check(order)
        except Refusal as refusal:
            self.note("dead end", f"{ask.key}: {what} {order.line()!r} is refused: {refusal.sentence()}")


@dataclass
class _Heard:
    """A bot whose last words are remembered, in case they bring the house down."""

    bot: Bot
    watcher: _Watcher

    def answer(self, table: Table, ask: Ask) -> Order:
        self.watcher.at = ask.key
        self.watcher.last = self.bot.answer(table, ask)
        return self.watcher.last
