"""Small signs: the emblem of a side, the badge of a mark."""

from collections.abc import Iterator
from math import cos, pi, sin

from pbem.pictures import lettering
from pbem.pictures.look import Badge
from pbem.pictures.shapes import Box, Circle, Path, Point, Polygon, Shape, Text


def emblem(name: str, at: Point, r: float, colour: str) -> Iterator[Shape]:
    """The sign of a side: a shape, so that nobody has to know its colour."""
    x, y = at
    match name:
        case "star":
            spikes = [(r if i % 2 == 0 else r * 0.42, -pi / 2 + i * pi / 5) for i in range(10)]
            yield Polygon(tuple((x + far * cos(turn), y + far * sin(turn)) for far, turn in spikes), fill=colour)
        case "cross":
            arm = r * 0.36
            yield Box((x - r, y - arm), (2 * r, 2 * arm), fill=colour)
            yield Box((x - arm, y - r), (2 * arm, 2 * r), fill=colour)
        case "ring":
            yield Circle(at, r * 0.8, stroke=colour, width=r * 0.4)
        case "square":
            yield Box((x - 0.8 * r, y - 0.8 * r), (1.6 * r, 1.6 * r), fill=colour)
        case "triangle":
            yield Polygon(((x, y - r), (x + r * 0.95, y + r * 0.75), (x - r * 0.95, y + r * 0.75)), fill=colour)
        case "diamond":
            yield Polygon(((x, y - r), (x + r, y), (x, y + r), (x - r, y)), fill=colour)
        case "bar":
            yield Box((x - r, y - 0.35 * r), (2 * r, 0.7 * r), fill=colour)
        case _:
            yield Circle(at, r * 0.85, fill=colour)


def badge_shapes(at: Point, r: float, badge: Badge) -> Iterator[Shape]:
    """A mark as a small token with letters."""
    x, y = at
    edge, width = "#161616", r * 0.13
    points: tuple[Point, ...]
    room = 1.5 * r
    match badge.shape:
        case "disc":
            yield Circle(at, r, badge.colour, edge, width)
        case "diamond":
            points = ((x, y - 1.2 * r), (x + 1.2 * r, y), (x, y + 1.2 * r), (x - 1.2 * r, y))
            yield Polygon(points, badge.colour, edge, width)
            room = 1.2 * r
        case "triangle":
            points = ((x, y - 1.2 * r), (x + 1.2 * r, y + 0.95 * r), (x - 1.2 * r, y + 0.95 * r))
            yield Polygon(points, badge.colour, edge, width)
            y, room = y + 0.3 * r, 1.05 * r
        case "shield":
            points = ((x - r, y - r), (x + r, y - r), (x + r, y + 0.3 * r), (x, y + 1.15 * r), (x - r, y + 0.3 * r))
            yield Polygon(points, badge.colour, edge, width)
            y, room = y - 0.12 * r, 1.7 * r
        case _:
            yield Box((x - r, y - r), (2 * r, 2 * r), 0.2 * r, badge.colour, edge, width)
            room = 1.7 * r
    size = lettering.fitting(badge.text, 1.35 * r, room, bold=True)
    yield Text((x, y), badge.text, size, lettering.ink_on(badge.colour), bold=True)


def hexside_shapes(at: Point, across: float, badge: Badge) -> Iterator[Shape]:
    """A mark on a hexside, around its middle; `across` is the angle of the way over it."""

    def spot(over: float, along: float) -> Point:
        return (
            at[0] + over * cos(across) - along * sin(across),
            at[1] + over * sin(across) + along * cos(across),
        )

    strokes = {
        "tick": (((-0.13, 0.0), (0.13, 0.0)),),
        "cross": (((-0.11, -0.11), (0.11, 0.11)), ((-0.11, 0.11), (0.11, -0.11))),
        "line": (((0.0, -0.24), (0.0, 0.24)),),
    }
    for colour, width in (("#161616", 0.1), (badge.colour, 0.055)):  # readable on any ground
        for start, end in strokes.get(badge.hexside, ()):
            yield Path((spot(*start), spot(*end)), colour, width)
    if badge.hexside == "dots":
        for along in (-0.18, -0.06, 0.06, 0.18):
            yield Circle(spot(0.0, along), 0.045, badge.colour, "#161616", 0.02)
