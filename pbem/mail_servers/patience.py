"""How long to wait before trying a server again."""

import random
import time
from collections.abc import Callable

FIRST, LONGEST = 2.0, 600.0  # seconds


class Patience:
    """Twice as long after every failure, with some chance in it: many clients must not come back at once."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, chance: Callable[[], float] = random.random
    ) -> None:
        self._clock, self._chance = clock, chance
        self._failures = 0
        self._until = 0.0

    @property
    def left(self) -> float:
        """Seconds until the next try is due."""
        return max(0.0, self._until - self._clock())

    def failed(self) -> None:
        longest = min(LONGEST, FIRST * 2**self._failures)
        self._failures = min(self._failures + 1, 20)
        self._until = self._clock() + longest * (0.5 + self._chance() / 2)

    def succeeded(self) -> None:
        self._failures, self._until = 0, 0.0
