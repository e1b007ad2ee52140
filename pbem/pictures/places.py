"""Towns on the map: blocks, a few houses, a dot; and heights that have a name."""

from collections.abc import Iterator
from random import Random

from engine.board import Board
from pbem.pictures.look import Look, PlaceLook
from pbem.pictures.shapes import Box, Circle, Point, Polygon, Shape
from pbem.pictures.terrain_shapes import quarters

_WALLS = "#5b4038"
_ROOFS = ("#8a4a3a", "#a2644d", "#6f5247")
_YARD = "#efe3cb"


def places(board: Board, look: Look) -> Iterator[Shape]:
    """Every town that its hex does not show by itself."""
    for h, place in board.places.items():
        terrain = look.terrain.get(board.kinds.get(h, ""))
        if terrain is not None and terrain.drawing == "blocks":
            continue
        style = look.places.get(place.size, PlaceLook())
        yield from houses(board.grid.centre(h), style, Random(place.name))


def houses(at: Point, style: PlaceLook, dice: Random) -> Iterator[Shape]:
    """One town."""
    x, y = at
    if style.drawing == "blocks":
        yield from quarters(at, 0.28, _WALLS, dice)
    elif style.drawing == "houses":
        yield Circle(at, 0.15, fill=_YARD, stroke=_WALLS, width=0.016)
        for dx, dy in ((-0.062, -0.05), (0.055, -0.062), (-0.05, 0.058), (0.062, 0.045)):
            wide, tall = dice.uniform(0.06, 0.09), dice.uniform(0.06, 0.085)
            yield Box((x + dx - wide / 2, y + dy - tall / 2), (wide, tall), fill=dice.choice(_ROOFS))
    elif style.drawing == "height":
        yield Polygon(((x, y - 0.1), (x + 0.11, y + 0.08), (x - 0.11, y + 0.08)), fill=_WALLS)
    else:
        yield Circle(at, 0.075, fill=_YARD, stroke=_WALLS, width=0.03)
