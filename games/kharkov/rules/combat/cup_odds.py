"""What so many chits come to (12.4, 12.42): exact, over what is left in the cup."""

from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import comb, factorial

Hits = tuple[int, int]  # on the attacker, on the defender
Odds = dict[Hits, Fraction]
Kinds = Counter[Hits]  # chits by what they would give


def draw_odds(bright: Sequence[Hits], dark: Sequence[Hits], out: Sequence[Hits], number: int) -> Odds:
    """The chance of each total of so many chits from a cup of bright and dark ones.

    The first dark chit brings those that are `out` back into the cup at once (12.42), for the draws after it.
    """
    number = min(number, len(bright) + len(dark) + (len(out) if dark else 0))
    if not out or not dark:
        return _plain([*bright, *dark], number)
    found: Odds = {}
    size = len(bright) + len(dark)
    if number <= len(bright):
        _add(found, _plain(bright, number), Fraction(comb(len(bright), number), comb(size, number)))
    for (before, after, hits), ways in _split(Counter(bright), Counter(dark), Counter(out), number).items():
        # `before` bright ones in any order, then a dark one, then `after` of all that is in the cup by then
        first = Fraction(factorial(before) * factorial(size - before - 1), factorial(size))
        found[hits] = found.get(hits, Fraction(0)) + ways * first / comb(size - before - 1 + len(out), after)
    return found


def _plain(chits: Sequence[Hits], number: int) -> Odds:
    """Without a refill: every set of chits is as likely as another."""
    sets = _sums(Counter(chits), number)
    every = comb(len(chits), number)
    return {hits: Fraction(ways, every) for (size, hits), ways in sets.items() if size == number}


def _sums(chits: Kinds, most: int) -> dict[tuple[int, Hits], int]:
    """How many sets of so many chits come to a total."""
    found = {(0, (0, 0)): 1}
    for (a, d), there in chits.items():
        wider: dict[tuple[int, Hits], int] = {}
        for (size, (x, y)), ways in found.items():
            for taken in range(min(there, most - size) + 1):
                key = size + taken, (x + a * taken, y + d * taken)
                wider[key] = wider.get(key, 0) + ways * comb(there, taken)
        found = wider
    return found


def _split(bright: Kinds, dark: Kinds, out: Kinds, number: int) -> dict[tuple[int, int, Hits], int]:
    """How many ways there are to have a dark chit as the first dark one, by the chits before and after it."""
    found: dict[tuple[int, int, Hits], int] = {}
    twice = _pairs(bright, number - 1)  # bright chits: before the dark one, after it, or not at all
    for first, there in dark.items():
        others = Counter(dark)
        others[first] -= 1
        after = _sums(others + out, number - 1)
        for (before, later, (a, d)), ways in twice.items():
            for (size, (x, y)), more in after.items():
                if before + 1 + later + size == number:
                    key = before, later + size, (a + x + first[0], d + y + first[1])
                    found[key] = found.get(key, 0) + there * ways * more
    return found


def _pairs(chits: Kinds, most: int) -> dict[tuple[int, int, Hits], int]:
    """How many pairs of sets, of so many and so many chits, come to a total."""
    found = {(0, 0, (0, 0)): 1}
    for (a, d), there in chits.items():
        wider: dict[tuple[int, int, Hits], int] = {}
        for (one, other, (x, y)), ways in found.items():
            room = min(there, most - one - other)
            for taken in range(room + 1):
                for more in range(room - taken + 1):
                    key = one + taken, other + more, (x + a * (taken + more), y + d * (taken + more))
                    wider[key] = wider.get(key, 0) + ways * comb(there, taken) * comb(there - taken, more)
        found = wider
    return found


def _add(found: Odds, more: Odds, chance: Fraction) -> None:
    for hits, part in more.items():
        found[hits] = found.get(hits, Fraction(0)) + chance * part


def summed(odds: Iterable[tuple[Hits, Fraction]]) -> Odds:
    """Totals that have become the same, added up."""
    found: Odds = {}
    for hits, chance in odds:
        found[hits] = found.get(hits, Fraction(0)) + chance
    return found
