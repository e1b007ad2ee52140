"""Pictures as PNG. The ground is painted once and kept, so are counters; the rest is painted as it comes."""

import io
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from typing import Any

from PIL import Image, ImageDraw

from pbem.pictures import lettering
from pbem.pictures.brush import Brush, straightened
from pbem.pictures.shapes import Extent, Ground, Group, Path, Picture, Point, Shape, Strokes, Text, around, extent, flat

FINE = 3  # the ground is painted so many times as large and made smaller: smooth edges
COARSE = 2  # a large ground is fine enough with this, and so is what comes and goes
LARGE = 1600  # pixels across
TILE = 128
PLOT = 256  # pixels of a square of ground that is painted by itself,
PART = 4  # where a picture shows less than one part of so many
COLOURS = 256


def forget() -> None:
    """Throws away all that was kept."""
    for kept in (_painted, _plot, _small_pieces, _sprite):
        kept.cache_clear()


def png(picture: Picture) -> bytes:
    """The picture as a PNG of at most 256 colours."""
    few = paint(picture).quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return saved(few, compress_level=5)  # two thirds of the time of 6, a few bytes more


def lean_png(picture: Picture, palette: Image.Image) -> bytes:
    """The picture in a few colours that are known before: smaller, and found faster."""
    few = paint(picture).quantize(palette=palette, dither=Image.Dither.NONE)
    return saved(few, compress_level=6, bits=8)  # 9 would save one part in twenty, and take eight times as long


def saved(image: Image.Image, kind: str = "PNG", **how: Any) -> bytes:
    """The bytes of the file that an image becomes."""
    out = io.BytesIO()
    image.save(out, kind, **how)
    return out.getvalue()


def paint(picture: Picture) -> Image.Image:
    """The picture in full colour."""
    scale, ground = picture.scale, picture.ground
    image = Image.new("RGB", [max(1, pixels) for pixels in picture.pixels], picture.background)
    origin = (picture.left * scale, picture.top * scale)
    if ground is not None:
        # All else is laid on whole pixels of the ground, so that a crop shows what the whole map shows.
        right = round((picture.left - ground.left) * scale)
        down = round((picture.top - ground.top) * scale)
        _lay_ground(image, ground, scale, (right, down))
        origin = (ground.left * scale + right, ground.top * scale + down)
    for whole, run in groupby(flat(picture.shapes, kept=True), key=lambda piece: isinstance(piece[0], Group | Text)):
        if not whole:
            _tiled(image, run, scale, origin)
            continue
        for shape, at in run:
            if isinstance(shape, Text):
                letters(image, shape, at, scale, origin)
            elif isinstance(shape, Group):  # painted once for this scale, then only laid down
                sprite, left, top = _sprite(shape.shapes, scale)
                x = round((at[0] + shape.at[0]) * scale - origin[0]) + left
                y = round((at[1] + shape.at[1]) * scale - origin[1]) + top
                image.paste(sprite, (x, y), sprite)
    return image


def _lay_ground(image: Image.Image, ground: Ground, scale: float, corner: tuple[int, int]) -> None:
    """The ground from this pixel of it on: all of it painted and kept, or only the plots of it that are seen."""
    wide, tall = (ground.right - ground.left) * scale, (ground.bottom - ground.top) * scale
    right, down = corner
    if image.width * image.height * PART > wide * tall:
        image.paste(_painted(ground, scale), (-right, -down))
        return
    for x in range(right // PLOT * PLOT, right + image.width, PLOT):
        for y in range(down // PLOT * PLOT, down + image.height, PLOT):
            image.paste(_plot(ground, scale, (x, y)), (x - right, y - down))


@lru_cache(maxsize=400)  # some 200 KB each
def _plot(ground: Ground, scale: float, spot: tuple[int, int]) -> Image.Image:
    """A square of the ground, painted from the shapes that reach into it alone."""
    corner = (ground.left * scale + spot[0], ground.top * scale + spot[1])
    box = Extent(*(edge / scale for edge in (*corner, corner[0] + PLOT, corner[1] + PLOT)))
    inside = [shape for shape, reach in _small_pieces(ground) if reach.over(box)]
    image = Image.new("RGB", (PLOT * COARSE, PLOT * COARSE), ground.background)
    return _finely(image, inside, scale, corner, COARSE)


@lru_cache(maxsize=12)
def _small_pieces(ground: Ground) -> list[tuple[Shape, Extent]]:
    """Its shapes with how far they reach; many lines in one are taken apart."""
    found = []
    for shape, at in flat(ground.shapes):
        parts: list[Shape] = [shape]
        if isinstance(shape, Strokes):
            parts = [Strokes((line,), shape.stroke, shape.width) for line in shape.lines]
        for part in parts:
            placed = Group((part,), at) if at != (0.0, 0.0) else part
            found.append((placed, extent(placed).grown(0.3 if isinstance(part, Text) else 0.05)))
    return found


@lru_cache(maxsize=6)
def _painted(ground: Ground, scale: float) -> Image.Image:
    wide, tall = round((ground.right - ground.left) * scale), round((ground.bottom - ground.top) * scale)
    fine = FINE if wide < LARGE else COARSE
    image = Image.new("RGB", (wide * fine, tall * fine), ground.background)
    return _finely(image, ground.shapes, scale, (ground.left * scale, ground.top * scale), fine)


@lru_cache(maxsize=4096)
def _sprite(shapes: tuple[Shape, ...], scale: float) -> tuple[Image.Image, int, int]:
    """A kept group, and where its corner lies from its middle."""
    left, top, right, bottom = (edge * scale for edge in around(map(extent, shapes)))
    x, y = int(left) - 2, int(top) - 2
    size = int(right) + 3 - x, int(bottom) + 3 - y
    # Colour under full transparency would show as a fringe, and the counters' edges are dark.
    image = Image.new("RGBA", (size[0] * 4, size[1] * 4), (30, 30, 30, 0))
    return _finely(image, shapes, scale, (x, y), 4), x, y


def _finely(image: Image.Image, shapes: Iterable[Shape], scale: float, corner: Point, fine: int) -> Image.Image:
    """Shapes on a canvas so many times too large, made smaller for smooth edges; then letters, which stay sharp."""
    mode = "RGBA" if image.mode == "RGB" else image.mode  # what is half transparent is mixed with what lies there
    brush = Brush(ImageDraw.Draw(image, mode), scale * fine, (corner[0] * fine, corner[1] * fine))
    pieces = list(flat(shapes))
    for shape, at in pieces:
        brush.draw(shape, at)
    image = image.reduce(fine)
    for shape, at in pieces:
        if isinstance(shape, Text):
            letters(image, shape, at, scale, corner)
    return image


def _tiled(image: Image.Image, pieces: Iterable[tuple[Shape, Point]], scale: float, origin: Point) -> None:
    """Shapes with smooth edges, painted tile by tile, only where there is something."""
    tiles: dict[tuple[int, int], list[tuple[Shape, Point]]] = {}
    for shape, at in pieces:
        if touched := _touched(image, shape, at, scale, origin):
            # Long lines in short bits, so that each is painted on the tiles it touches and no others.
            parts = straightened(shape) if isinstance(shape, Path) else [shape]
            for part in parts:
                for corner in touched if part is shape else _touched(image, part, at, scale, origin):
                    tiles.setdefault(corner, []).append((part, at))
    for (left, top), inside in tiles.items():
        box = (left, top, min(left + TILE, image.width), min(top + TILE, image.height))
        # What lies there already is blown up and made small again: where nothing is drawn, nothing changes.
        size = ((box[2] - left) * COARSE, (box[3] - top) * COARSE)
        tile = image.resize(size, Image.Resampling.NEAREST, box)
        where = (origin[0] + left) * COARSE, (origin[1] + top) * COARSE
        brush = Brush(ImageDraw.Draw(tile, "RGBA"), scale * COARSE, where)
        for shape, at in inside:
            brush.draw(shape, at)
        image.paste(tile.reduce(COARSE), (left, top))


def _touched(image: Image.Image, shape: Shape, at: Point, scale: float, origin: Point) -> list[tuple[int, int]]:
    """The corners of the tiles that a shape reaches into."""
    left, top, right, bottom = (edge * scale for edge in extent(shape))
    x, y = at[0] * scale - origin[0], at[1] * scale - origin[1]
    across = range(max(0, int(left + x) - 1) // TILE * TILE, min(image.width, int(right + x) + 2), TILE)
    down = range(max(0, int(top + y) - 1) // TILE * TILE, min(image.height, int(bottom + y) + 2), TILE)
    return [(column, row) for column in across for row in down]


def letters(image: Image.Image, text: Text, at: Point, scale: float, origin: Point) -> None:
    """A text, drawn at its final size so that it stays sharp."""
    size = text.size * scale
    if size < 3:
        return
    x = (text.at[0] + at[0]) * scale - origin[0]
    y = (text.at[1] + at[1]) * scale - origin[1]
    face = lettering.font(round(size * 4) / 4, text.bold)
    halo = max(1.0, size * 0.14) if text.halo else 0.0
    half = int(face.getlength(text.text) / 2 + size) + 2 if text.turn else 0
    layer = Image.new("RGBA", (2 * half, 2 * half), f"{text.halo or text.fill}00") if text.turn else image
    spot = (half, half) if text.turn else (x, y)
    at, draw = (spot[0], spot[1] + lettering.CAPITALS / 2 * size), ImageDraw.Draw(layer)
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[text.anchor]
    if halo:
        draw.text(at, text.text, text.halo, face, anchor, stroke_width=halo, stroke_fill=text.halo)
    draw.text(at, text.text, text.fill, face, anchor)
    if text.turn:
        turned = layer.rotate(-text.turn, Image.Resampling.BICUBIC)
        image.paste(turned, (round(x) - half, round(y) - half), turned)
