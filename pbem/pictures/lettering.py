"""The letters of the pictures: the fonts that come with them, and how wide a text is."""

from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

FONTS = Path(__file__).parent / "fonts"
CAPITALS = 0.729  # the height of a capital, of the size of the letters
_MEASURE = 100


@lru_cache(maxsize=256)
def font(size: float, bold: bool = False) -> ImageFont.FreeTypeFont:
    """A font so many pixels high."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    return ImageFont.truetype(FONTS / name, size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=8192)
def width(text: str, bold: bool = False) -> float:
    """How wide a text of size 1 is."""
    return font(_MEASURE, bold).getlength(text) / _MEASURE


def fitting(text: str, size: float, room: float, bold: bool = False) -> float:
    """The size, or as much less as makes the text fit into the room."""
    wide = width(text, bold)
    return min(size, room / wide) if wide else size


def ink_on(fill: str) -> str:
    """Black or white letters, whichever can be read on this colour."""
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return "#111111" if 0.299 * red + 0.587 * green + 0.114 * blue > 140 else "#ffffff"


def mixed(colour: str, other: str, share: float) -> str:
    """A colour with a share of another in it."""
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
