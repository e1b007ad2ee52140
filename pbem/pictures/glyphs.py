"""What a unit is, drawn in a box as soldiers' maps do it; the drawings are our own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import cos, pi, sin

from pbem.pictures.shapes import Box, Circle, Path, Point, Polygon, Shape, Text

# A glyph is drawn in a box 3 wide and 2 high around (0, 0), then moved and made as small as it is wanted.
_WIDE, _TALL = 1.5, 1.0


def glyph(name: str, at: Point, size: float, ink: str, fill: str) -> Iterator[Shape]:
    """A box with the sign of a unit in it; `size` is its height."""
    yield from _Pen(at, size / 2, ink).drawn(name, fill)


class _Pen:
    """Draws the parts of a glyph where it shall stand."""

    def __init__(self, at: Point, unit: float, ink: str) -> None:
        self.at, self.unit, self.ink = at, unit, ink
        self.width = unit * 0.16

    def drawn(self, name: str, fill: str) -> Iterator[Shape]:
        corner = self._p(-_WIDE, -_TALL)
        yield Box(corner, (2 * _WIDE * self.unit, 2 * _TALL * self.unit), 0.0, fill, self.ink, self.width)
        yield from GLYPHS.get(name, _plain)(self)

    def _p(self, x: float, y: float) -> Point:
        return self.at[0] + x * self.unit, self.at[1] + y * self.unit

    def line(self, *points: Point, thick: float = 1.0) -> Shape:
        return Path(tuple(self._p(x, y) for x, y in points), self.ink, self.width * thick)

    def area(self, *points: Point) -> Shape:
        return Polygon(tuple(self._p(x, y) for x, y in points), fill=self.ink)

    def dot(self, x: float, y: float, r: float) -> Shape:
        return Circle(self._p(x, y), r * self.unit, fill=self.ink)

    def oval(self, wide: float, tall: float) -> Shape:
        turns = [2 * pi * i / 28 for i in range(29)]
        return self.line(*((wide * cos(t), tall * sin(t)) for t in turns), thick=1.15)

    def word(self, text: str, size: float) -> Shape:
        return Text(self._p(0, 0), text, size * self.unit, self.ink, bold=True)


def _plain(pen: _Pen) -> Iterator[Shape]:
    yield from ()


def _infantry(pen: _Pen) -> Iterator[Shape]:
    yield pen.line((-_WIDE, -_TALL), (_WIDE, _TALL))
    yield pen.line((-_WIDE, _TALL), (_WIDE, -_TALL))


def _armour(pen: _Pen) -> Iterator[Shape]:
    yield pen.oval(1.0, 0.58)


def _mechanised(pen: _Pen) -> Iterator[Shape]:
    yield from _infantry(pen)
    yield pen.oval(1.0, 0.58)


def _motorised(pen: _Pen) -> Iterator[Shape]:
    yield from _infantry(pen)
    yield pen.line((0, -_TALL), (0, _TALL))


def _cavalry(pen: _Pen) -> Iterator[Shape]:
    yield pen.line((-_WIDE, _TALL), (_WIDE, -_TALL))


def _airborne(pen: _Pen) -> Iterator[Shape]:
    yield from _infantry(pen)
    arc = [(-0.6 + 0.3 * i, 0.95 - 0.42 * sin(pi * i / 2)) for i in (0.0, 0.5, 1.0, 1.5, 2.0)]
    yield pen.line(*arc)
    yield pen.line(*((x + 0.6, y) for x, y in arc))


def _mountain(pen: _Pen) -> Iterator[Shape]:
    yield from _infantry(pen)
    yield pen.area((-0.5, _TALL), (0.0, 0.2), (0.5, _TALL))


def _headquarters(pen: _Pen) -> Iterator[Shape]:
    yield pen.line((-_WIDE, _TALL), (-_WIDE, _TALL + 0.75), thick=1.3)
    yield pen.word("HQ", 1.45)


def _assault_gun(pen: _Pen) -> Iterator[Shape]:
    yield pen.oval(1.05, 0.62)
    yield pen.line((-0.62, 0.32), (0.0, -0.42), (0.62, 0.32))


def _artillery(pen: _Pen) -> Iterator[Shape]:
    yield pen.dot(0, 0, 0.42)


def _rocket(pen: _Pen) -> Iterator[Shape]:
    yield pen.dot(0, 0.4, 0.32)
    yield pen.line((-0.45, 0.0), (0.0, -0.4), (0.45, 0.0))
    yield pen.line((-0.45, -0.35), (0.0, -0.75), (0.45, -0.35))


def _engineer(pen: _Pen) -> Iterator[Shape]:
    yield pen.line((-0.8, 0.45), (-0.8, -0.35), (0.8, -0.35), (0.8, 0.45))
    yield pen.line((0.0, -0.35), (0.0, 0.45))


def _antitank(pen: _Pen) -> Iterator[Shape]:
    yield pen.line((-_WIDE, _TALL), (0.0, -_TALL), (_WIDE, _TALL))


def _flak(pen: _Pen) -> Iterator[Shape]:
    yield pen.line(*((1.2 * cos(t), 0.9 - 1.1 * sin(t)) for t in (pi * i / 12 for i in range(13))))


def _air(pen: _Pen) -> Iterator[Shape]:
    yield pen.area((-1.0, -0.5), (0.0, 0.0), (-1.0, 0.5))
    yield pen.area((1.0, -0.5), (0.0, 0.0), (1.0, 0.5))


def _supply(pen: _Pen) -> Iterator[Shape]:
    yield pen.line((-_WIDE, 0.5), (_WIDE, 0.5))


def _unknown(pen: _Pen) -> Iterator[Shape]:
    yield pen.word("?", 1.7)


GLYPHS: dict[str, Callable[[_Pen], Iterator[Shape]]] = {
    "plain": _plain,
    "infantry": _infantry,
    "armour": _armour,
    "mechanised": _mechanised,
    "motorised": _motorised,
    "cavalry": _cavalry,
    "airborne": _airborne,
    "mountain": _mountain,
    "headquarters": _headquarters,
    "assault gun": _assault_gun,
    "artillery": _artillery,
    "rocket": _rocket,
    "engineer": _engineer,
    "antitank": _antitank,
    "flak": _flak,
    "air": _air,
    "supply": _supply,
    "unknown": _unknown,
}
