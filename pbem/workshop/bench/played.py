"""A finished campaign to measure on, and how time is taken."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from engine.bots import Sensible
from engine.game import Game
from engine.log import Line, items

TRIES = 3  # the best of so many: what else the machine does is no part of the figure

Figures = list[tuple[str, float, str]]  # a name, a number, the workload in words


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


def bots_for(game: Game, seed: int) -> dict[str, Sensible]:
    """A sensible bot for each side."""
    return {side: Sensible(seed + number) for number, side in enumerate(game.setting.chairs)}


def facts_in(lines: Sequence[Line]) -> int:
    """How many facts some lines hold."""
    return sum(item.kind == "fact" for line in lines for item in items(line))


def best(work: Callable[[], object]) -> float:
    """The seconds it takes at its best."""
    times = []
    for _ in range(TRIES):
        began = perf_counter()
        work()
        times.append(perf_counter() - began)
    return min(times)


def ms(seconds: float) -> float:
    return round(seconds * 1000, 3)
