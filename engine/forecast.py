"""Forecasts: the exact chances of an attack, with every modifier and the case it comes from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Working:
    """One line of the arithmetic: what it is, what it amounts to, by which case."""

    what: str
    amount: str
    case: str

    @property
    def noted(self) -> tuple[str, str]:
        """As the fact of an attack keeps it."""
        return f"{self.what}: {self.amount}", self.case


@dataclass(frozen=True)
class Outlook:
    """What the results mean for who attacks: how likely the hex is cleared, whatever the defender chooses and if he
    chooses to go, and how likely the attack costs him something."""

    cleared_at_least: Fraction
    cleared_at_most: Fraction
    cost: Fraction


@dataclass(frozen=True)
class Forecast:
    """What an attack would come to: the column, how it was found, the chance of each result, what that means."""

    title: str
    column: str
    working: tuple[Working, ...]
    chances: tuple[tuple[str, Fraction], ...]
    outlook: Outlook | None = None

    def mean(self, worth: Callable[[str], float]) -> float:
        """The expected worth of the result."""
        return sum(float(chance) * worth(result) for result, chance in self.chances)


def even_chances(results: Sequence[str]) -> tuple[tuple[str, Fraction], ...]:
    """The chance of each result when every entry is equally likely, in the order they first stand."""
    return tuple((result, Fraction(results.count(result), len(results))) for result in dict.fromkeys(results))


def outlook(chances: Sequence[tuple[str, Fraction]], means: Callable[[str], tuple[bool, bool, bool]]) -> Outlook:
    """From the chances, and what each result means: surely clears the hex, may clear it, costs the attacker."""
    sums = [sum((chance for result, chance in chances if means(result)[of]), Fraction(0)) for of in range(3)]
    return Outlook(*sums)
