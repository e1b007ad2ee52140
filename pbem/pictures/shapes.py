"""The display list: what a picture is made of, before anybody paints it, and how much of the plane shapes take up.

Coordinates are in hex pitches: neighbouring centres are 1 apart, x runs right, y runs down. Sizes too: a text of size
0.2 is a fifth of a hex high. Colours are "#rrggbb" or "#rrggbbaa". A painter multiplies by its scale, draws in order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from pbem.pictures import lettering

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Polygon:
    points: tuple[Point, ...]
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points; `smooth` rounds it like a river, `arrow` gives its end a head."""

    points: tuple[Point, ...]
    stroke: str
    width: float
    smooth: bool = False
    arrow: bool = False
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Strokes:
    """Many lines of one kind: a hex grid, hachures."""

    lines: tuple[tuple[Point, ...], ...]
    stroke: str
    width: float


@dataclass(frozen=True, slots=True)
class Circle:
    centre: Point
    radius: float
    fill: str = ""
    stroke: str = ""
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle by its upper left corner, with rounded corners if they have a radius."""

    at: Point
    size: Point
    radius: float = 0.0
    fill: str = ""
    stroke: str = ""
    width: float = 0.0


@dataclass(frozen=True, slots=True)
class Text:
    """A line of letters; `at` is its middle, start or end, half as high as its capitals."""

    at: Point
    text: str
    size: float
    fill: str = "#000000"
    anchor: Literal["start", "middle", "end"] = "middle"
    bold: bool = False
    halo: str = ""
    turn: float = 0.0  # degrees, clockwise


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together: a counter, a hex. The page gives `name` to scripts and `title` to readers.

    `kept` says that the very same shapes come again and again: a painter may paint them once and keep them.
    """

    shapes: tuple[Shape, ...]
    at: Point = (0.0, 0.0)
    name: str = ""
    title: str = ""
    kept: bool = False


Shape = Polygon | Path | Strokes | Circle | Box | Text | Group


@dataclass(frozen=True, eq=False)
class Ground:
    """What lies under a picture and never changes: a painter paints it once and keeps it."""

    left: float
    top: float
    right: float
    bottom: float
    background: str
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Picture:
    """A display list with the part of the plane it shows; `scale` is the pixels of a pitch it was made for."""

    left: float
    top: float
    right: float
    bottom: float
    background: str = "#ffffff"
    title: str = ""
    shapes: tuple[Shape, ...] = ()
    ground: Ground | None = None
    scale: float = 64.0

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def pixels(self) -> tuple[int, int]:
        """How wide and how high it is painted."""
        return round(self.width * self.scale), round(self.height * self.scale)


def flat(shapes: Iterable[Shape], at: Point = (0.0, 0.0), *, kept: bool = False) -> Iterator[tuple[Shape, Point]]:
    """Every shape that is no group, with where its group stands; if wanted, groups that are kept stay whole."""
    for shape in shapes:
        if isinstance(shape, Group) and not (kept and shape.kept):
            yield from flat(shape.shapes, (at[0] + shape.at[0], at[1] + shape.at[1]), kept=kept)
        else:
            yield shape, at


def sized(shape: Shape, by: float, to: Point = (0.0, 0.0)) -> Shape:
    """A shape made larger or smaller around (0, 0), then moved."""

    def moved(point: Point) -> Point:
        return to[0] + point[0] * by, to[1] + point[1] * by

    match shape:
        case Box():
            size = (shape.size[0] * by, shape.size[1] * by)
            return replace(shape, at=moved(shape.at), size=size, radius=shape.radius * by, width=shape.width * by)
        case Circle():
            return replace(shape, centre=moved(shape.centre), radius=shape.radius * by, width=shape.width * by)
        case Text():
            return replace(shape, at=moved(shape.at), size=shape.size * by)
        case Polygon() | Path():
            return replace(shape, points=tuple(map(moved, shape.points)), width=shape.width * by)
    return shape


class Extent(NamedTuple):
    """A rectangle that something takes up."""

    left: float
    top: float
    right: float
    bottom: float

    def over(self, other: Extent) -> bool:
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def holds(self, point: Point) -> bool:
        return self.left <= point[0] <= self.right and self.top <= point[1] <= self.bottom

    def grown(self, by: float) -> Extent:
        return Extent(self.left - by, self.top - by, self.right + by, self.bottom + by)


def extent(shape: Shape) -> Extent:
    """The rectangle that a shape stays within, its strokes and letters too."""
    match shape:
        case Group():
            left, top, right, bottom = around(map(extent, shape.shapes))
            x, y = shape.at
            return Extent(left + x, top + y, right + x, bottom + y)
        case Text() if shape.turn:
            return Extent(*shape.at, *shape.at).grown(lettering.width(shape.text, shape.bold) * shape.size)
        case Text():
            return letters_extent(shape, 0.75 * shape.size, 0.75 * shape.size * 0.2)
        case Box():
            (x, y), (wide, tall), spare = shape.at, shape.size, shape.width
            return Extent(x - spare, y - spare, x + wide + spare, y + tall + spare)
        case Circle():
            (x, y), far = shape.centre, shape.radius + shape.width
            return Extent(x - far, y - far, x + far, y + far)
        case Strokes():
            return around_points((p for line in shape.lines for p in line), shape.width)
        case Polygon():
            return around_points(shape.points, shape.width)
        case Path():
            # A curve swings out a little, and an arrowhead is wider than its line.
            return around_points(shape.points, shape.width * (2.5 if shape.arrow else 1.0) + 0.15 * shape.smooth)


def around(extents: Iterable[Extent]) -> Extent:
    """The rectangle around rectangles; nothing at all is a point."""
    lefts, tops, rights, bottoms = zip(*(list(extents) or [Extent(0.0, 0.0, 0.0, 0.0)]), strict=True)
    return Extent(min(lefts), min(tops), max(rights), max(bottoms))


def around_points(points: Iterable[Point], spare: float = 0.0) -> Extent:
    """The rectangle around points, with some air."""
    xs, ys = zip(*points, strict=True)
    return Extent(min(xs) - spare, min(ys) - spare, max(xs) + spare, max(ys) + spare)


def letters_extent(text: Text, tall: float, aside: float = 0.0) -> Extent:
    """The rectangle of an upright text that reaches so far up and down, with some air beside it."""
    wide, (x, y) = lettering.width(text.text, text.bold) * text.size, text.at
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[text.anchor]
    return Extent(left - aside, y - tall, left + wide + aside, y + tall)
