"""What the ground of a hex looks like: trees, tufts, hachures, hills, towns as blocks, houses or a dot."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from engine import hexset
from engine.board import Board
from engine.hexset import HexSet
from pbem.pictures.lettering import mixed
from pbem.pictures.look import Look, PlaceLook, Terrain
from pbem.pictures.regions import is_hole, outlines, patches, scattered, softened
from pbem.pictures.shapes import Box, Circle, Point, Polygon, Shape, Strokes

Line = tuple[Point, ...]


def terrain(board: Board, look: Look) -> Iterator[Shape]:
    """Every terrain that lies on land, a patch at a time."""
    grid = board.grid
    for kind, hexes in board.terrain.items():
        style = look.terrain.get(kind, Terrain())
        if style.drawing == "water":
            continue
        for patch in patches(grid, hexes) if style.fill else ():
            if style.drawing == "blocks":
                yield from (Polygon(tuple(_drawn_in(loop, 0.06)), fill=style.fill) for loop in outlines(grid, patch))
                continue
            edge = mixed(style.fill, style.ink, 0.35)
            for loop in softened(grid, patch):
                fill = look.paper["sheet"] if is_hole(loop) else style.fill
                yield Polygon(tuple(loop), fill=fill, stroke=edge, width=0.025)
        if style.drawing != "plain":
            yield from _DRAWINGS[style.drawing](board, hexes, style.ink)


def is_water(look: Look, kind: str) -> bool:
    return look.terrain.get(kind, Terrain()).drawing == "water"


def _drawn_in(loop: list[Point], by: float) -> list[Point]:
    """An outline a little nearer to its middle."""
    x = sum(p[0] for p in loop) / len(loop)
    y = sum(p[1] for p in loop) / len(loop)
    return [(p[0] + (x - p[0]) * by, p[1] + (y - p[1]) * by) for p in loop]


def _trees(board: Board, hexes: HexSet, ink: str) -> Iterator[Shape]:
    """Round crowns with a shadow, a lit side, and room for a counter's number between them."""
    light, dark = mixed(ink, "#ffffff", 0.28), mixed(ink, "#1c2a12", 0.35)
    for (x, y), dice in scattered(board.grid, hexset.members(hexes), 0.155, 0.46, "trees"):
        r = dice.uniform(0.062, 0.088)
        yield Circle((x + 0.018, y + 0.026), r, fill=dark)
        yield Circle((x, y), r, fill=ink)
        yield Circle((x - r * 0.28, y - r * 0.3), r * 0.5, fill=light)


def _tuft(x: float, y: float, dice: Random) -> Iterator[Line]:
    """Reeds over a line of standing water."""
    half = dice.uniform(0.07, 0.11)
    yield (x - half, y), (x + half, y)
    for lean, tall in ((-0.03, 0.075), (0.0, 0.105), (0.03, 0.075)):
        yield (x + lean, y - 0.015), (x + lean * 2.1, y - tall)


def _hachures(x: float, y: float, dice: Random) -> Iterator[Line]:
    """Short strokes down a slope."""
    turn = dice.uniform(-0.03, 0.03)
    for step in range(4):
        along = -0.075 + 0.05 * step
        bow = 0.03 * (1 - ((step - 1.5) / 1.5) ** 2)
        yield (x + along, y - 0.03 - bow), (x + along * 1.35 + turn, y + 0.05)


def _hump(x: float, y: float, dice: Random) -> Iterator[Line]:
    """A little hill with a shaded side."""
    w = dice.uniform(0.09, 0.13)
    yield tuple((x + w * t, y - 0.09 * (1 - t * t)) for t in (-1.0, -0.6, -0.2, 0.2, 0.6, 1.0))
    for t in (0.35, 0.65):
        yield (x + w * t, y - 0.09 * (1 - t * t)), (x + w * t * 0.7, y)


def _cross(x: float, y: float, dice: Random) -> Iterator[Line]:
    """Of terrain that no look describes, so that nobody takes it for clear."""
    yield (x - 0.03, y), (x + 0.03, y)
    yield (x, y - 0.03), (x, y + 0.03)


def _wave(x: float, y: float, dice: Random) -> Iterator[Line]:
    """So that water is told by more than its colour."""
    yield tuple((x + 0.05 * t, y + (0.018 if t % 2 else -0.018)) for t in range(-2, 3))


# What is strewn over a terrain: one of it, how far apart, how far from the middle of a hex, how wide the pen is.
_STREWN: dict[str, tuple[Callable[[float, float, Random], Iterator[Line]], float, float, float]] = {
    "tufts": (_tuft, 0.24, 0.42, 0.02),
    "hachures": (_hachures, 0.21, 0.42, 0.018),
    "hills": (_hump, 0.26, 0.4, 0.02),
    "marks": (_cross, 0.22, 0.4, 0.02),
    "ripples": (_wave, 0.3, 0.36, 0.016),
}


def strewn(board: Board, hexes: HexSet, ink: str, what: str) -> Iterator[Shape]:
    """Signs in strokes of one pen all over some hexes."""
    one, apart, reach, width = _STREWN[what]
    spots = scattered(board.grid, hexset.members(hexes), apart, reach, what)
    yield Strokes(tuple(line for (x, y), dice in spots for line in one(x, y, dice)), ink, width)


def _sand(board: Board, hexes: HexSet, ink: str) -> Iterator[Shape]:
    for point, _ in scattered(board.grid, hexset.members(hexes), 0.12, 0.44, "sand"):
        yield Circle(point, 0.014, fill=ink)


def _blocks(board: Board, hexes: HexSet, ink: str) -> Iterator[Shape]:
    """Streets and quarters, seen from above."""
    for h in hexset.members(hexes):
        yield from quarters(board.grid.centre(h), 0.40, ink, Random(f"blocks{board.grid.number_of(h)}"))


def quarters(at: Point, reach: float, ink: str, dice: Random) -> Iterator[Shape]:
    """A town from above: blocks of houses between streets, fewer toward its edge."""
    step = 0.155
    shades = [ink, mixed(ink, "#ffffff", 0.18), mixed(ink, "#a5482f", 0.45)]
    rows = int(reach / step)
    for row in range(-rows, rows + 1):
        for column in range(-rows, rows + 1):
            x, y = column * step, row * step
            if (x * x + y * y) ** 0.5 > reach + dice.uniform(-0.05, 0.03):
                continue
            wide, tall = dice.uniform(0.085, 0.125), dice.uniform(0.085, 0.125)
            yield Box((at[0] + x - wide / 2, at[1] + y - tall / 2), (wide, tall), fill=dice.choice(shades))


_DRAWINGS: dict[str, Callable[[Board, HexSet, str], Iterator[Shape]]] = {
    "trees": _trees,
    "blocks": _blocks,
    "sand": _sand,
    **{what: partial(strewn, what=what) for what in _STREWN},
}


_WALLS = "#5b4038"
_ROOFS = ("#8a4a3a", "#a2644d", "#6f5247")
_YARD = "#efe3cb"


def places(board: Board, look: Look) -> Iterator[Shape]:
    """Every town that its hex does not show by itself."""
    for h, place in board.places.items():
        terrain = look.terrain.get(board.kinds.get(h, ""))
        if terrain is None or terrain.drawing != "blocks":
            style = look.places.get(place.size, PlaceLook())
            yield from houses(board.grid.centre(h), style, Random(place.name))


def houses(at: Point, style: PlaceLook, dice: Random) -> Iterator[Shape]:
    """One town."""
    x, y = at
    if style.drawing == "blocks":
        yield from quarters(at, 0.28, _WALLS, dice)
    elif style.drawing == "houses":
        yield Circle(at, 0.15, fill=_YARD, stroke=_WALLS, width=0.016)
        for dx, dy in ((-0.062, -0.05), (0.055, -0.062), (-0.05, 0.058), (0.062, 0.045)):
            wide, tall = dice.uniform(0.06, 0.09), dice.uniform(0.06, 0.085)
            yield Box((x + dx - wide / 2, y + dy - tall / 2), (wide, tall), fill=dice.choice(_ROOFS))
    elif style.drawing == "height":
        yield Polygon(((x, y - 0.1), (x + 0.11, y + 0.08), (x - 0.11, y + 0.08)), fill=_WALLS)
    else:
        yield Circle(at, 0.075, fill=_YARD, stroke=_WALLS, width=0.03)
