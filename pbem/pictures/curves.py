"""Lines bent and broken: smooth curves, rounded outlines, dashes, arrowheads."""

from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import dist

from pbem.pictures.shapes import Point

Bend = tuple[Point, Point, Point, Point]


def bends(points: Sequence[Point]) -> Iterator[Bend]:
    """The cubic curves that lead smoothly through the points, each with its two handles."""
    around = [points[0], *points, points[-1]]
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(around, points, points[1:], around[3:], strict=False):
        first, second = (bx + (cx - ax) / 6, by + (cy - ay) / 6), (cx - (dx - bx) / 6, cy - (dy - by) / 6)
        yield (bx, by), first, second, (cx, cy)


def smooth(points: Sequence[Point], steps: int = 6) -> list[Point]:
    """A curve through the points, as many short straight lines."""
    if len(points) < 3:
        return list(points)
    found = [points[0]]
    for a, b, c, d in bends(points):
        for step in range(1, steps + 1):
            t = step / steps
            u = 1 - t
            k, m, n, o = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
            found.append((k * a[0] + m * b[0] + n * c[0] + o * d[0], k * a[1] + m * b[1] + n * c[1] + o * d[1]))
    return found


def rounded(loop: Sequence[Point], times: int = 2) -> list[Point]:
    """A closed outline with its corners cut, again and again."""
    points = list(loop)
    for _ in range(times):
        sides = [*pairwise([*points, points[0]])]
        points = [(s * a[0] + (1 - s) * b[0], s * a[1] + (1 - s) * b[1]) for a, b in sides for s in (0.75, 0.25)]
    return points


def halfway(a: Point, b: Point) -> Point:
    """The middle between two points."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def along(points: Sequence[Point], distance: float) -> Point:
    """The point so far from the start of a line, or its end."""
    for a, b in pairwise(points):
        length = dist(a, b)
        if length >= distance and length > 0:
            t = distance / length
            return a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])
        distance -= length
    return points[-1]


def length(points: Sequence[Point]) -> float:
    """How long a line is."""
    return sum(dist(a, b) for a, b in pairwise(points))


def shortened(points: Sequence[Point], start: float, end: float) -> list[Point]:
    """A line without its first and last bit; too short a line becomes its middle third."""
    whole = length(points)
    if whole <= start + end:
        start = end = whole / 3
    gone = accumulate(dist(a, b) for a, b in pairwise(points))
    kept = [point for point, far in zip(points[1:], gone, strict=True) if start < far < whole - end]
    return [along(points, start), *kept, along(points, whole - end)]


def dashes(points: Sequence[Point], pattern: Sequence[float]) -> Iterator[list[Point]]:
    """The drawn bits of a line, by lengths that are drawn and left out in turn."""
    drawn, turn, left = True, 0, pattern[0]
    bit: list[Point] = [points[0]]
    for a, b in pairwise(points):
        here, rest = a, dist(a, b)
        while rest > left > 0:
            t = left / rest
            here = (here[0] + t * (b[0] - here[0]), here[1] + t * (b[1] - here[1]))
            rest -= left
            bit.append(here)
            if drawn:
                yield bit
            drawn, turn, bit = not drawn, turn + 1, [here]
            left = pattern[turn % len(pattern)]
        left -= rest
        bit.append(b)
    if drawn and len(bit) > 1:
        yield bit


def arrowhead(points: Sequence[Point], width: float) -> tuple[Point, Point, Point]:
    """The triangle at the end of an arrow whose line is so wide."""
    tip = points[-1]
    back = next((p for p in reversed(points[:-1]) if dist(tip, p) > width), points[0])
    far = dist(tip, back) or 1.0
    dx, dy = (tip[0] - back[0]) / far, (tip[1] - back[1]) / far
    long, half = 3.0 * width, 1.7 * width
    root = (tip[0] - long * dx, tip[1] - long * dy)
    return tip, (root[0] - half * dy, root[1] + half * dx), (root[0] + half * dy, root[1] - half * dx)
