"""Round the map: rulers, compass, credits, and the legend that says what the signs on it mean."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import cos, radians, sin
from random import Random

from engine import hexset
from engine.board import Board
from pbem.pictures import lettering
from pbem.pictures.emblems import badge_shapes, emblem
from pbem.pictures.look import Badge, Look, Outline, PlaceLook, SideLook, Stripe, Terrain
from pbem.pictures.regions import noise
from pbem.pictures.shapes import Box, Circle, Extent, Path, Point, Polygon, Shape, Text, around_points
from pbem.pictures.terrain_shapes import houses, quarters

MARGIN = 0.75


def sheet_of(board: Board) -> Extent:
    """The rectangle that the hexes of the map need."""
    return around_points(p for h in hexset.members(board.land) for p in board.grid.corners(h))


def rulers(board: Board, look: Look, sheet: Extent) -> Iterator[Shape]:
    """The numbers of columns and rows along the four edges."""
    grid, ink = board.grid, look.paper["ink"]
    columns: dict[str, list[float]] = {}
    rows: dict[str, list[float]] = {}
    for h in hexset.members(board.land):
        number, (x, y) = grid.number_of(h), grid.centre(h)
        first, second = number[: grid.digits], number[grid.digits :]
        column, row = (first, second) if grid.number == "CCRR" else (second, first)
        columns.setdefault(column, []).append(x)
        rows.setdefault(row, []).append(y)
    for column, xs in columns.items():
        for y in (sheet.top - 0.32, sheet.bottom + 0.32):
            yield Text((min(xs) if grid.orientation == "pointed" else xs[0], y), column, 0.34, ink)
    for row, ys in rows.items():
        for x in (sheet.left - 0.4, sheet.right + 0.4):
            yield Text((x, (min(ys) + max(ys)) / 2), row, 0.34, ink)


def compass(at: Point, r: float, ink: str, north: float) -> Iterator[Shape]:
    """A rose of four points; the dark one is north."""
    for number in range(4):
        turn = radians(90 * number + north)
        tip = (at[0] + r * sin(turn), at[1] - r * cos(turn))
        for way in (-1, 1):
            side = turn + way * radians(45)
            root = (at[0] + r * 0.26 * sin(side), at[1] - r * 0.26 * cos(side))
            dark = (way == 1) if number else True
            yield Polygon((tip, root, at), fill=ink if dark else "#ffffff", stroke=ink, width=0.012)
    turn = radians(north)
    yield Text((at[0] + (r + 0.18) * sin(turn), at[1] - (r + 0.18) * cos(turn)), "N", 0.3, ink, bold=True)


HEAD = 1.7  # the title, compass and scale
LINE = 0.4  # from one entry to the next
COLUMN = 4.9
RIVERS = {"major": "major river", "minor": "minor river"}
INSIDE = 0.88  # how far out a ring runs, of the way to the hexside

Entry = tuple[Callable[[Point], Iterator[Shape]], str]


class Legend:
    """What the signs mean, in a box that lies in an empty corner of the sheet or under the map."""

    def __init__(self, board: Board, look: Look, sheet: Extent) -> None:
        self.board, self.look = board, look
        self.entries = [*self._ground(), *self._signs()]
        self.columns, self.box = self._box(sheet)

    def _size(self, columns: int) -> tuple[float, float]:
        rows = -(-len(self.entries) // columns)
        return columns * COLUMN + 0.6, rows * LINE + HEAD + 0.1

    def _box(self, sheet: Extent) -> tuple[int, Extent]:
        corners = [corner for h in hexset.members(self.board.land) for corner in self.board.grid.corners(h)]
        for columns in (2, 3, 1):
            wide, tall = self._size(columns)
            for x in (sheet.right - wide, sheet.left):
                for y in (sheet.bottom - tall, sheet.top):
                    box = Extent(x, y, x + wide, y + tall)
                    if not any(map(box.grown(0.15).holds, corners)):
                        return columns, box
        columns = max(1, int((sheet.right - sheet.left - 0.6) // COLUMN))
        wide, tall = self._size(columns)
        return columns, Extent(sheet.left, sheet.bottom + MARGIN, sheet.left + wide, sheet.bottom + MARGIN + tall)

    def shapes(self) -> Iterator[Shape]:
        """The box with title, compass, scale and all entries."""
        paper, box = self.look.paper, self.box
        size = (box.right - box.left, box.bottom - box.top)
        yield Box((box.left, box.top), size, 0.12, paper["halo"], paper["ink"], 0.03)
        title = lettering.fitting(self.board.title, 0.62, size[0] - 2.4, bold=True)
        yield Text((box.left + 0.4, box.top + 0.55), self.board.title, title, paper["ink"], "start", bold=True)
        yield from compass((box.right - 0.8, box.top + 0.85), 0.42, paper["ink"], self.look.north)
        if self.look.hex_size:
            yield from self._scale((box.left + 0.4, box.top + 1.15))
        rows = -(-len(self.entries) // self.columns)
        for number, (draw, words) in enumerate(self.entries):
            column, row = divmod(number, rows)
            x, y = box.left + 0.4 + column * COLUMN, box.top + HEAD + row * LINE
            yield from draw((x + 0.4, y))
            yield Text((x + 1.0, y), words, lettering.fitting(words, 0.26, COLUMN - 1.25), paper["ink"], "start")

    def _scale(self, at: Point) -> Iterator[Shape]:
        ink = self.look.paper["ink"]
        for step in range(4):
            fill = ink if step % 2 == 0 else "#ffffff"
            yield Box((at[0] + step, at[1] - 0.06), (1.0, 0.12), 0.0, fill, ink, 0.02)
        far = f"{4 * self.look.hex_size:g} {self.look.hex_unit}"
        yield Text((at[0] + 4.15, at[1]), far, 0.27, ink, "start")

    def _ground(self) -> Iterator[Entry]:
        board, look = self.board, self.look
        for kind in dict.fromkeys(board.legend.values()):
            if board.terrain.get(kind):
                yield partial(_swatch, style=look.terrain.get(kind, Terrain()), look=look), kind
        for feature in dict.fromkeys(course.feature for course in board.courses):
            words = RIVERS.get(feature, f"{feature} hexside")
            yield partial(_wave, stripe=look.features.get(feature, Stripe())), words
        for kind in dict.fromkeys(route.kind for route in board.routes):
            yield partial(_wave, stripe=look.ways.get(kind, Stripe(0.05, "#7a5a3a"))), kind
        for size in dict.fromkeys(place.size for place in board.places.values()):
            if size not in board.terrain:
                yield partial(houses, style=look.places.get(size, PlaceLook()), dice=Random("legend")), size
        for area, how in look.areas.items():
            if how == "sources" and board.areas.get(area):
                yield partial(depot, colour=source_colour(look, area)), area.replace("sources", "supply")
            elif isinstance(how, Outline) and board.areas.get(area):
                yield partial(_ring, style=how), how.about

    def _signs(self) -> Iterator[Entry]:
        look = self.look
        yield from ((partial(_blank, side=side), name) for name, side in look.sides.items())
        for badge in (*look.marks.values(), *(badge for _, badge in look.lacking.values())):
            if badge.about:
                yield partial(badge_shapes, r=0.17, badge=badge.showing(1)), badge.about


def _blank(at: Point, side: SideLook) -> Iterator[Shape]:
    """A counter with nothing on it but its side's emblem."""
    yield Box((at[0] - 0.18, at[1] - 0.18), (0.36, 0.36), 0.05, side.fill, "#222222", 0.02)
    yield from emblem(side.emblem, at, 0.13, side.deep)


def _swatch(at: Point, style: Terrain, look: Look) -> Iterator[Shape]:
    x, y = at
    loop = [(x + 0.17 * 1.6 * cos(radians(a)), y + 0.17 * 1.05 * sin(radians(a))) for a in range(0, 360, 30)]
    fill, ink = style.fill or look.paper["sheet"], style.ink if style.fill else look.paper["grid"]
    yield Polygon(tuple(noise(p, 0.02) for p in loop), fill=fill, stroke=ink, width=0.02)
    if style.drawing == "trees":
        for dx in (-0.16, 0.0, 0.16):
            yield Circle((x + dx, y), 0.07, fill=style.ink)
    elif style.drawing == "blocks":
        yield from quarters(at, 0.18, style.ink, Random("legend"))
    elif style.drawing in ("tufts", "hachures", "hills", "marks"):
        lean = 0.03 if style.drawing == "hachures" else 0.0
        for dx in (-0.16, -0.05, 0.06, 0.17):
            yield Path(((x + dx, y - 0.07), (x + dx + lean, y + 0.07)), style.ink, 0.02)


def _wave(at: Point, stripe: Stripe) -> Iterator[Shape]:
    swing = (0.0, 0.05, 0.0, -0.05)
    points = tuple((at[0] + 0.1 * t, at[1] + swing[t % 4]) for t in range(-4, 5))
    if stripe.edge:
        yield Path(points, stripe.edge, stripe.width + 0.04, smooth=True)
    yield Path(points, stripe.fill, stripe.width, smooth=True, dash=stripe.dash)


def depot(at: Point, colour: str) -> Iterator[Shape]:
    """A source of supply: crates on a shield."""
    yield from badge_shapes(at, 0.2, Badge("S", "shield", colour))


def ring(centre: Point, corners: Sequence[Point], style: Outline) -> Shape:
    """A line around a hex, inside its hexsides: what lies next to it may have its own."""
    x, y = centre
    inner = tuple((x + INSIDE * (cx - x), y + INSIDE * (cy - y)) for cx, cy in corners)
    return Polygon(inner, fill=f"{style.colour}22", stroke=style.colour, width=0.07, dash=style.dash)


def _ring(at: Point, style: Outline) -> Iterator[Shape]:
    x, y = at
    corners = [(x + 0.2 * cos(radians(a)), y + 0.2 * sin(radians(a))) for a in range(30, 390, 60)]
    yield ring(at, corners, style)


def source_colour(look: Look, area: str) -> str:
    """The colour of the side that an area of sources is named after."""
    return next((look.sides[side].deep for side in look.sides if side in area), look.paper["ink"])
