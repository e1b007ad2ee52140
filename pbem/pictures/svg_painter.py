"""Pictures as SVG: the same shapes, as text that any browser draws."""

from collections.abc import Callable, Iterable, Iterator
from itertools import groupby
from xml.sax.saxutils import escape, quoteattr

from pbem.pictures import lettering
from pbem.pictures.curves import arrowhead, bends, shortened, smooth
from pbem.pictures.shapes import Box, Circle, Extent, Group, Path, Picture, Point, Polygon, Shape, Strokes, Text, extent

UNIT = 100  # SVG units a pitch: whole numbers are fine enough
FONT = "DejaVu Sans, Verdana, sans-serif"


def svg(picture: Picture) -> str:
    """The picture as one SVG document."""
    wide, tall = picture.pixels
    view = f"{units(picture.left)} {units(picture.top)} {units(picture.width)} {units(picture.height)}"
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
    for kind, run in groupby(shapes, key=_lettering):
        if kind is None:
            for shape in run:
                yield _element(shape)
        else:
            yield f"<g {kind}>"
            yield from (text_words(text) for text in run if isinstance(text, Text))
            yield "</g>"


def _lettering(shape: Shape) -> str | None:
    return text_style(shape) if isinstance(shape, Text) else None


def text_style(shape: Text) -> str:
    """How letters look, as attributes that texts of one kind share."""
    anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
    bold = ' font-weight="bold"' if shape.bold else ""
    width = units(max(0.02, shape.size * 0.28))
    halo = f' stroke="{shape.halo}" stroke-width="{width}" paint-order="stroke"' if shape.halo else ""
    return f'font-size="{units(shape.size)}" fill="{shape.fill}"{anchor}{bold}{halo}'


def text_words(text: Text, written: Callable[[float], str] | None = None) -> str:
    """The words where they stand; `written` says how a length in units is written, if not as usual."""
    at = units if written is None else lambda length: written(round(length * UNIT))
    x, y = text.at[0], text.at[1] + lettering.CAPITALS / 2 * text.size
    turn = f' transform="rotate({text.turn:.1f} {at(text.at[0])} {at(text.at[1])})"' if text.turn else ""
    return f'<text x="{at(x)}" y="{at(y)}"{turn}>{escape(text.text)}</text>'


def _element(shape: Shape) -> str:
    match shape:
        case Group():
            return _group(shape)
        case Polygon():
            return f'<path d="{_d(shape.points)}Z"{_style(shape.fill, shape.stroke, shape.width, shape.dash)}/>'
        case Path():
            return _path(shape)
        case Strokes():
            drawn = "".join(_d(line) for line in shape.lines)
            return f'<path d="{drawn}"{_style("", shape.stroke, shape.width)}/>'
        case Circle():
            x, y = shape.centre
            style = _style(shape.fill, shape.stroke, shape.width)
            return f'<circle cx="{units(x)}" cy="{units(y)}" r="{units(shape.radius)}"{style}/>'
        case Box():
            (x, y), (wide, tall) = shape.at, shape.size
            round_off = f' rx="{units(shape.radius)}"' if shape.radius else ""
            where = f'x="{units(x)}" y="{units(y)}" width="{units(wide)}" height="{units(tall)}"'
            return f"<rect {where}{round_off}{_style(shape.fill, shape.stroke, shape.width)}/>"
        case Text():
            return f"<g {_lettering(shape)}>{text_words(shape)}</g>"


def _group(group: Group) -> str:
    x, y = group.at
    name = f" data-name={quoteattr(group.name)}" if group.name else ""
    moved = f' transform="translate({units(x)} {units(y)})"' if x or y else ""
    title = f"<title>{escape(group.title)}</title>" if group.title else ""
    return f"<g{name}{moved}>{title}{''.join(markup(group.shapes))}</g>"


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
    said = f' fill="{fill}"' if fill else ""
    if stroke:
        said += f' stroke="{stroke}" stroke-width="{units(width)}"'
    if dash:
        said += f' stroke-dasharray="{" ".join(map(units, dash))}"'
    return said


def _d(points: Iterable[Point]) -> str:
    return "M" + "L".join(map(_xy, points))


def _xy(point: Point) -> str:
    return f"{units(point[0])} {units(point[1])}"


def units(length: float) -> str:
    """A length in SVG units, as short as it can be written."""
    written = f"{length * UNIT:.1f}".removesuffix(".0")
    return "0" if written == "-0" else written
