"""A hand drawn as cards: what each is called, what it is worth, what it is good for."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from engine.reference import CardFace
from pbem.pictures import lettering
from pbem.pictures.emblems import emblem
from pbem.pictures.look import Look, SideLook
from pbem.pictures.shapes import Box, Circle, Group, Path, Picture, Shape, Text

WIDE = 2.4  # a card, in pitches
GAP = 0.1
ACROSS = 2  # cards side by side, so that a phone can show them
SCALE = 136.0  # pixels of a pitch: twice what a phone shows
BAND, MARGIN, CORNER = 0.42, 0.12, 0.13
TITLE, WORDS, SMALL = 0.22, 0.185, 0.165  # of letters
TITLE_LINE, LINE = 0.25, 0.235
TITLES = 2  # lines of a title at most
PAPER, EDGE, INK, SOFT, SHADOW = "#fffaec", "#8a7a5a", "#26231d", "#5f5644", "#00000030"

Card = tuple[str, CardFace]


def hand_picture(cards: Sequence[Card], look: Look, side: str, title: str) -> Picture:
    """The cards in rows, as large as they can be read on a phone, all of one height."""
    tall = max(height(face) for _, face in cards)
    rows = -(-len(cards) // ACROSS)
    right, bottom = ACROSS * (WIDE + GAP) + GAP, rows * (tall + GAP) + GAP
    drawn = []
    for number, (card, face) in enumerate(cards):
        at = (GAP + number % ACROSS * (WIDE + GAP), GAP + number // ACROSS * (tall + GAP))
        drawn.append(Group(card_shapes(card, face, look.sides[side], tall), at, name=card, title=face.title))
    return Picture(0.0, 0.0, right, bottom, look.paper["table"], title, tuple(drawn), None, SCALE)


def height(face: CardFace) -> float:
    """How tall a card must be for its face."""
    rows = sum(len(lines) for _, lines in _rows(face))
    return BAND + 0.1 + TITLE_LINE * len(_title(face)) + 0.16 + LINE * rows + 0.06


@lru_cache(maxsize=256)
def card_shapes(card: str, face: CardFace, side: SideLook, tall: float) -> tuple[Shape, ...]:
    """One card, its upper left corner at nothing."""
    return (*_sheet(side, tall), *_band(card, face, side), *_words(face, side))


def _sheet(side: SideLook, tall: float) -> Iterator[Shape]:
    yield Box((0.03, 0.04), (WIDE, tall), CORNER, SHADOW)
    yield Box((0.0, 0.0), (WIDE, tall), CORNER, PAPER)
    yield Box((0.0, 0.0), (WIDE, BAND + CORNER), CORNER, side.deep)
    yield Box((0.0, BAND), (WIDE, 2 * CORNER), 0.0, PAPER)
    yield Box((0.0, 0.0), (WIDE, tall), CORNER, "", EDGE, 0.02)


def _band(card: str, face: CardFace, side: SideLook) -> Iterator[Shape]:
    """The strip on top: whose it is, its name, its sort, its value."""
    ink, middle = lettering.ink_on(side.deep), BAND / 2
    yield from emblem(side.emblem, (0.22, middle), 0.12, ink)
    yield Text((0.42, middle), card, TITLE, ink, "start", bold=True)
    right = WIDE - (0.48 if face.value else MARGIN)
    room = right - 0.52 - lettering.width(card, bold=True) * TITLE
    yield Text((right, middle), face.sort, lettering.fitting(face.sort, SMALL, room), ink, "end")
    if face.value:
        yield Circle((WIDE - 0.24, middle), 0.165, PAPER)
        yield Text((WIDE - 0.24, middle), face.value, TITLE, side.deep, bold=True)


def _words(face: CardFace, side: SideLook) -> Iterator[Shape]:
    top, room = BAND + 0.22, WIDE - 2 * MARGIN
    for line in _title(face):
        yield Text((MARGIN, top), line, lettering.fitting(line, TITLE, room, bold=True), INK, "start", bold=True)
        top += TITLE_LINE
    yield Path(((MARGIN, top - 0.07), (WIDE - MARGIN, top - 0.07)), side.deep, 0.015)
    top += 0.11
    at = _column(face)
    for label, lines in _rows(face):
        yield Text((MARGIN, top), label, SMALL, SOFT, "start")
        for line in lines:
            yield Text((at, top), line, lettering.fitting(line, WORDS, WIDE - MARGIN - at), INK, "start")
            top += LINE


def _title(face: CardFace) -> list[str]:
    return _broken(face.title, TITLE, WIDE - 2 * MARGIN, bold=True)[:TITLES]


def _column(face: CardFace) -> float:
    """Where the words beside the labels begin."""
    return MARGIN + 0.1 + SMALL * max((lettering.width(label) for label, _ in face.rows), default=0.0)


def _rows(face: CardFace) -> list[tuple[str, list[str]]]:
    room = WIDE - MARGIN - _column(face)
    return [(label, _broken(value, WORDS, room)) for label, value in face.rows]


def _broken(text: str, size: float, room: float, bold: bool = False) -> list[str]:
    """A text in lines that fit, broken between words."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lettering.width(longer, bold) * size > room and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines
