"""A chooser with a trace: candidates through an ordered list of preferences, for a side that the rules play."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from engine.asks import Roll, Step
from engine.facts import Chose

T = TypeVar("T")
Preference = tuple[str, Callable[[T], float]]  # its name, and what a candidate is worth by it: more is better
ONLY, ORDER, DIE = "the only one", "the order they stand in", "the die"


@dataclass(frozen=True)
class Chosen(Generic[T]):
    """The best candidate, what decided for it, and who was left after each preference that somebody met."""

    tied: tuple[T, ...]  # those that no preference tells apart, as they were given
    by: str
    trace: tuple[tuple[str, tuple[str, ...]], ...] = ()
    name: Callable[[T], str] = str

    @property
    def best(self) -> T:
        return self.tied[0]

    def told(self, who: str, what: str, case: str) -> Chose:
        """The fact that tells it, so that a player can audit his enemy."""
        return Chose(who=who, what=f"{what} {self.name(self.best)}", by=self.by, trace=self.trace, because=case)


def choose(candidates: Sequence[T], preferences: Sequence[Preference[T]], name: Callable[[T], str] = str) -> Chosen[T]:
    """The candidates thinned out preference by preference; one that nobody meets, or all alike, is skipped."""
    left, by, trace = list(candidates), ONLY, []
    for preference, worth in preferences:
        if len(left) == 1:
            break
        found = [worth(candidate) for candidate in left]
        if min(found) < max(found):
            left = [candidate for candidate, value in zip(left, found, strict=True) if value == max(found)]
            by = preference
            trace.append((preference, tuple(map(name, left))))
    return Chosen(tuple(left), by if len(left) == 1 else ORDER, tuple(trace), name)


def by_die(chosen: Chosen[T], purpose: str) -> Generator[Step, Any, Chosen[T]]:
    """A die between those that no preference tells apart, if there are several."""
    if len(chosen.tied) == 1:
        return chosen
    die: int = yield Roll(purpose, sides=len(chosen.tied))
    best = chosen.tied[die - 1]
    return replace(chosen, tied=(best,), by=DIE, trace=(*chosen.trace, (DIE, (chosen.name(best),))))
