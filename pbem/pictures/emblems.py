"""Small signs: the emblem of a side, the badge of a mark, what a unit is as soldiers' maps draw it; all our own.

Each is drawn around (0, 0), then inked, made as small as it is wanted, and moved.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from math import cos, pi, sin

from pbem.pictures import lettering
from pbem.pictures.look import Badge
from pbem.pictures.shapes import Box, Circle, Path, Point, Polygon, Shape, Text, sized

Sign = Box | Circle | Path | Polygon | Text
EDGE = "#161616"
_NOUGHT = (0.0, 0.0)

_STAR = [(1.0 if i % 2 == 0 else 0.42, -pi / 2 + i * pi / 5) for i in range(10)]
_EMBLEMS: dict[str, tuple[Sign, ...]] = {
    "star": (Polygon(tuple((far * cos(turn), far * sin(turn)) for far, turn in _STAR)),),
    "cross": (Box((-1.0, -0.36), (2.0, 0.72)), Box((-0.36, -1.0), (0.72, 2.0))),
    "ring": (Circle(_NOUGHT, 0.8, width=0.4),),
    "square": (Box((-0.8, -0.8), (1.6, 1.6)),),
    "triangle": (Polygon(((0.0, -1.0), (0.95, 0.75), (-0.95, 0.75))),),
    "diamond": (Polygon(((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))),),
    "bar": (Box((-1.0, -0.35), (2.0, 0.7)),),
    "disc": (Circle(_NOUGHT, 0.85),),
}


def emblem(name: str, at: Point, r: float, colour: str) -> Iterator[Shape]:
    """The sign of a side: a shape, so that nobody has to know its colour."""
    return _inked(_EMBLEMS[name], at, r, colour)


def _inked(signs: Iterable[Sign], at: Point, by: float, ink: str) -> Iterator[Shape]:
    """Lines and rings in this ink, and all else filled with it."""
    for sign in signs:
        if isinstance(sign, Path) or (isinstance(sign, Circle) and sign.width):
            yield sized(replace(sign, stroke=ink), by, at)
        else:
            yield sized(replace(sign, fill=ink), by, at)


# The outline of a badge, how far down its letters stand, and how much room they have.
_BADGES: dict[str, tuple[Box | Circle | Polygon, float, float]] = {
    "disc": (Circle(_NOUGHT, 1.0), 0.0, 1.5),
    "square": (Box((-1.0, -1.0), (2.0, 2.0), 0.2), 0.0, 1.7),
    "diamond": (Polygon(((0.0, -1.2), (1.2, 0.0), (0.0, 1.2), (-1.2, 0.0))), 0.0, 1.2),
    "triangle": (Polygon(((0.0, -1.2), (1.2, 0.95), (-1.2, 0.95))), 0.3, 1.05),
    "shield": (Polygon(((-1.0, -1.0), (1.0, -1.0), (1.0, 0.3), (0.0, 1.15), (-1.0, 0.3))), -0.12, 1.7),
}


def badge_shapes(at: Point, r: float, badge: Badge) -> Iterator[Shape]:
    """A mark as a small token with letters."""
    outline, down, room = _BADGES[badge.shape]
    yield sized(replace(outline, fill=badge.colour, stroke=EDGE, width=0.13), r, at)
    size = lettering.fitting(badge.text, 1.35 * r, room * r, bold=True)
    yield Text((at[0], at[1] + down * r), badge.text, size, lettering.ink_on(badge.colour), bold=True)


# Lines over a hexside: how far over it, and how far along it, their ends lie.
_STROKES = {
    "tick": (((-0.13, 0.0), (0.13, 0.0)),),
    "cross": (((-0.11, -0.11), (0.11, 0.11)), ((-0.11, 0.11), (0.11, -0.11))),
    "line": (((0.0, -0.24), (0.0, 0.24)),),
}


def hexside_shapes(at: Point, across: float, badge: Badge) -> Iterator[Shape]:
    """A mark on a hexside, around its middle; `across` is the angle of the way over it."""
    (x, y), right, down = at, cos(across), sin(across)

    def spot(over: float, along: float) -> Point:
        return x + over * right - along * down, y + over * down + along * right

    for colour, width in ((EDGE, 0.1), (badge.colour, 0.055)):  # readable on any ground
        for start, end in _STROKES.get(badge.hexside, ()):
            yield Path((spot(*start), spot(*end)), colour, width)
    if badge.hexside == "dots":
        for along in (-0.18, -0.06, 0.06, 0.18):
            yield Circle(spot(0.0, along), 0.045, badge.colour, EDGE, 0.02)


# A glyph lies in a box 3 wide and 2 high.
_WIDE, _TALL, _PEN = 1.5, 1.0, 0.16


def glyph(name: str, at: Point, size: float, ink: str, fill: str) -> Iterator[Shape]:
    """A box with the sign of a unit in it; `size` is its height."""
    yield sized(Box((-_WIDE, -_TALL), (2 * _WIDE, 2 * _TALL), 0.0, fill, ink, _PEN), size / 2, at)
    yield from _inked(GLYPHS.get(name, ()), at, size / 2, ink)


def _line(*points: Point, thick: float = 1.0) -> Path:
    return Path(points, "", _PEN * thick)


def _oval(wide: float, tall: float) -> Path:
    turns = [2 * pi * i / 28 for i in range(29)]
    return _line(*((wide * cos(t), tall * sin(t)) for t in turns), thick=1.15)


_RISING = _line((-_WIDE, _TALL), (_WIDE, -_TALL))
_CROSSED = (_line((-_WIDE, -_TALL), (_WIDE, _TALL)), _RISING)
_CANOPY = [(-0.6 + 0.3 * i, 0.95 - 0.42 * sin(pi * i / 2)) for i in (0.0, 0.5, 1.0, 1.5, 2.0)]
_ARCH = [(1.2 * cos(t), 0.9 - 1.1 * sin(t)) for t in (pi * i / 12 for i in range(13))]
_STAFF = _line((-_WIDE, _TALL), (-_WIDE, _TALL + 0.75), thick=1.3)
_FINS = [_line((-0.45, tip + 0.4), (0.0, tip), (0.45, tip + 0.4)) for tip in (-0.4, -0.75)]
_BRIDGE = _line((-0.8, 0.45), (-0.8, -0.35), (0.8, -0.35), (0.8, 0.45))

GLYPHS: dict[str, tuple[Sign, ...]] = {
    "plain": (),
    "infantry": _CROSSED,
    "armour": (_oval(1.0, 0.58),),
    "mechanised": (*_CROSSED, _oval(1.0, 0.58)),
    "motorised": (*_CROSSED, _line((0, -_TALL), (0, _TALL))),
    "cavalry": (_RISING,),
    "airborne": (*_CROSSED, _line(*_CANOPY), _line(*((x + 0.6, y) for x, y in _CANOPY))),
    "mountain": (*_CROSSED, Polygon(((-0.5, _TALL), (0.0, 0.2), (0.5, _TALL)))),
    "headquarters": (_STAFF, Text(_NOUGHT, "HQ", 1.45, bold=True)),
    "assault gun": (_oval(1.05, 0.62), _line((-0.62, 0.32), (0.0, -0.42), (0.62, 0.32))),
    "artillery": (Circle(_NOUGHT, 0.42),),
    "rocket": (Circle((0.0, 0.4), 0.32), *_FINS),
    "engineer": (_BRIDGE, _line((0.0, -0.35), (0.0, 0.45))),
    "antitank": (_line((-_WIDE, _TALL), (0.0, -_TALL), (_WIDE, _TALL)),),
    "flak": (_line(*_ARCH),),
    "air": (Polygon(((-1.0, -0.5), (0.0, 0.0), (-1.0, 0.5))), Polygon(((1.0, -0.5), (0.0, 0.0), (1.0, 0.5)))),
    "supply": (_line((-_WIDE, 0.5), (_WIDE, 0.5)),),
    "unknown": (Text(_NOUGHT, "?", 1.7, bold=True),),
}
