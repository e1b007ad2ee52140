"""Why a side that the rules play did what it did: its choices, those of one mind together."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine import facts as f


@dataclass(frozen=True)
class Reason:
    """What was chosen for somebody, by which preference, who or what was left after each, and the case."""

    who: tuple[str, ...]
    what: str
    by: str
    trace: tuple[tuple[str, tuple[str, ...]], ...]
    case: str
    facts: tuple[f.Chose, ...]

    def traced(self, most: int = 0) -> str:
        """Who was left after each preference, at most so many of them by name."""
        return "; ".join(f"{preference}: {_some(left, most)}" for preference, left in self.trace)


def reasons(facts: Iterable[f.Fact]) -> list[Reason]:
    """The choices among some facts, in their order; the same choice for several is told once."""
    found: dict[tuple[object, ...], list[f.Chose]] = {}
    for fact in facts:
        if isinstance(fact, f.Chose):
            found.setdefault((fact.what, fact.by, fact.trace, fact.because), []).append(fact)
    return [
        Reason(
            tuple(dict.fromkeys(one.who for one in same)), first.what, first.by, first.trace, first.because, tuple(same)
        )
        for same in found.values()
        for first in same[:1]
    ]


def _some(names: Sequence[str], most: int) -> str:
    if not most or len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"
