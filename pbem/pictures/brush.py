"""One shape at a time onto a Pillow canvas; no letters."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import ImageDraw

from pbem.pictures.curves import arrowhead, dashes, shortened, smooth
from pbem.pictures.shapes import Box, Circle, Path, Point, Polygon, Shape, Strokes

PIECE = 12  # points


def straightened(path: Path) -> list[Shape]:
    """A curve or an arrow as short straight lines and a head, none of them long."""
    points = smooth(path.points) if path.smooth else list(path.points)
    parts: list[Shape] = []
    if path.arrow:
        parts.append(Polygon(arrowhead(points, path.width), fill=path.stroke))
        points = shortened(points, 0.0, 2.2 * path.width)
    lines = list(dashes(points, path.dash)) if path.dash else [points]
    for line in lines:
        for start in range(0, max(1, len(line) - 1), PIECE):
            parts.append(Path(tuple(line[start : start + PIECE + 1]), path.stroke, path.width))
    return parts


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
                    self._line([*points, *points[:2]], shape.stroke, shape.width, self._dash(shape.dash))
            case Path():
                self._path(shape, at)
            case Strokes():
                for line in shape.lines:
                    self._line(self._placed(line, at), shape.stroke, shape.width, ())
            case Circle():
                self._circle(shape, at)
            case Box():
                self._box(shape, at)

    def _placed(self, points: Sequence[Point], at: Point) -> list[Point]:
        dx, dy = at[0] * self.scale - self.origin[0], at[1] * self.scale - self.origin[1]
        return [(x * self.scale + dx, y * self.scale + dy) for x, y in points]

    def _dash(self, dash: Sequence[float]) -> tuple[float, ...]:
        return tuple(bit * self.scale for bit in dash)

    def _line(self, points: list[Point], colour: str, width: float, dash: Sequence[float]) -> None:
        wide = max(1, round(width * self.scale))
        if dash:
            for bit in dashes(points, dash):
                self._stroke(bit, colour, wide)
        else:
            self._stroke(points, colour, wide)

    def _stroke(self, points: list[Point], colour: str, wide: int) -> None:
        """A line with round bends; joint="curve" would do the same at many times the price."""
        self.on.line(points, fill=colour, width=wide)
        half = wide / 2 - 0.5
        if half < 1.5:
            return
        for (ax, ay), (x, y), (bx, by) in zip(points, points[1:], points[2:], strict=False):
            ux, uy, vx, vy = x - ax, y - ay, bx - x, by - y
            if (ux * vx + uy * vy) < 0.985 * ((ux * ux + uy * uy) * (vx * vx + vy * vy)) ** 0.5:
                self.on.ellipse((x - half, y - half, x + half, y + half), fill=colour)

    def _path(self, path: Path, at: Point) -> None:
        if path.smooth or path.arrow:
            for part in straightened(path):
                self.draw(part, at)
            return
        placed = self._placed(path.points, at)
        self._line(placed, path.stroke, path.width, self._dash(path.dash))
        if not path.dash:
            half = path.width * self.scale / 2
            for x, y in (placed[0], placed[-1]) if half > 1.5 else ():
                self.on.ellipse((x - half, y - half, x + half, y + half), fill=path.stroke)

    def _circle(self, circle: Circle, at: Point) -> None:
        ((x, y),) = self._placed((circle.centre,), at)
        r = circle.radius * self.scale
        if circle.stroke:
            wide = max(1, round(circle.width * self.scale))
            r += wide / 2
            around = (x - r, y - r, x + r, y + r)
            self.on.ellipse(around, fill=circle.fill or None, outline=circle.stroke, width=wide)
        elif circle.fill:
            self.on.ellipse((x - r, y - r, x + r, y + r), fill=circle.fill)

    def _box(self, box: Box, at: Point) -> None:
        (x, y), (right, bottom) = self._placed((box.at, (box.at[0] + box.size[0], box.at[1] + box.size[1])), at)
        wide = round(box.width * self.scale) if box.stroke else 0
        half = wide / 2
        corners = (x - half, y - half, right + half, bottom + half)
        colours = {"fill": box.fill or None, "outline": box.stroke or None, "width": max(wide, 1)}
        if box.radius:
            self.on.rounded_rectangle(corners, box.radius * self.scale, **colours)  # type: ignore[arg-type]
        else:
            self.on.rectangle(corners, **colours)  # type: ignore[arg-type]
