"""A player who says anything legal: for finding what breaks."""

from __future__ import annotations

from random import Random

from engine.asks import Ask
from engine.table import Table

STEPS = 24  # an answer grown step by step is cut off here


class RandomLegal:
    """Picks answers step by step at random; the longer a phase lasts, the likelier it is to end it."""

    def __init__(self, seed: int = 0, *, restless: int = 12) -> None:
        self._random = Random(seed)
        self.restless = restless  # about how many orders it gives in a phase
        self._phase: tuple[int, str] = (0, "")
        self._said = 0

    def answer(self, table: Table, ask: Ask) -> str:
        """A legal line."""
        phase = (table.position.turn, table.position.stage)
        if phase != self._phase:
            self._phase, self._said = phase, 0
        self._said += 1
        if ask.top and self._random.random() * 2 * self.restless < self._said - 1:
            return ask.default().line()
        return self._grown(ask) or ask.default().line()

    def _grown(self, ask: Ask) -> str:
        """A line made longer option by option; the longest whole one if it leads nowhere."""
        line = whole = ""
        for _ in range(STEPS):
            options = ask.options(line)
            if not options:
                return whole
            option = self._random.choice(options)
            line = option.line
            if option.complete:
                whole = line
                if not option.more or self._random.random() < 0.5:
                    return whole
        return whole
