"""Charts of the book, as SVG: how losses and points went turn by turn, and how the dice fell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup, escape

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
    low = min(0, *(value for course in courses for value in course.values))
    high = max(1, *(value for course in courses for value in course.values))
    step = _step(high - low)
    low, high = low // step * step, -(-high // step) * step

    def x(number: int) -> float:
        return LEFT + (WIDE - LEFT - RIGHT) * number / max(1, len(turns) - 1)

    def y(value: float) -> float:
        return TOP + (HIGH - TOP - BOTTOM) * (high - value) / (high - low)

    parts = [_rule(y(value), str(value), value == 0) for value in range(low, high + 1, step)]
    every = -(-len(turns) // 16)
    parts += [_label(x(n), HIGH - 10, str(turn)) for n, turn in enumerate(turns) if n % every == 0]
    ends = _apart([y(course.values[-1]) for course in courses])
    for course, end in zip(courses, ends, strict=True):
        points = " ".join(f"{x(n):.1f},{y(value):.1f}" for n, value in enumerate(course.values))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{course.colour}" stroke-width="2.5"/>')
        parts += [
            f'<circle cx="{x(n):.1f}" cy="{y(value):.1f}" r="2.6" fill="{course.colour}"/>'
            for n, value in enumerate(course.values)
        ]
        said = f"{course.name} {course.values[-1]}"
        parts.append(_label(WIDE - RIGHT + 10, end + 4, said, "start", course.colour, bold=True))
    return _svg(parts, about, HIGH)


def bar_chart(counts: Mapping[str, int], expected: float, about: str) -> Markup:
    """Bars with their counts; a line across where each should stand."""
    high = max([*counts.values(), expected, 1]) * 1.15
    tall = 150
    wide = min(70.0, (WIDE - LEFT - RIGHT) / max(1, len(counts)))

    def y(value: float) -> float:
        return 20 + (tall - 45) * (high - value) / high

    parts = []
    for number, (name, count) in enumerate(counts.items()):
        left = LEFT + wide * number
        parts.append(
            f'<rect x="{left + 6:.1f}" y="{y(count):.1f}" width="{wide - 12:.1f}" height="{y(0) - y(count):.1f}"'
            ' fill="#8a7a4a"/>'
        )
        parts.append(_label(left + wide / 2, y(count) - 5, str(count)))
        parts.append(_label(left + wide / 2, tall - 8, name, bold=True))
    end = LEFT + wide * len(counts)
    line = y(expected)
    parts.append(f'<path d="M{LEFT} {line:.1f}H{end:.1f}" stroke="#9c3a22" stroke-width="1.5" stroke-dasharray="5 4"/>')
    parts.append(_label(end + 8, line + 4, f"{expected:.1f} expected", "start", "#9c3a22"))
    return _svg(parts, about, tall)


def _svg(parts: Sequence[str], about: str, tall: int) -> Markup:
    drawn = "".join(parts)
    return Markup(f'<svg viewBox="0 0 {WIDE} {tall}" role="img" aria-label="{escape(about)}">{drawn}</svg>')


def _step(reach: int) -> int:
    """The distance of lines across: a round number, so that there are six at the most."""
    ten = 1
    while reach > 30 * ten:
        ten *= 10
    return next(ten * times for times in (1, 2, 5) if reach <= 6 * ten * times)


def _rule(y: float, name: str, zero: bool) -> str:
    ink = "#8a8372" if zero else "#ddd2b0"
    line = f'<path d="M{LEFT} {y:.1f}H{WIDE - RIGHT}" stroke="{ink}" stroke-width="1"/>'
    return line + _label(LEFT - 8, y + 4, name, "end")


def _label(x: float, y: float, text: str, anchor: str = "middle", ink: str = "#5b5546", bold: bool = False) -> str:
    weight = ' font-weight="bold"' if bold else ""
    where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {where} fill="{ink}" font-size="12"{weight}>{escape(text)}</text>'


def _apart(ends: Sequence[float]) -> list[float]:
    """Heights of names that do not run into each other, in the order they were given."""
    found = list(ends)
    ranked = sorted(range(len(ends)), key=ends.__getitem__)
    for above, below in pairwise(ranked):
        found[below] = max(found[below], found[above] + APART)
    return found
