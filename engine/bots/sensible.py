"""A player who asks the rulebook's own appraisal what is good, and does the best of what it looked at."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from engine.asks import Ask, Option
from engine.orders.order import Order
from engine.refusals import Refusal
from engine.table import Table

DEPTH = 16  # steps in one answer
UNFINISHED = 3  # beginnings followed at once
REMEMBERED = 20_000  # lines read before
NOTHING = float("-inf")


@dataclass
class _Search:
    """The best answer found so far, and how much looking is left."""

    table: Table  # as the side sees it
    ask: Ask
    orders: dict[str, Order]  # what lines mean; options name everything by its id, so that it never changes
    left: int = 0
    best: str = ""
    worth: float = 0.0

    def weigh(self, line: str) -> float:
        """What an answer is worth; less than anything if it turns out not to be one."""
        self.left -= 1
        order = self.orders.get(line)
        if order is None:
            try:
                order = self.table.game.book.read(line, self.table.reading(self.ask.side))
            except Refusal:
                return NOTHING
            self.orders[line] = order
        worth = self.table.game.appraise(self.table, self.ask, order)
        if worth > self.worth:
            self.best, self.worth = line, worth
        return worth


class Sensible:
    """Takes the best answer that is better than doing nothing; ends a phase when there is none."""

    def __init__(self, seed: int = 0, *, at_once: int = 1, width: int = 120, budget: int = 160) -> None:
        self._random = Random(seed)
        self.at_once = at_once  # beginnings looked at before the best of them is taken
        self.width = width  # continuations looked at after each step
        self.budget = budget  # answers appraised at most from one beginning
        self._orders: dict[str, Order] = {}
        self._phase: tuple[int, str] = (0, "")
        self._idle: set[str] = set()  # beginnings that led to nothing good in this phase, or have been taken

    def answer(self, table: Table, ask: Ask) -> str:
        """The best line found, or the ask's default."""
        phase = (table.position.turn, table.position.stage)
        if phase != self._phase:
            self._phase = phase
            self._idle.clear()
        first = ask.options("")
        self._random.shuffle(first)
        if len(self._orders) > REMEMBERED:
            self._orders.clear()
        search = _Search(table.seen_by(ask.side), ask, self._orders)
        begun = [option for option in first if option.more and not (ask.top and option.line in self._idle)]
        self._try(search, [option for option in first if not option.more])
        for start in range(0, len(begun), self.at_once):
            for option in begun[start : start + self.at_once]:
                if self._try(search, [option]) <= 0 and ask.top:
                    self._idle.add(option.line)
            if search.worth > 0:
                break
        # What a unit did was the best it could; it is not looked at again.
        self._idle.update(option.line for option in begun if search.best.startswith(option.line))
        return search.best or ask.default().line()

    def _try(self, search: _Search, options: Sequence[Option]) -> float:
        search.left = max(self.budget, len(options))
        return self._look(search, options, NOTHING, DEPTH)

    def _look(self, search: _Search, options: Sequence[Option], came: float, depth: int) -> float:
        """Appraises whole answers and goes on from the best of them as long as that makes it better."""
        best, onward = NOTHING, None
        unfinished: list[Option] = []
        for option in options:
            if search.left <= 0:
                break
            if option.complete:
                worth = search.weigh(option.line)
                if worth > best:
                    best, onward = worth, option if option.more else None
            else:
                unfinished.append(option)
        following = unfinished[:UNFINISHED]
        if onward is not None and best > came:
            following.append(onward)
        for option in following if depth else []:
            longer = search.ask.options(option.line)
            if len(longer) > self.width:
                longer = self._random.sample(longer, self.width)
            best = max(best, self._look(search, longer, best, depth - 1))
        return best
