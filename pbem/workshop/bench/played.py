"""A finished campaign to measure on, and how time is taken."""

import gc
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import quantiles
from timeit import repeat

import structlog

from engine.bots import Sensible
from engine.game import Game
from engine.log import Line, items

Progress = Callable[[int, int], None]  # how much is done, of how much
TRIES = 3  # the best of so many: what else the machine does is no part of the figure


@dataclass(frozen=True)
class Played:
    """A finished campaign, and how much there is in it."""

    game: Game
    seed: int
    secret: bytes
    lines: list[Line]

    @property
    def facts(self) -> int:
        return facts_in(self.lines)


def untold(done: int, of: int) -> None:
    """Nobody waits for it."""


def be_quiet() -> None:
    """The journal is no part of what is measured."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))


def bots_for(game: Game, seed: int) -> dict[str, Sensible]:
    """A sensible bot for each side."""
    return {side: Sensible(seed + number) for number, side in enumerate(game.setting.chairs)}


def facts_in(lines: Sequence[Line]) -> int:
    """How many facts some lines hold."""
    return sum(item.kind == "fact" for line in lines for item in items(line))


def best(work: Callable[[], object], tries: int = TRIES) -> float:
    """The seconds it takes at its best."""
    return min(repeat(work, _swept, number=1, repeat=tries))


def _swept() -> None:
    """Litter is looked for as ever, but none is left from before."""
    gc.enable()
    gc.collect()


def at_percent(times: Sequence[float], percent: int) -> float:
    """What so many of a hundred do not exceed."""
    return quantiles(times, n=100, method="inclusive")[percent - 1] if len(times) > 1 else sum(times)


def ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
