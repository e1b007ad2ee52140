"""Pictures as SVG: the same shapes, as text that any browser draws; and in few bytes, for pages that travel by mail.

Lean SVG has whole units, relative paths, one path for all of a kind. It looks the same: only dots of one colour and
nearly one size are made one size, and what lies in a run of one kind is painted in one go. A line drawn twice, wide and
then narrow, is written once and used again.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from xml.sax.saxutils import escape, quoteattr

from pbem.pictures import lettering
from pbem.pictures.curves import arrowhead, bends, shortened, smooth
from pbem.pictures.shapes import Box, Circle, Extent, Group, Path, Picture, Point, Polygon, Shape, Strokes, Text, extent

UNIT = 100  # SVG units a pitch: whole numbers are fine enough
FONT = "DejaVu Sans, Verdana, sans-serif"
DOT = 0.2  # a dot's radius is one of few: so much apart, of its own size

Whole = tuple[int, int]


def svg(picture: Picture) -> str:
    """The picture as one SVG document."""
    wide, tall = picture.pixels
    view = " ".join(map(units, (picture.left, picture.top, picture.width, picture.height)))
    body = "\n".join(_body(picture))
    title = f"<title>{escape(picture.title)}</title>\n" if picture.title else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{tall}" viewBox="{view}" role="img"'
        f' font-family="{FONT}" stroke-linejoin="round" fill="none">\n{title}{body}\n</svg>\n'
    )


def _body(picture: Picture) -> Iterator[str]:
    ground, frame = picture.ground, Extent(picture.left, picture.top, picture.right, picture.bottom)
    background = ground.background if ground is not None else picture.background
    yield from markup([Box((picture.left, picture.top), (picture.width, picture.height), fill=background)])
    if ground is not None:
        yield '<g id="ground">'
        yield from markup(shape for shape in ground.shapes if extent(shape).over(frame))
        yield "</g>"
    yield from markup(shape for shape in picture.shapes if extent(shape).over(frame))


def markup(shapes: Iterable[Shape]) -> Iterator[str]:
    """Shapes as SVG elements, one a line; texts of one kind share their attributes."""
    for style, run in groupby(shapes, key=lambda shape: _lettering(shape) if isinstance(shape, Text) else ""):
        yield from [f"<g {style}>"] if style else []
        yield from map(_element, run)
        yield from ["</g>"] if style else []


def _lettering(shape: Text) -> str:
    """How letters look, as attributes that texts of one kind share."""
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    bold = ' font-weight="bold"' if shape.bold else ""
    width = units(max(0.02, shape.size * 0.28))
    halo = f' stroke="{shape.halo}" stroke-width="{width}" paint-order="stroke"' if shape.halo else ""
    return f'font-size="{units(shape.size)}" fill="{shape.fill}"{anchor}{bold}{halo}'


def _words(text: Text, written: Callable[[float], str]) -> str:
    """The words where they stand; `written` says how a length is written."""
    x, y = text.at[0], text.at[1] + lettering.CAPITALS / 2 * text.size
    turn = f' transform="rotate({text.turn:.1f} {written(x)} {written(text.at[1])})"' if text.turn else ""
    return f'<text x="{written(x)}" y="{written(y)}"{turn}>{escape(text.text)}</text>'


def _element(shape: Shape) -> str:
    match shape:
        case Group():
            name = f" data-name={quoteattr(shape.name)}" if shape.name else ""
            moved = f' transform="translate({_xy(shape.at)})"' if any(shape.at) else ""
            title = f"<title>{escape(shape.title)}</title>" if shape.title else ""
            return f"<g{name}{moved}>{title}{''.join(markup(shape.shapes))}</g>"
        case Polygon():
            return f'<path d="{_d(shape.points)}Z"{_style(shape.fill, shape.stroke, shape.width, shape.dash)}/>'
        case Path():
            return _path(shape)
        case Strokes():
            return f'<path d="{"".join(map(_d, shape.lines))}"{_style("", shape.stroke, shape.width)}/>'
        case Circle():
            x, y, r = map(units, (*shape.centre, shape.radius))
            return f'<circle cx="{x}" cy="{y}" r="{r}"{_style(shape.fill, shape.stroke, shape.width)}/>'
        case Box():
            x, y, wide, tall = map(units, (*shape.at, *shape.size))
            round_off = f' rx="{units(shape.radius)}"' if shape.radius else ""
            style = _style(shape.fill, shape.stroke, shape.width)
            return f'<rect x="{x}" y="{y}" width="{wide}" height="{tall}"{round_off}{style}/>'
        case Text():
            return _words(shape, units)


def _path(path: Path) -> str:
    points = path.points
    style = _style("", path.stroke, path.width, path.dash) + ("" if path.dash else ' stroke-linecap="round"')
    if path.arrow:
        curve = smooth(points) if path.smooth else list(points)
        head = arrowhead(curve, path.width)
        line = f'<path d="{_d(shortened(curve, 0.0, 2.2 * path.width))}"{style}/>'
        return f'{line}<path d="{_d(head)}Z"{_style(path.stroke, "", 0.0)}/>'
    if not path.smooth or len(points) < 3:
        return f'<path d="{_d(points)}"{style}/>'
    curves = "".join(f"C{_xy(b)} {_xy(c)} {_xy(d)}" for _, b, c, d in bends(points))
    return f'<path d="M{_xy(points[0])}{curves}"{style}/>'


def _style(fill: str, stroke: str, width: float, dash: tuple[float, ...] = ()) -> str:
    filled = f' fill="{fill}"' if fill else ""
    edged = f' stroke="{stroke}" stroke-width="{units(width)}"' if stroke else ""
    return filled + edged + (f' stroke-dasharray="{" ".join(map(units, dash))}"' if dash else "")


def _d(points: Iterable[Point]) -> str:
    return "M" + "L".join(map(_xy, points))


def _xy(point: Point) -> str:
    return f"{units(point[0])} {units(point[1])}"


def units(length: float) -> str:
    """A length in SVG units, as short as it can be written."""
    written = f"{length * UNIT:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written


# Lean.


def lean(shapes: Iterable[Shape], prefix: str = "k") -> Iterator[str]:
    """The elements, in the order of the shapes; `prefix` begins the ids of lines that are used again."""
    known: dict[str, str] = {}
    for _, run in groupby(shapes, key=_sort):
        for style, body in _drawn(list(run)):
            if style.startswith("<"):  # an element as it stands
                yield style
            elif body in known:
                yield f'<use href="#{known[body]}" {style}/>'
            else:
                known[body] = f"{prefix}{len(known)}"
                yield f'<g {style}><path id="{known[body]}" d="{body}"/></g>'


def _sort(shape: Shape) -> object:
    """Neighbours of one sort are drawn together."""
    match shape:
        case Circle(stroke="") | Box(stroke="", radius=0.0):
            return type(shape)
        case Path(arrow=False):
            return Path, shape.stroke, shape.width, shape.dash
        case Strokes():
            return Strokes, shape.stroke, shape.width
        case Text():
            return _lettering(shape)
    return id(shape)


def _drawn(run: Sequence[Shape]) -> Iterator[tuple[str, str]]:
    """A run as styles with the path each has, or as elements."""
    match first := run[0]:
        case Circle(stroke=""):
            yield from _dots([one for one in run if isinstance(one, Circle)])
        case Box(stroke="", radius=0.0):
            yield from _blocks([one for one in run if isinstance(one, Box)])
        case Path(arrow=False):
            dash = f' stroke-dasharray="{" ".join(str(_whole(d)) for d in first.dash)}"' if first.dash else ""
            style = _style("none", first.stroke, first.width) + (dash or ' stroke-linecap="round"')
            yield style[1:], "".join(_way(one) for one in run if isinstance(one, Path))
        case Strokes():
            lines = [line for one in run if isinstance(one, Strokes) for line in one.lines]
            yield _style("none", first.stroke, first.width)[1:], _chained(lines)
        case Polygon(dash=()):
            yield _style(first.fill or "none", first.stroke, first.width)[1:], f"{_broken(first.points)}z"
        case Text():
            words = "".join(_words(one, lambda length: str(_whole(length))) for one in run if isinstance(one, Text))
            yield f"<g {_lettering(first)}>{words}</g>", ""
        case _:
            yield "".join(markup(run)), ""


def _dots(dots: Sequence[Circle]) -> Iterator[tuple[str, str]]:
    """Dots as points of a round pen, by colour and by size."""
    largest: dict[str, float] = {}
    for dot in dots:
        largest[dot.fill] = max(dot.radius, largest.get(dot.fill, 0.0))
    for fill, most in largest.items():
        sizes: dict[int, list[Circle]] = {}
        for dot in (dot for dot in dots if dot.fill == fill):
            sizes.setdefault(round((most - dot.radius) / most / DOT), []).append(dot)
        for alike in sizes.values():
            wide = 2 * sum(dot.radius for dot in alike) / len(alike)
            points = [_at(dot.centre) for dot in alike]
            body = f"M{_joined(points[0])}h0" + "".join(f"m{_steps((a, b))}h0" for a, b in pairwise(points))
            yield f'{_style("none", fill, wide)[1:]} stroke-linecap="round"', body


def _blocks(boxes: Sequence[Box]) -> Iterator[tuple[str, str]]:
    found: dict[str, str] = {}
    for box in boxes:
        wide, tall = (max(1, _whole(length)) for length in box.size)
        found[box.fill] = found.get(box.fill, "") + f"M{_joined(_at(box.at))}h{wide}v{tall}h{-wide}z"
    yield from ((f'fill="{fill}"', body) for fill, body in found.items())


def _way(path: Path) -> str:
    if not path.smooth or len(path.points) < 3:
        return _broken(path.points)
    here = _at(path.points[0])
    written = f"M{_joined(here)}"
    for _, *handles in bends(path.points):
        spots = [_at(point) for point in handles]
        written += "c" + _joined(number for x, y in spots for number in (x - here[0], y - here[1]))
        here = spots[-1]
    return written


def _broken(points: Sequence[Point]) -> str:
    """A line from point to point; points that fall together are one."""
    spots = [spot for spot, _ in groupby(map(_at, points))]
    return f"M{_joined(spots[0])}" + (f"l{_steps(spots)}" if len(spots) > 1 else "h0")


def _chained(lines: Iterable[Sequence[Point]]) -> str:
    """Many short lines, each from where the one before it ended: what is alike in them is written alike."""
    here, written = (0, 0), "M0 0"
    for line in lines:
        spots = [_at(point) for point in line]
        written += f"m{_steps((here, spots[0]))}l{_steps(spots)}"
        here = spots[-1]
    return written


def _joined(numbers: Iterable[int]) -> str:
    """Numbers with no more between them than a reader needs."""
    return "".join(f"{'' if n == 0 or number < 0 else ' '}{number}" for n, number in enumerate(numbers))


def _steps(spots: Iterable[Whole]) -> str:
    """How far it is from each to the next."""
    return _joined(number for a, b in pairwise(spots) for number in (b[0] - a[0], b[1] - a[1]))


def _at(point: Point) -> Whole:
    return _whole(point[0]), _whole(point[1])


def _whole(length: float) -> int:
    return round(length * UNIT)
