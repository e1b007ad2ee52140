"""The empty board as shapes: paper, terrain, water, grid, ways, towns, names, and the frame around it.

Rivers run along hexsides, together with the shores; roads and railroads through the hexes.
"""

import textwrap
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise

from engine import hexset
from engine.board import Board, Course
from engine.hexes import RADIUS, Grid, Hex
from pbem.pictures.curves import along, halfway, length
from pbem.pictures.legend import MARGIN, Legend, depot, ring, rulers, sheet_of, source_colour
from pbem.pictures.lettering import mixed
from pbem.pictures.look import Look, Outline, Stripe
from pbem.pictures.names import NamePlacer, room_of
from pbem.pictures.regions import Key, hexside, hexsides, is_hole, key, noise, outlines, patches, softened
from pbem.pictures.shapes import Extent, Ground, Path, Point, Polygon, Shape, Strokes, Text
from pbem.pictures.terrain_shapes import is_water, places, strewn, terrain

TITLE = 1.25  # the strip above the map
CREDIT = 0.3  # a line of credits
EDGE = 0.028  # how much wider a shore is than its water


@lru_cache(maxsize=32)
def ground(board: Board, look: Look, *, numbers: bool = True, far: bool = False, setting_up: bool = False) -> Ground:
    """The map without counters; small pictures leave out the numbers, and those seen from `far` the names of small
    places; set-up shows its lines and areas."""
    sheet = sheet_of(board)
    legend = Legend(board, look, sheet)
    shapes: list[Shape] = [
        *_land(board, look),
        *(_set_up(board, look) if setting_up else ()),
        *places(board, look),
        *_areas(board, look),
        *_letters(board, look, sheet, numbers, far),
        *rulers(board, look, sheet),
        *legend.shapes(),
    ]
    bottom = max(sheet.bottom + MARGIN, legend.box.bottom + 0.3)
    thanks = textwrap.wrap(board.credits, max(30, int((sheet.right - sheet.left) / 0.13))) if numbers else []
    for line in thanks:
        shapes.append(Text((sheet.left, bottom + CREDIT / 2), line, 0.2, look.paper["ink"], "start"))
        bottom += CREDIT
    return Ground(
        sheet.left - MARGIN,
        sheet.top - MARGIN - TITLE,
        max(sheet.right, legend.box.right) + MARGIN,
        bottom + (0.2 if thanks else 0.0),
        look.paper["table"],
        tuple(shapes),
    )


@lru_cache(maxsize=8)
def _land(board: Board, look: Look) -> tuple[Shape, ...]:
    """What lies under every name and number: the same in small and large."""
    return (
        *_paper(board, look),
        *terrain(board, look),
        *_grid(board, look),
        *waters(board, look),
        *(Polygon(tuple(loop), stroke=look.paper["ink"], width=0.045) for loop in outlines(board.grid, board.land)),
        *ways(board, look),
    )


def _paper(board: Board, look: Look) -> Iterator[Shape]:
    """The sheet, on its shadow."""
    loops = outlines(board.grid, board.land)
    for loop in loops:
        yield Polygon(tuple((x + 0.07, y + 0.09) for x, y in loop), fill="#b8ad90")
    for loop in loops:
        yield Polygon(tuple(loop), fill=look.paper["sheet"], stroke=look.paper["ink"], width=0.06)


def _grid(board: Board, look: Look) -> Iterator[Shape]:
    """The hexsides, each drawn once."""
    lines: list[tuple[Point, ...]] = []
    for h in hexset.members(board.land):
        for there, (one, two) in hexsides(board.grid, h):
            if there is not None and there < h and board.land >> there & 1:
                continue
            if lines and key(lines[-1][-1]) == key(one):
                lines[-1] = (*lines[-1], two)
            else:
                lines.append((one, two))
    yield Strokes(tuple(lines), look.paper["grid"], 0.02)


def _letters(board: Board, look: Look, sheet: Extent, numbers: bool, far: bool) -> Iterator[Shape]:
    """Hex numbers, then names around them."""
    drawn = rivers(board, look)
    ways_drawn = [line for kind in {route.kind for route in board.routes} for line in way_lines(board, kind)]
    lines = [*(run for _, run, _ in drawn), *ways_drawn]
    names = NamePlacer(board, look, lines, sheet, 1.0 if numbers else 1.45)
    high = 0.435 if board.grid.orientation == "flat" else RADIUS - 0.19
    for h in hexset.members(board.land) if numbers else ():
        x, y = board.grid.centre(h)
        text = Text((x, y - high), board.grid.number_of(h), 0.13, look.paper["number"])
        names.taken.append(room_of(text, 0.0))
        yield text
    yield from names.places(far=far)
    yield from names.rivers(drawn)


def _set_up(board: Board, look: Look) -> Iterator[Shape]:
    """Set-up lines and areas, with their names."""
    ink = "#5a2d7a"
    for name, line in board.lines.items():
        (run,) = joined(board.grid, line.sides)
        yield Path(tuple(run), ink, 0.07, dash=(0.2, 0.1))
        yield Text(along(run, length(run) / 2), name, 0.42, ink, bold=True, halo=look.paper["halo"])
    for name, hexes in board.areas.items():
        if name in look.areas or not hexes:
            continue
        for loop in outlines(board.grid, hexes):
            yield Polygon(tuple(loop), fill=f"{ink}26", stroke=ink, width=0.05, dash=(0.1, 0.08))
        middle = list(hexset.members(hexes))[hexset.count(hexes) // 2]
        yield Text(board.grid.centre(middle), name, 0.42, ink, bold=True, halo=look.paper["halo"])


def _areas(board: Board, look: Look) -> Iterator[Shape]:
    """Rings around hexes that matter, then sources of supply."""
    areas = [(n, how, h) for n, how in look.areas.items() for h in hexset.members(board.areas.get(n, 0))]
    for _, how, h in areas:
        if isinstance(how, Outline):
            yield ring(board.grid.centre(h), board.grid.corners(h), how)
    for name, how, h in areas:
        if how == "sources":
            x, y = board.grid.centre(h)
            yield from depot((x - 0.36, y + 0.2), source_colour(look, name))


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
        ends = [first] if first else [], [last] if last and len(run) > 1 else []
        lines.append([*ends[0], *(spots[h] for h in run), *ends[1]])
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
