"""One shape at a time onto a Pillow canvas; no letters."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PIL import ImageDraw

from pbem.pictures.curves import arrowhead, dashes, shortened, smooth
from pbem.pictures.shapes import Box, Circle, Path, Point, Polygon, Shape, Strokes

PIECE = 12  # points


def straightened(path: Path) -> list[Shape]:
    """A curve or an arrow as short straight lines and a head, none of them long."""
    points, head = smooth(path.points) if path.smooth else list(path.points), list[Shape]()
    if path.arrow:
        head = [Polygon(arrowhead(points, path.width), fill=path.stroke)]
        points = shortened(points, 0.0, 2.2 * path.width)
    return head + [
        Path(tuple(line[start : start + PIECE + 1]), path.stroke, path.width)
        for line in (dashes(points, path.dash) if path.dash else [points])
        for start in range(0, max(1, len(line) - 1), PIECE)
    ]


@dataclass(frozen=True)
class Brush:
    """Draws at so many pixels a pitch; `origin` is where the plane's middle lies, in pixels, the other way."""

    on: ImageDraw.ImageDraw
    scale: float
    origin: Point

    def draw(self, shape: Shape, at: Point = (0.0, 0.0)) -> None:
        """A shape, moved by `at`; letters and groups are no business of a brush."""
        match shape:
            case Polygon():
                points = self._placed(shape.points, at)
                if shape.fill:
                    self.on.polygon(points, fill=shape.fill)
                if shape.stroke:
                    # polygon(outline=..., width=...) is hundreds of times slower than a closed line.
                    self._line([*points, *points[:2]], shape.stroke, shape.width, shape.dash)
            case Path() if shape.smooth or shape.arrow:
                for part in straightened(shape):
                    self.draw(part, at)
            case Path():
                points, half = self._placed(shape.points, at), shape.width * self.scale / 2
                self._line(points, shape.stroke, shape.width, shape.dash)
                for end in (points[0], points[-1]) if half > 1.5 and not shape.dash else ():
                    self._dot(end, half, shape.stroke)
            case Strokes():
                for line in shape.lines:
                    self._line(self._placed(line, at), shape.stroke, shape.width)
            case Circle():
                (centre,) = self._placed((shape.centre,), at)
                wide = max(1, round(shape.width * self.scale)) if shape.stroke else 0
                self._dot(centre, shape.radius * self.scale + wide / 2, shape.fill, shape.stroke, wide)
            case Box():
                self._box(shape, at)

    def _placed(self, points: Sequence[Point], at: Point) -> list[Point]:
        dx, dy = at[0] * self.scale - self.origin[0], at[1] * self.scale - self.origin[1]
        return [(x * self.scale + dx, y * self.scale + dy) for x, y in points]

    def _dot(self, at: Point, r: float, fill: str, edge: str = "", wide: int = 0) -> None:
        if fill or edge:
            around = (at[0] - r, at[1] - r, at[0] + r, at[1] + r)
            self.on.ellipse(around, fill=fill or None, outline=edge or None, width=wide)

    def _line(self, points: list[Point], colour: str, width: float, dash: Sequence[float] = ()) -> None:
        """A line with round bends; joint="curve" would do the same at many times the price."""
        wide = max(1, round(width * self.scale))
        half = wide / 2 - 0.5
        for bit in dashes(points, [length * self.scale for length in dash]) if dash else [points]:
            self.on.line(bit, fill=colour, width=wide)
            for (ax, ay), (x, y), (bx, by) in zip(bit, bit[1:], bit[2:], strict=False) if half >= 1.5 else ():
                ux, uy, vx, vy = x - ax, y - ay, bx - x, by - y
                if (ux * vx + uy * vy) < 0.985 * ((ux * ux + uy * uy) * (vx * vx + vy * vy)) ** 0.5:
                    self._dot((x, y), half, colour)

    def _box(self, box: Box, at: Point) -> None:
        (x, y), (right, bottom) = self._placed((box.at, (box.at[0] + box.size[0], box.at[1] + box.size[1])), at)
        wide = round(box.width * self.scale) if box.stroke else 0
        half = wide / 2
        corners = (x - half, y - half, right + half, bottom + half)
        draw = partial(self.on.rounded_rectangle, radius=box.radius * self.scale) if box.radius else self.on.rectangle
        draw(corners, fill=box.fill or None, outline=box.stroke or None, width=max(wide, 1))
