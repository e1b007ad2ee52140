"""Forecasts: the exact chances of an attack, with every modifier and the case it comes from."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod

MOST = 256  # strengths worked out for one forecast


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
    counted: str = ""  # what the chances are counted with, in words, where that is the player's to say
    also: tuple[tuple[str, tuple[tuple[str, Fraction], ...]], ...] = ()  # the chances if it is another number of draws

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


def in_steps(unit: str) -> str:
    """What is not known of a unit is counted in steps."""
    return "steps"


def over(
    possible: Mapping[str, Sequence[int]],
    work_out: Callable[[Mapping[str, int]], Forecast],
    case: str,
    of: Callable[[str], str] = in_steps,
) -> Forecast:
    """One forecast over all that units may have left (fewest first), each set as likely as another; `of` says what."""
    pool = [work_out(dict(zip(possible, steps, strict=True))) for steps in _pool(list(possible.values()))]
    weakest, strongest = pool[0], pool[-1]
    columns = Counter(each.column for each in reversed(pool))
    working = [
        Working(f"strength of {unit} not known", f"{steps[0]} to {steps[-1]} {of(unit)}", case)
        for unit, steps in possible.items()
        if len(steps) > 1
    ]
    working += [Working(f"column {name}", f"{Fraction(n, len(pool))} of what is possible", case)
                for name, n in columns.items()]  # fmt: skip
    results = dict.fromkeys(result for each in pool for result, _ in each.chances)
    chances = tuple((result, _mean(dict(each.chances).get(result, Fraction(0)) for each in pool)) for result in results)
    seen = [astuple(each.outlook) for each in pool if each.outlook is not None]
    return replace(
        strongest,
        column=strongest.column if len(columns) == 1 else f"{strongest.column} to {weakest.column}",
        working=(*strongest.working, *working),
        chances=chances,
        outlook=Outlook(*map(_mean, zip(*seen, strict=True))) if seen else None,
    )


def _pool(ranges: Sequence[Sequence[int]]) -> Iterable[Sequence[int]]:
    """Every set of steps, from the weakest to the strongest; if they are too many, all units alike weak or strong."""
    if prod(map(len, ranges)) <= MOST:
        return product(*ranges)
    longest = max(map(len, ranges))
    return [[steps[n * (len(steps) - 1) // (longest - 1)] for steps in ranges] for n in range(longest)]


def _mean(chances: Iterable[Fraction]) -> Fraction:
    found = list(chances)
    return sum(found, Fraction(0)) / len(found)
