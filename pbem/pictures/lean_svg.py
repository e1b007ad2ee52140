"""Shapes as SVG in few bytes, for pages that travel by mail: whole units, relative paths, one path for all of a kind.

It looks the same: only dots of one colour and nearly one size are made one size, and what lies in a run of one kind is
painted in one go. A line drawn twice, wide and then narrow, is written once and used again.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from pbem.pictures.curves import bends
from pbem.pictures.shapes import Box, Circle, Path, Point, Polygon, Shape, Strokes, Text
from pbem.pictures.svg_painter import UNIT, markup, text_style, text_words, units

Whole = tuple[int, int]
DOT = 0.2  # a dot's radius is one of few: so much apart, of its own size


def lean(shapes: Iterable[Shape], prefix: str = "k") -> Iterator[str]:
    """The elements, in the order of the shapes; `prefix` begins the ids of lines that are used again."""
    known: dict[str, str] = {}
    for _, run in groupby(shapes, key=_sort):
        for style, body in _drawn(list(run)):
            if style.startswith("<"):  # an element as it stands
                yield style
                continue
            name = known.get(body)
            if name is None:
                known[body] = name = f"{prefix}{len(known)}"
                yield f'<g {style}><path id="{name}" d="{body}"/></g>'
            else:
                yield f'<use href="#{name}" {style}/>'


def _sort(shape: Shape) -> object:
    """Neighbours of one sort are drawn together."""
    match shape:
        case Circle() if not shape.stroke:
            return "dots"
        case Box() if not shape.stroke and not shape.radius:
            return "blocks"
        case Path() if not shape.arrow:
            return "line", shape.stroke, shape.width, shape.dash
        case Strokes():
            return "strokes", shape.stroke, shape.width
        case Text():
            return text_style(shape)
    return id(shape)


def _drawn(run: Sequence[Shape]) -> Iterator[tuple[str, str]]:
    """A run as styles with the path each has, or as elements."""
    first = run[0]
    match first:
        case Circle() if not first.stroke:
            yield from _dots([one for one in run if isinstance(one, Circle)])
        case Box() if not first.stroke and not first.radius:
            yield from _blocks([one for one in run if isinstance(one, Box)])
        case Path() if not first.arrow:
            lines = [one for one in run if isinstance(one, Path)]
            dash = f' stroke-dasharray="{" ".join(str(_whole(d)) for d in first.dash)}"' if first.dash else ""
            cap = "" if first.dash else ' stroke-linecap="round"'
            style = f'fill="none" stroke="{first.stroke}" stroke-width="{units(first.width)}"{dash}{cap}'
            yield style, "".join(_way(one) for one in lines)
        case Strokes():
            lines_ = [line for one in run if isinstance(one, Strokes) for line in one.lines]
            style = f'fill="none" stroke="{first.stroke}" stroke-width="{units(first.width)}"'
            yield style, _chained(lines_)
        case Polygon() if not first.dash:
            edge = f' stroke="{first.stroke}" stroke-width="{units(first.width)}"' if first.stroke else ""
            yield f'fill="{first.fill or "none"}"{edge}', f"{_broken(first.points)}z"
        case Text():
            words = "".join(text_words(one, str) for one in run if isinstance(one, Text))
            yield f"<g {text_style(first)}>{words}</g>", ""
        case _:
            yield "".join(markup(run)), ""


def _dots(dots: Sequence[Circle]) -> Iterator[tuple[str, str]]:
    """Dots as points of a round pen, by colour and by size."""
    for fill in dict.fromkeys(dot.fill for dot in dots):
        own = [dot for dot in dots if dot.fill == fill]
        largest = max(dot.radius for dot in own)
        sizes: dict[int, list[Circle]] = {}
        for dot in own:
            sizes.setdefault(round((largest - dot.radius) / largest / DOT), []).append(dot)
        for alike in sizes.values():
            wide = 2 * sum(dot.radius for dot in alike) / len(alike)
            style = f'fill="none" stroke="{fill}" stroke-width="{units(wide)}" stroke-linecap="round"'
            points = [_at(dot.centre) for dot in alike]
            body = f"M{_joined(points[0])}h0" + "".join(f"m{_step(a, b)}h0" for a, b in pairwise(points))
            yield style, body


def _blocks(boxes: Sequence[Box]) -> Iterator[tuple[str, str]]:
    for fill in dict.fromkeys(box.fill for box in boxes):
        found = []
        for box in boxes:
            if box.fill == fill:
                wide, tall = (max(1, _whole(length)) for length in box.size)
                found.append(f"M{_joined(_at(box.at))}h{wide}v{tall}h{-wide}z")
        yield f'fill="{fill}"', "".join(found)


def _way(path: Path) -> str:
    if not path.smooth or len(path.points) < 3:
        return _broken(path.points)
    here = _at(path.points[0])
    written = [f"M{_joined(here)}"]
    for _, *handles in bends(path.points):
        spots = [_at(point) for point in handles]
        written.append("c" + _joined(number for spot in spots for number in (spot[0] - here[0], spot[1] - here[1])))
        here = spots[-1]
    return "".join(written)


def _broken(points: Sequence[Point]) -> str:
    """A line from point to point; points that fall together are one."""
    spots = [spot for spot, _ in groupby(map(_at, points))]
    onward = _joined(number for a, b in pairwise(spots) for number in (b[0] - a[0], b[1] - a[1]))
    return f"M{_joined(spots[0])}" + (f"l{onward}" if onward else "h0")


def _chained(lines: Iterable[Sequence[Point]]) -> str:
    """Many short lines, each from where the one before it ended: what is alike in them is written alike."""
    here: Whole = (0, 0)
    written = []
    for line in lines:
        spots = [_at(point) for point in line]
        written.append(f"m{_step(here, spots[0])}l")
        written.append(_joined(number for a, b in pairwise(spots) for number in (b[0] - a[0], b[1] - a[1])))
        here = spots[-1]
    return "M0 0" + "".join(written)


def _joined(numbers: Iterable[int]) -> str:
    """Numbers with no more between them than a reader needs."""
    return "".join(f"{'' if n == 0 or number < 0 else ' '}{number}" for n, number in enumerate(numbers))


def _step(a: Whole, b: Whole) -> str:
    return _joined((b[0] - a[0], b[1] - a[1]))


def _at(point: Point) -> Whole:
    return _whole(point[0]), _whole(point[1])


def _whole(length: float) -> int:
    return round(length * UNIT)
