"""A player who asks the rulebook's own appraisal what is good, and does the best of what it looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from engine.asks import Ask, Option
from engine.orders.order import Order
from engine.refusals import Refusal
from engine.table import Table

DEPTH = 16  # steps in one answer


@dataclass
class _Search:
    """The best answer found so far, and how much looking is left."""

    table: Table  # as the side sees it
    ask: Ask
    left: int
    best: str = ""
    worth: float = 0.0
    order: Order | None = field(default=None)

    def weigh(self, line: str) -> float | None:
        """What an answer is worth; None if it turns out not to be one."""
        self.left -= 1
        try:
            order = self.table.game.book.read(line, self.table.reading(self.ask.side))
        except Refusal:
            return None
        worth = self.table.game.appraise(self.table, self.ask, order)
        if worth > self.worth:
            self.best, self.worth, self.order = line, worth, order
        return worth


class Sensible:
    """Takes the best answer that is better than doing nothing; ends a phase when there is none."""

    def __init__(self, seed: int = 0, *, at_once: int = 6, width: int = 24, budget: int = 160) -> None:
        self._random = Random(seed)
        self.at_once = at_once  # first steps looked at before the best of them is taken
        self.width = width  # continuations looked at after each step
        self.budget = budget  # answers appraised at most for one ask
        self._phase: tuple[int, str] = (0, "")
        self._idle: set[str] = set()  # first steps that led to nothing good in this phase

    def answer(self, table: Table, ask: Ask) -> str:
        """The best line found, or the ask's default."""
        phase = (table.position.turn, table.position.stage)
        if phase != self._phase:
            self._phase = phase
            self._idle.clear()
        first = ask.options("")
        if ask.top:
            first = [option for option in first if option.line not in self._idle]
        self._random.shuffle(first)
        seen = table.seen_by(ask.side)
        for start in range(0, len(first), self.at_once):
            search = _Search(seen, ask, self.budget)
            for option in first[start : start + self.at_once]:
                before = search.worth
                self._look(search, [option], DEPTH)
                if ask.top and search.worth == before:
                    self._idle.add(option.line)
            if search.worth > 0:
                return search.best
        return ask.default().line()

    def _look(self, search: _Search, options: Sequence[Option], depth: int) -> None:
        """Appraises whole answers; goes on from the best of them, and from a few unfinished ones."""
        onward: Option | None = None
        most = 0.0
        unfinished: list[Option] = []
        for option in options:
            if search.left <= 0:
                return
            if option.complete:
                worth = search.weigh(option.line)
                if option.more and worth is not None and worth > most:
                    onward, most = option, worth
            elif option.more:
                unfinished.append(option)
        if depth <= 0:
            return
        following = ([onward] if onward is not None and most >= search.worth else []) + unfinished[:3]
        for option in following:
            longer = search.ask.options(option.line)
            if len(longer) > self.width:
                longer = self._random.sample(longer, self.width)
            self._look(search, longer, depth - 1)
