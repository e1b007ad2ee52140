"""How much of the plane shapes take up."""

from collections.abc import Iterable

from pbem.pictures import lettering
from pbem.pictures.shapes import Box, Circle, Group, Path, Point, Polygon, Shape, Strokes, Text

Extent = tuple[float, float, float, float]  # left, top, right, bottom


def extent(shape: Shape) -> Extent:
    """The rectangle that a shape stays within, its strokes and letters too."""
    match shape:
        case Group():
            left, top, right, bottom = around(map(extent, shape.shapes))
            x, y = shape.at
            return left + x, top + y, right + x, bottom + y
        case Text():
            return _of_text(shape)
        case Box():
            (x, y), (wide, tall), spare = shape.at, shape.size, shape.width
            return x - spare, y - spare, x + wide + spare, y + tall + spare
        case Circle():
            (x, y), far = shape.centre, shape.radius + shape.width
            return x - far, y - far, x + far, y + far
        case Strokes():
            return _of_points((p for line in shape.lines for p in line), shape.width)
        case Polygon():
            return _of_points(shape.points, shape.width)
        case Path():
            # A curve swings out a little, and an arrowhead is wider than its line.
            return _of_points(shape.points, shape.width * (2.5 if shape.arrow else 1.0) + 0.15 * shape.smooth)


def around(extents: Iterable[Extent]) -> Extent:
    """The rectangle around rectangles; nothing at all is a point."""
    found = list(extents)
    if not found:
        return 0.0, 0.0, 0.0, 0.0
    return min(e[0] for e in found), min(e[1] for e in found), max(e[2] for e in found), max(e[3] for e in found)


def _of_points(points: Iterable[Point], spare: float) -> Extent:
    found = list(points)
    xs, ys = [p[0] for p in found], [p[1] for p in found]
    return min(xs) - spare, min(ys) - spare, max(xs) + spare, max(ys) + spare


def _of_text(text: Text) -> Extent:
    wide = lettering.width(text.text, text.bold) * text.size
    x, y = text.at
    if text.turn:
        return x - wide, y - wide, x + wide, y + wide
    left = {"start": 0.0, "middle": wide / 2, "end": wide}[text.anchor]
    tall = 0.75 * text.size
    return x - left - tall * 0.2, y - tall, x - left + wide + tall * 0.2, y + tall
