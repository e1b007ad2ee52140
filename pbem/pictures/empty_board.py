"""The empty board as shapes: paper, terrain, water, grid, ways, towns, names, and the frame around it."""

from collections.abc import Iterator
from functools import lru_cache

from engine import hexset
from engine.board import Board
from engine.hexes import RADIUS
from pbem.pictures.curves import along, length
from pbem.pictures.legend import MARGIN, Legend, credits_lines, depot, ring, rulers, sheet_of, source_colour
from pbem.pictures.look import Look, Outline
from pbem.pictures.names import NamePlacer, room_of
from pbem.pictures.regions import hexsides, key, outlines
from pbem.pictures.shapes import Extent, Ground, Path, Point, Polygon, Shape, Strokes, Text
from pbem.pictures.terrain_shapes import places, terrain
from pbem.pictures.waterways import joined, rivers, waters, way_lines, ways

TITLE = 1.25  # the strip above the map
CREDIT = 0.3  # a line of credits


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
    thanks = credits_lines(board, sheet.right - sheet.left) if numbers else []
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
    lines = [run for _, run, _ in drawn]
    for kind in {route.kind for route in board.routes}:
        lines += way_lines(board, kind)
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
