"""Sets of hexes as areas on the sheet: their outlines, straight or softened like nature's, and the front."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import hypot
from random import Random

from engine import hexset
from engine.board import Board
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from pbem.pictures.curves import halfway, rounded
from pbem.pictures.look import Look
from pbem.pictures.shapes import Path, Point, Shape

Key = tuple[int, int]
Edge = tuple[Point, Point]


def key(point: Point) -> Key:
    """A corner as all hexes around it know it, whatever the rounding."""
    return round(point[0] * 1000), round(point[1] * 1000)


def hexsides(grid: Grid, h: Hex) -> Iterator[tuple[Hex | None, Edge]]:
    """The six neighbours of a hex, if there are any, each with the two corners between."""
    corners = grid.corners(h)
    return zip(grid.around(h), pairwise((*corners, corners[0])), strict=True)


def hexside(grid: Grid, a: Hex, b: Hex) -> Edge:
    """The two corners between neighbouring hexes."""
    return next(side for there, side in hexsides(grid, a) if there == b)


def outlines(grid: Grid, hexes: HexSet) -> list[list[Point]]:
    """The closed lines around a set of hexes, holes too, clockwise around what is inside."""
    around = ((there, side) for h in hexset.members(hexes) for there, side in hexsides(grid, h))
    edges = [side for there, side in around if there is None or not hexes >> there & 1]
    return [[one for one, _ in run] for run in _strung(edges)]


def _strung(edges: Iterable[Edge]) -> Iterator[list[Edge]]:
    """Edges that follow each other: first those from an open end on, then rings."""
    onward: dict[Key, list[Edge]] = {}
    for edge in edges:
        onward.setdefault(key(edge[0]), []).append(edge)
    reached = {key(two) for row in onward.values() for _, two in row}
    starts = [k for k in onward if k not in reached]
    while onward:
        at = next((k for k in starts if k in onward), next(iter(onward)))
        run: list[Edge] = []
        while at in onward:
            run.append(onward[at].pop())
            if not onward[at]:
                del onward[at]
            at = key(run[-1][1])
        yield run


def noise(point: Point, most: float, salt: str = "") -> Point:
    """The point moved a little, always the same way."""
    x, y = key(point)
    dice = Random(f"{salt}{x},{y}")
    return point[0] + dice.uniform(-most, most), point[1] + dice.uniform(-most, most)


def softened(grid: Grid, hexes: HexSet, wobble: float = 0.1) -> list[list[Point]]:
    """The outlines as a painter draws woods and shores: bent a little at every corner and half way between."""
    loops = [pairwise([*loop, loop[0]]) for loop in outlines(grid, hexes)]
    return [rounded([noise(p, wobble) for a, b in sides for p in (a, halfway(a, b))]) for sides in loops]


def is_hole(loop: list[Point]) -> bool:
    """Whether an outline runs around a gap in its set."""
    return sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise([*loop, loop[0]])) < 0


def patches(grid: Grid, hexes: HexSet) -> Iterator[HexSet]:
    """The connected parts of a set."""
    while hexes:
        yield (patch := hexset.flood(grid, hexes & -hexes, hexes))
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


REACH = 4  # hexes from a counter that it is taken to hold
Held = Mapping[str, HexSet]


def control(board: Board, held: Held) -> dict[str, HexSet]:
    """Every hex near a counter, given to the side that is nearest, or stronger around it."""
    grid = board.grid
    areas = {side: hexes & board.land for side, hexes in held.items()}
    for _ in range(REACH):
        free = board.land & ~hexset.union(areas.values())
        grown = {side: hexset.spread(grid, hexes) & free for side, hexes in areas.items()}
        nearby = dict(areas)
        for side, hexes in grown.items():
            areas[side] |= hexes & ~hexset.union(g for s, g in grown.items() if s != side)
        for h in hexset.members(free & ~hexset.union(areas.values()) & hexset.union(grown.values())):
            around = hexset.within(grid, 1 << h, 2)
            strengths = {side: hexset.count(around & hexes) for side, hexes in nearby.items()}
            areas[max(strengths, key=strengths.__getitem__)] |= 1 << h
    return areas


def border(grid: Grid, areas: Held) -> set[tuple[Hex, Hex]]:
    """The hexsides between the first side's area and any other's, its own hex first."""
    first, *rest = areas
    others = hexset.union(areas[side] for side in rest)
    edge = hexset.members(areas[first] & hexset.spread(grid, others))
    return {(h, n) for h in edge for n in grid.neighbours(h) if others >> n & 1}


def front_line(board: Board, look: Look, before: Held, now: Held) -> Iterator[Shape]:
    """The front as it is, a line with the colour of each side on its own side; dashed where it was."""
    grid = board.grid
    new, old = border(grid, control(board, now)), border(grid, control(board, before))
    first, second, *_ = (look.sides[side].deep for side in now)
    for run in _runs(grid, old - new):
        yield Path(tuple(run), "#5f5a50", 0.045, smooth=True, dash=(0.12, 0.1))
    for run in _runs(grid, new):
        yield Path(tuple(run), "#fbf7ea", 0.17, smooth=True)
        yield Path(tuple(_aside(run, 0.032)), first, 0.06, smooth=True)
        yield Path(tuple(_aside(run, -0.032)), second, 0.06, smooth=True)


def _runs(grid: Grid, sides: set[tuple[Hex, Hex]]) -> Iterator[list[Point]]:
    """Hexsides that follow each other, as the points half way along them between the two ends."""
    for run in _strung(hexside(grid, here, there) for here, there in sorted(sides)):
        yield [run[0][0], *(halfway(one, two) for one, two in run), run[-1][1]]


def _aside(points: list[Point], by: float) -> list[Point]:
    """A line moved to the right of who walks along it."""
    moved = []
    for i, (x, y) in enumerate(points):
        (ax, ay), (bx, by_) = points[max(i - 1, 0)], points[min(i + 1, len(points) - 1)]
        far = hypot(bx - ax, by_ - ay) or 1.0
        moved.append((x - by * (by_ - ay) / far, y + by * (bx - ax) / far))
    return moved
