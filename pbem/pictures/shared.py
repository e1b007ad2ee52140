"""Pictures shared between readers: what shows the same is painted once, whoever it is for."""

from collections import OrderedDict
from collections.abc import Hashable

from engine.game import Game
from pbem.pictures.palettes import palette_of
from pbem.pictures.pillow_painter import lean_png
from pbem.pictures.shapes import Picture

MOST = 24
_PAINTED: OrderedDict[Hashable, bytes] = OrderedDict()


def forget() -> None:
    """Throws away what was painted, so that its cost can be measured."""
    _PAINTED.clear()


def painted_once(picture: Picture, game: Game) -> bytes:
    """The picture as a lean PNG; one with the same content is not painted again."""
    key = (picture.left, picture.top, picture.right, picture.bottom, picture.scale, game.rulebook, *picture.shapes)
    if key in _PAINTED:
        _PAINTED.move_to_end(key)
        return _PAINTED[key]
    made = _PAINTED[key] = lean_png(picture, palette_of(game))
    if len(_PAINTED) > MOST:
        _PAINTED.popitem(last=False)
    return made
