"""What runs over the map: rivers along hexsides and shores that run together; roads and railroads through the hexes."""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from engine import hexset
from engine.board import Board, Course
from engine.hexes import Grid, Hex
from pbem.pictures.curves import halfway
from pbem.pictures.lettering import mixed
from pbem.pictures.look import Look, Stripe
from pbem.pictures.regions import Key, hexside, hexsides, is_hole, key, noise, patches, softened
from pbem.pictures.shapes import Path, Point, Polygon, Shape
from pbem.pictures.terrain_shapes import is_water, strewn

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
        yield from strewn(board, wet, mixed(style.ink, "#ffffff", 0.2), "ripples")


def rivers(board: Board, look: Look) -> list[tuple[Stripe, list[Point], Course]]:
    """Every river as points on its curve; one that joins another ends on it."""
    corners = [(course, run) for course in board.courses for run in joined(board.grid, course.sides)]
    bends: dict[Key, Point] = {}
    for _, run in corners:
        for before, here, after in zip(run, run[1:], run[2:], strict=False):
            bends.setdefault(key(here), _bend(before, here, after))
    found = [
        (look.features.get(course.feature, Stripe()), [bends.get(key(p), p) for p in run], course)
        for course, run in corners
    ]
    return sorted(found, key=lambda river: river[0].width)


def _bend(before: Point, here: Point, after: Point) -> Point:
    """Where the curve passes a corner: cut a little, and moved as a river would."""
    x = here[0] + (before[0] + after[0] - 2 * here[0]) / 9
    y = here[1] + (before[1] + after[1] - 2 * here[1]) / 9
    return noise((x, y), 0.035, "river")


def joined(grid: Grid, sides: Iterable[tuple[Hex, Hex]]) -> Iterator[list[Point]]:
    """The corners that hexsides run through, in order; broken where they do not touch."""
    run: list[Point] = []
    for a, b in sides:
        one, two = hexside(grid, a, b)
        if len(run) == 2 and key(run[0]) in (key(one), key(two)):
            run.reverse()
        if run and key(run[-1]) == key(one):
            run.append(two)
        elif run and key(run[-1]) == key(two):
            run.append(one)
        else:
            yield from [run] if run else []
            run = [one, two]
    yield from [run] if run else []


Net = dict[Hex, dict[Hex, None]]  # where a way leads from each hex, in order


def ways(board: Board, look: Look) -> Iterator[Shape]:
    """All ways of the map, the wider edges of each kind under its lines."""
    usual = Stripe(width=0.05, fill="#7a5a3a")
    for kind in dict.fromkeys(route.kind for route in board.routes):
        stripe = look.ways.get(kind, usual)
        lines = [tuple(line) for line in way_lines(board, kind, stripe.beside)]
        if stripe.edge:
            for line in lines:
                yield Path(line, stripe.edge, stripe.width + 0.035, smooth=True)
        for line in lines:
            yield Path(line, stripe.fill, stripe.width, smooth=True, dash=stripe.dash)


def way_lines(board: Board, kind: str, beside: float = 0.0) -> list[list[Point]]:
    """The ways of a kind as lines from junction to junction."""
    net = _net(board, kind)
    others = set() if not beside else {h for r in board.routes if r.kind != kind for h in r.hexes}
    spots = {h: _spot(board, net, h, beside if h in others else 0.0) for h in net}
    lines = []
    for run in _runs(net):
        first, last = _leaves(board, net, run[0]), _leaves(board, net, run[-1])
        points = [spots[h] for h in run]
        lines.append(([first] if first else []) + points + ([last] if last and len(run) > 1 else []))
    return lines


def _net(board: Board, kind: str) -> Net:
    net: Net = {}
    for a, b in (step for route in board.routes if route.kind == kind for step in pairwise(route.hexes)):
        net.setdefault(a, {})[b] = net.setdefault(b, {})[a] = None
    return net


def _spot(board: Board, net: Net, h: Hex, beside: float) -> Point:
    """Where the way passes through a hex: its centre at junctions and places, straighter elsewhere."""
    x, y = board.grid.centre(h)
    if h in board.places or len(net[h]) != 2:
        return x, y
    (ax, ay), (bx, by) = (board.grid.centre(n) for n in net[h])
    return x + ((ax + bx) / 2 - x) * 0.45 + beside, y + ((ay + by) / 2 - y) * 0.45 - beside


def _runs(net: Net) -> Iterator[list[Hex]]:
    """Every step of the net once, in runs from end or fork to the next; a ring without any is a run, too."""
    done: set[tuple[Hex, Hex]] = set()
    starts = [h for h in net if len(net[h]) != 2] + list(net)
    for start in starts:
        for there in net[start]:
            if (start, there) in done:
                continue
            run = [start, there]
            done |= {(start, there), (there, start)}
            while len(net[run[-1]]) == 2 and run[-1] != start:
                onward = next(n for n in net[run[-1]] if n != run[-2])
                done |= {(run[-1], onward), (onward, run[-1])}
                run.append(onward)
            yield run


def _leaves(board: Board, net: Net, h: Hex) -> Point | None:
    """The middle of the outer hexside by which a way goes on beyond the map; None where it just ends."""
    if len(net[h]) != 1 or h in board.places:
        return None
    grid = board.grid
    (x, y), (fx, fy) = grid.centre(h), grid.centre(next(iter(net[h])))
    outer = [halfway(*side) for n, side in hexsides(grid, h) if n is None or not board.land >> n & 1]
    return min(outer, key=lambda p: (p[0] - x) * (fx - x) + (p[1] - y) * (fy - y), default=None)
