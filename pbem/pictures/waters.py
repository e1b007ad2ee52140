"""Rivers along hexsides, with bends, and hexes that are all water, with shores that run together."""

from collections.abc import Iterator

from engine import hexset
from engine.board import Board, Course
from engine.hexset import HexSet
from pbem.pictures.lettering import mixed
from pbem.pictures.look import Look, Stripe
from pbem.pictures.regions import Key, hexside, is_hole, key, noise, patches, scattered, softened
from pbem.pictures.shapes import Path, Point, Polygon, Shape, Strokes
from pbem.pictures.terrain_shapes import is_water

EDGE = 0.028  # how much wider a shore is than its water


def waters(board: Board, look: Look) -> Iterator[Shape]:
    """All water of the map."""
    drawn = [(stripe, run) for stripe, run, _ in rivers(board, look)]
    wet = hexset.union(hexes for kind, hexes in board.terrain.items() if is_water(look, kind))
    style = next((look.terrain[kind] for kind in board.terrain if is_water(look, kind)), None)
    shores = [loop for patch in patches(board.grid, wet) for loop in softened(board.grid, patch, 0.07)]
    for stripe, run in drawn:
        if stripe.edge:
            yield Path(tuple(run), stripe.edge, stripe.width + 2 * EDGE, smooth=True)
    if style is not None:
        for loop in shores:
            yield Polygon(tuple(loop), fill=style.fill, stroke=style.ink, width=2 * EDGE)
    for stripe, run in drawn:
        yield Path(tuple(run), stripe.fill, stripe.width, smooth=True, dash=stripe.dash)
    if style is not None:
        for loop in shores:
            yield Polygon(tuple(loop), fill=look.paper["sheet"] if is_hole(loop) else style.fill)
        yield from _ripples(board, wet, style.ink)


def rivers(board: Board, look: Look) -> list[tuple[Stripe, list[Point], Course]]:
    """Every river as points on its curve; one that joins another ends on it."""
    corners = [(course, run) for course in board.courses for run in _corners(board, course)]
    bends: dict[Key, Point] = {}
    for _, run in corners:
        for before, here, after in zip(run, run[1:], run[2:], strict=False):
            bends.setdefault(key(here), _bend(before, here, after))
    found = []
    for course, run in corners:
        points = [bends.get(key(p), p) for p in run]
        found.append((look.features.get(course.feature, Stripe()), points, course))
    return sorted(found, key=lambda river: river[0].width)


def _bend(before: Point, here: Point, after: Point) -> Point:
    """Where the curve passes a corner: cut a little, and moved as a river would."""
    x = here[0] + (before[0] + after[0] - 2 * here[0]) / 9
    y = here[1] + (before[1] + after[1] - 2 * here[1]) / 9
    return noise((x, y), 0.035, "river")


def _corners(board: Board, course: Course) -> Iterator[list[Point]]:
    """The corners a course runs through, in order; broken where its hexsides do not touch."""
    run: list[Point] = []
    for a, b in course.sides:
        one, two = hexside(board.grid, a, b)
        if len(run) == 2 and key(run[0]) in (key(one), key(two)):
            run.reverse()
        if run and key(run[-1]) == key(one):
            run.append(two)
        elif run and key(run[-1]) == key(two):
            run.append(one)
        else:
            if run:
                yield run
            run = [one, two]
    if run:
        yield run


def _ripples(board: Board, wet: HexSet, ink: str) -> Iterator[Shape]:
    """A few waves, so that water is told by more than its colour."""
    lines: list[tuple[Point, ...]] = []
    for (x, y), _ in scattered(board.grid, hexset.members(wet), 0.3, 0.36, "ripples"):
        lines.append(tuple((x + 0.05 * t, y + (0.018 if t % 2 else -0.018)) for t in range(-2, 3)))
    yield Strokes(tuple(lines), mixed(ink, "#ffffff", 0.2), 0.016)
