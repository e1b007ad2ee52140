"""A player who says anything legal: for finding what breaks."""

from random import Random

from engine.asks import Ask
from engine.orders.choice import Choice
from engine.orders.order import Order
from engine.table import Table

STEPS = 24  # an answer grown step by step is cut off here


class RandomLegal:
    """Picks answers step by step at random; the longer a phase lasts, the likelier it is to end it."""

    def __init__(self, seed: int = 0, *, restless: int = 12) -> None:
        self._random = Random(seed)
        self.restless = restless  # about how many orders it gives in a phase
        self._phase: tuple[int, str] = (0, "")
        self._said = 0

    def answer(self, table: Table, ask: Ask) -> Order:
        """A legal order."""
        phase = (table.position.turn, table.position.stage)
        if phase != self._phase:
            self._phase, self._said = phase, 0
        self._said += 1
        if ask.top and self._random.random() * 2 * self.restless < self._said - 1:
            return ask.default()
        return self._grown(ask) or ask.default()

    def _grown(self, ask: Ask) -> Order | None:
        """A choice made longer step by step; the longest whole one if it leads nowhere."""
        choice: Choice | None = None
        whole: Choice | None = None
        for _ in range(STEPS):
            choices = self._few(choice) if choice is not None else ask.choices()
            if not choices:
                break
            choice = self._random.choice(choices)
            if choice.complete:
                whole = choice
                if not choice.more or self._random.random() < 0.5:
                    break
        return whole.order() if whole is not None else None

    def _few(self, choice: Choice) -> list[Choice]:
        """One of the values that may be said next, and whatever else may follow."""
        said = [choice.saying(self._random.choice(choice.values))] if choice.values else []
        also = list(choice.also())
        if said and also and self._random.randrange(len(choice.values) + len(also)) < len(choice.values):
            return said
        return also or said
