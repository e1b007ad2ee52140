"""Sets of hexes as areas on the sheet: their outlines, straight along the hexsides or softened like nature's."""

from collections.abc import Iterable, Iterator
from itertools import pairwise
from random import Random

from engine import hexset
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from pbem.pictures.curves import rounded
from pbem.pictures.shapes import Point

Key = tuple[int, int]


def key(point: Point) -> Key:
    """A corner as all hexes around it know it, whatever the rounding."""
    return round(point[0] * 1000), round(point[1] * 1000)


def hexside(grid: Grid, a: Hex, b: Hex) -> tuple[Point, Point]:
    """The two corners between neighbouring hexes."""
    direction = grid.direction(a, b)
    assert direction is not None
    corners = grid.corners(a)
    return corners[direction], corners[(direction + 1) % 6]


def outlines(grid: Grid, hexes: HexSet) -> list[list[Point]]:
    """The closed lines around a set of hexes, holes too, clockwise around what is inside."""
    onward: dict[Key, list[tuple[Point, Point]]] = {}
    for h in hexset.members(hexes):
        corners = grid.corners(h)
        for d in range(6):
            neighbour = grid.neighbour(h, d)
            if neighbour is None or not hexes >> neighbour & 1:
                onward.setdefault(key(corners[d]), []).append((corners[d], corners[(d + 1) % 6]))
    loops: list[list[Point]] = []
    while onward:
        start = next(iter(onward))
        loop, here = [], start
        while here in onward:
            sides = onward[here]
            first, second = sides.pop()
            if not sides:
                del onward[here]
            loop.append(first)
            here = key(second)
        loops.append(loop)
    return loops


def noise(point: Point, most: float, salt: str = "") -> Point:
    """The point moved a little, always the same way."""
    x, y = key(point)
    dice = Random(f"{salt}{x},{y}")
    return point[0] + dice.uniform(-most, most), point[1] + dice.uniform(-most, most)


def softened(grid: Grid, hexes: HexSet, wobble: float = 0.1) -> list[list[Point]]:
    """The outlines as a painter draws woods and shores: bent a little at every corner and half way between."""
    loops = []
    for loop in outlines(grid, hexes):
        bent: list[Point] = []
        for a, b in pairwise([*loop, loop[0]]):
            bent += [noise(a, wobble), noise(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), wobble)]
        loops.append(rounded(bent))
    return loops


def is_hole(loop: list[Point]) -> bool:
    """Whether an outline runs around a gap in its set."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*loop, loop[0]])) < 0


def patches(grid: Grid, hexes: HexSet) -> Iterator[HexSet]:
    """The connected parts of a set."""
    while hexes:
        start = hexes & -hexes
        patch = hexset.flood(grid, start, hexes)
        yield patch
        hexes &= ~patch


def scattered(grid: Grid, hexes: Iterable[Hex], apart: float, reach: float, salt: str) -> list[tuple[Point, Random]]:
    """Points strewn over hexes, none nearer to another than `apart`, each with its own dice; top ones first."""
    found: list[tuple[Point, Random]] = []
    for h in hexes:
        dice = Random(f"{salt}{grid.number_of(h)}")
        x, y = grid.centre(h)
        for _ in range(60):
            point = (x + dice.uniform(-reach, reach), y + dice.uniform(-reach, reach))
            if (point[0] - x) ** 2 + (point[1] - y) ** 2 > reach * reach:
                continue
            if all((point[0] - p[0]) ** 2 + (point[1] - p[1]) ** 2 > apart * apart for p, _ in found[-40:]):
                found.append((point, Random(f"{salt}{point}")))
    return sorted(found, key=lambda strewn: strewn[0][1])
