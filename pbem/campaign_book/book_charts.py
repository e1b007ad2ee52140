"""Charts of the book, as SVG: how losses and points went turn by turn, and how the dice fell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from pbem.report.printing import paper

WIDE, HIGH = 640, 230
LEFT, RIGHT, TOP, BOTTOM = 44, 118, 14, 30
APART = 15  # between two names at the end of their lines


@dataclass(frozen=True)
class ChartLine:
    """A line of a chart: whose, its colour, and a value for each turn."""

    name: str
    colour: str
    values: Sequence[int]


def line_chart(turns: Sequence[int], courses: Sequence[ChartLine], about: str) -> Markup:
    """Lines over the turns, each named where it ends."""
    values = [value for course in courses for value in course.values]
    low, high = min(0, *values), max(1, *values)
    step = _step(high - low)
    low, high = low // step * step, -(-high // step) * step

    def y(value: float) -> float:
        return TOP + (HIGH - TOP - BOTTOM) * (high - value) / (high - low)

    rules = [(value, y(value)) for value in range(low, high + 1, step)]
    places = [LEFT + (WIDE - LEFT - RIGHT) * number / max(1, len(turns) - 1) for number in range(len(turns))]
    some = [*zip(turns, places, strict=True)][:: -(-len(turns) // 16)]
    points = [[*zip(places, map(y, course.values), strict=True)] for course in courses]
    drawn = [*zip(courses, points, _apart([ends[-1][1] for ends in points]), strict=True)]
    return _drawn("lines", about, WIDE, HIGH, LEFT, WIDE - RIGHT, rules, some, drawn)


def bar_chart(counts: Mapping[str, int], expected: float, about: str) -> Markup:
    """Bars with their counts; a line across where each should stand."""
    high, tall = max([*counts.values(), expected, 1]) * 1.15, 150
    wide = min(70.0, (WIDE - LEFT - RIGHT) / max(1, len(counts)))

    def y(value: float) -> float:
        return 20 + (tall - 45) * (high - value) / high

    bars = [(name, count, y(count)) for name, count in counts.items()]
    return _drawn("bars", about, WIDE, tall, LEFT, wide, y(0), bars, expected, y(expected))


def _drawn(what: str, *given: Any) -> Markup:
    return Markup(getattr(paper("html").get_template("book/charts.svg").module, what)(*given))


def _step(reach: int) -> int:
    """The distance of lines across: a round number, so that there are six at the most."""
    ten = 1
    while reach > 30 * ten:
        ten *= 10
    return next(ten * times for times in (1, 2, 5) if reach <= 6 * ten * times)


def _apart(ends: Sequence[float]) -> list[float]:
    """Heights of names that do not run into each other, in the order they were given."""
    found = list(ends)
    ranked = sorted(range(len(ends)), key=ends.__getitem__)
    for above, below in pairwise(ranked):
        found[below] = max(found[below], found[above] + APART)
    return found
