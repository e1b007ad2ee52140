"""A player who asks the rulebook's own appraisal what is good, and does the best of what it looked at."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random

from engine.asks import Ask
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.refusals import passes
from engine.table import Table

DEPTH = 16  # steps in one answer
UNFINISHED = 3  # beginnings followed at once
NOTHING = float("-inf")


@dataclass
class _Search:
    """The best answer found so far, and how much looking is left."""

    table: Table  # as the side sees it
    ask: Ask
    left: int = 0
    best: Order | None = None
    worth: float = 0.0

    def weigh(self, choice: Choice) -> float:
        """What an answer is worth."""
        self.left -= 1
        order = choice.order()
        worth = self.table.game.appraise(self.table, self.ask, order)
        if worth > self.worth:
            self.best, self.worth = order, worth
        return worth


class Sensible:
    """Takes the best answer that is better than doing nothing; ends a phase when there is none."""

    def __init__(self, seed: int = 0, *, at_once: int = 1, width: int = 120, budget: int = 160) -> None:
        self._random = Random(seed)
        self.at_once = at_once  # beginnings looked at before the best of them is taken
        self.width = width  # continuations looked at after each step
        self.budget = budget  # answers appraised at most from one beginning
        self._phase: tuple[int, str] = (0, "")
        self._idle: set[Hashable] = set()  # beginnings that led to nothing good in this phase, or have been taken

    def answer(self, table: Table, ask: Ask) -> Order:
        """What the rulebook's plan says, else the best order found, or the ask's default."""
        seen = table.seen_by(ask.side)
        advised = table.game.advise(seen, ask)
        if advised is not None and isinstance(advised, ask.verbs) and passes(ask.check, advised):
            return advised
        phase = (table.position.turn, table.position.stage)
        if phase != self._phase:
            self._phase = phase
            self._idle.clear()
        first = ask.choices()
        self._random.shuffle(first)
        search = _Search(seen, ask)
        begun = [choice for choice in first if choice.more and not (ask.top and choice.key in self._idle)]
        self._try(search, [choice for choice in first if not choice.more])
        for start in range(0, len(begun), self.at_once):
            for choice in begun[start : start + self.at_once]:
                before = search.best
                # What a unit did was the best it could; it is not looked at again, nor is what led to nothing.
                if (self._try(search, [choice]) <= 0 and ask.top) or search.best is not before:
                    self._idle.add(choice.key)
            if search.worth > 0:
                break
        return search.best or ask.default()

    def _try(self, search: _Search, choices: Sequence[Choice]) -> float:
        search.left = max(self.budget, len(choices))
        return self._look(search, choices, NOTHING, DEPTH)

    def _look(self, search: _Search, choices: Sequence[Choice], came: float, depth: int) -> float:
        """Appraises whole answers and goes on from the best of them as long as that makes it better."""
        best, onward = NOTHING, None
        unfinished: list[Choice] = []
        for choice in choices:
            if search.left <= 0:
                break
            if choice.complete:
                worth = search.weigh(choice)
                if worth > best:
                    best, onward = worth, choice if choice.more else None
            else:
                unfinished.append(choice)
        following = unfinished[:UNFINISHED]
        if onward is not None and best > came:
            following.append(onward)
        for choice in following if depth else []:
            best = max(best, self._look(search, self._longer(choice), best, depth - 1))
        return best

    def _longer(self, choice: Choice) -> list[Choice]:
        """Every choice one step longer, or a sample of them."""
        values = choice.values
        if len(values) > self.width:
            values = tuple(self._random.sample(values, self.width))
        return [*map(choice.saying, values), *choice.also()]
