"""Small signs: the emblem of a side, the badge of a mark, what a unit is as soldiers' maps draw it; all our own."""

from collections.abc import Iterator
from dataclasses import replace
from math import cos, pi, sin

from pbem.pictures import lettering
from pbem.pictures.look import Badge
from pbem.pictures.shapes import Box, Circle, Path, Point, Polygon, Shape, Text, sized


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


# A glyph is drawn in a box 3 wide and 2 high around (0, 0), then moved and made as small as it is wanted.
_WIDE, _TALL, _PEN = 1.5, 1.0, 0.16


def glyph(name: str, at: Point, size: float, ink: str, fill: str) -> Iterator[Shape]:
    """A box with the sign of a unit in it; `size` is its height."""
    box = Box((-_WIDE, -_TALL), (2 * _WIDE, 2 * _TALL), 0.0, fill, ink, _PEN)
    yield sized(box, size / 2, at)
    for part in GLYPHS.get(name, ()):
        inked = replace(part, stroke=ink) if isinstance(part, Path) else replace(part, fill=ink)
        yield sized(inked, size / 2, at)


def _line(*points: Point, thick: float = 1.0) -> Path:
    return Path(points, "", _PEN * thick)


def _oval(wide: float, tall: float) -> Path:
    turns = [2 * pi * i / 28 for i in range(29)]
    return _line(*((wide * cos(t), tall * sin(t)) for t in turns), thick=1.15)


_RISING = _line((-_WIDE, _TALL), (_WIDE, -_TALL))
_CROSSED = (_line((-_WIDE, -_TALL), (_WIDE, _TALL)), _RISING)
_CANOPY = [(-0.6 + 0.3 * i, 0.95 - 0.42 * sin(pi * i / 2)) for i in (0.0, 0.5, 1.0, 1.5, 2.0)]
_ARCH = [(1.2 * cos(t), 0.9 - 1.1 * sin(t)) for t in (pi * i / 12 for i in range(13))]

GLYPHS: dict[str, tuple[Path | Polygon | Circle | Text, ...]] = {
    "plain": (),
    "infantry": _CROSSED,
    "armour": (_oval(1.0, 0.58),),
    "mechanised": (*_CROSSED, _oval(1.0, 0.58)),
    "motorised": (*_CROSSED, _line((0, -_TALL), (0, _TALL))),
    "cavalry": (_RISING,),
    "airborne": (*_CROSSED, _line(*_CANOPY), _line(*((x + 0.6, y) for x, y in _CANOPY))),
    "mountain": (*_CROSSED, Polygon(((-0.5, _TALL), (0.0, 0.2), (0.5, _TALL)))),
    "headquarters": (
        _line((-_WIDE, _TALL), (-_WIDE, _TALL + 0.75), thick=1.3),
        Text((0.0, 0.0), "HQ", 1.45, bold=True),
    ),
    "assault gun": (_oval(1.05, 0.62), _line((-0.62, 0.32), (0.0, -0.42), (0.62, 0.32))),
    "artillery": (Circle((0.0, 0.0), 0.42),),
    "rocket": (
        Circle((0.0, 0.4), 0.32),
        _line((-0.45, 0.0), (0.0, -0.4), (0.45, 0.0)),
        _line((-0.45, -0.35), (0.0, -0.75), (0.45, -0.35)),
    ),
    "engineer": (
        _line((-0.8, 0.45), (-0.8, -0.35), (0.8, -0.35), (0.8, 0.45)),
        _line((0.0, -0.35), (0.0, 0.45)),
    ),
    "antitank": (_line((-_WIDE, _TALL), (0.0, -_TALL), (_WIDE, _TALL)),),
    "flak": (_line(*_ARCH),),
    "air": (Polygon(((-1.0, -0.5), (0.0, 0.0), (-1.0, 0.5))), Polygon(((1.0, -0.5), (0.0, 0.0), (1.0, 0.5)))),
    "supply": (_line((-_WIDE, 0.5), (_WIDE, 0.5)),),
    "unknown": (Text((0.0, 0.0), "?", 1.7, bold=True),),
}
