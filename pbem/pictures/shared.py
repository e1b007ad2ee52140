"""Pictures shared between readers, in a fixed palette for each game: what shows the same is painted once."""

from collections.abc import Iterator
from functools import lru_cache

from PIL import Image

from engine.board import Board
from engine.game import Game
from engine.pieces import Roster
from pbem.pictures.empty_board import ground
from pbem.pictures.lettering import mixed
from pbem.pictures.look import Look, look_of
from pbem.pictures.pillow_painter import lean_png, paint
from pbem.pictures.shapes import Picture

BLENDS = 24  # colours between those that are named, as the edges of shapes have them
COLOURS = 96
SHEET = 480  # pixels across
INKS = ("#161616", "#ffffff", "#fff8d6", "#ffd23f", "#c0261c", "#5b4038", "#efe3cb")


@lru_cache(maxsize=16)
def _palette(look: Look, board: Board, roster: Roster) -> Image.Image:
    """The colours of a game's pictures, as an image that others are fitted to."""
    below = ground(board, look, numbers=False)
    scale = SHEET / (below.right - below.left)
    land = paint(Picture(below.left, below.top, below.right, below.bottom, look.paper["table"], "", (), below, scale))
    blends = land.quantize(BLENDS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).getpalette() or []
    named = list(dict.fromkeys(_named(look, roster)))[: COLOURS - BLENDS]
    found = Image.new("P", (1, 1))
    found.putpalette([*(int(colour[at : at + 2], 16) for colour in named for at in (1, 3, 5)), *blends[: 3 * BLENDS]])
    return found


def _named(look: Look, roster: Roster) -> Iterator[str]:
    """The colours that must not be mistaken for others, the most needed first."""
    yield from INKS
    for side in look.sides.values():
        yield from (side.fill, side.deep, mixed(side.fill, "#ffffff", 0.45), mixed(side.fill, "#000000", 0.28))
        yield mixed(side.deep, "#ffffff", 0.5)
    yield from look.paper.values()
    yield from (band for unit in roster if (band := look.band(unit)))
    for kind in look.terrain.values():
        yield from (colour for colour in (kind.fill, kind.ink) if colour)
    for stripe in (*look.features.values(), *look.ways.values()):
        yield from (colour for colour in (stripe.fill, stripe.edge) if colour)
    yield from (badge.colour for badge in look.marks.values())


def painted_once(picture: Picture, game: Game) -> bytes:
    """The picture as a lean PNG; one with the same content is not painted again."""
    return _painted(picture, look_of(game), game.shown, game.setting.roster)


@lru_cache(maxsize=24)
def _painted(picture: Picture, look: Look, board: Board, roster: Roster) -> bytes:
    return lean_png(picture, _palette(look, board, roster))


forget = _painted.cache_clear  # so that the cost of painting can be measured
