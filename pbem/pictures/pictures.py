"""The pictures of a game: the empty board, the whole map, the fighting, any part; each from one reader's view only.

Those that readers share have a fixed palette for each game, and what shows the same is painted once.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import atan2

from PIL import Image

from engine import hexset
from engine.board import Board
from engine.facts import Fact, Moved
from engine.game import Game
from engine.hexes import Hex
from engine.pieces import Roster
from engine.table import Table
from engine.view import visible
from pbem.pictures import lettering
from pbem.pictures.counters import stack, token
from pbem.pictures.emblems import emblem, hexside_shapes
from pbem.pictures.empty_board import TITLE, ground
from pbem.pictures.events import PaintedStory
from pbem.pictures.legend import MARGIN, sheet_of
from pbem.pictures.lettering import mixed
from pbem.pictures.look import Badge, Look, look_of
from pbem.pictures.pillow_painter import lean_png, paint, png
from pbem.pictures.shapes import Extent, Ground, Group, Picture, Point, Polygon, Shape, Text
from pbem.pictures.svg_painter import svg
from pbem.tale.marches import FoughtAt
from pbem.wording.situation import headline

__all__ = ["crop", "empty_board", "engagement", "fighting", "letter_map", "painted_once", "png", "svg", "whole_map"]

MAIL = 1000  # pixels across, for a mail that asked for it
LETTER = 680  # for every other
FULL = 64.0  # pixels from hex to hex on the full-size map
SMALL = 44.0  # below so many, counters and map leave out what could not be read
FAR = 30.0  # below so many, a map with very many small places names only the others
LARGER = (48.0, 40.0, 34.0)  # of the map of a letter, where all that is in play lies in a part of it
PART = 0.7  # of the sheet: what is in play is shown alone where it takes up less
TALL = 1.5  # how high it may be, for its width
SCALES = (64.0, 48.0, 36.0)  # of parts of the map: few, so that the ground is painted for few
AROUND = 1.6  # how much is shown around what happened
BESIDE = 1.5  # from the middle of a hex so far away nothing of its stack reaches into a picture
LIT, LIT_EDGE = "#6fbf7388", "#12602c"  # a hex that something may be ordered to
WIDE, HIGH = 9.25, 5.0  # hexes that a part of the map shows at least: as wide as a mail is


def empty_board(game: Game, width: int = 0) -> Picture:
    """The board without counters, with set-up lines and areas; full size unless a width is given. Raises BadLook."""
    return _sheet(Table(game, game.new_position()), width, game.title)


def whole_map(table: Table, side: str | None, facts: Sequence[Fact] = (), width: int = MAIL) -> Picture:
    """The whole map as a side sees it (None: everything), with what has just happened; no width is full size."""
    story = _as_known(table, side, facts)
    said = f"{story.seen.game.title}: {headline(story.seen.game, story.seen.position)}"
    return _with(_sheet(story.seen, width, said + (f" (as {side} sees it)" if side else "")), story)


def letter_map(seen: Table, facts: Sequence[Fact] = (), width: int = LETTER) -> Picture:
    """The map of a letter: small, without a title, the same for all who know the same. The table is a reader's view."""
    edges, scale = _in_play(seen, facts, ground_at(seen, 0.0), width)
    return _with(_blank(seen, edges, scale), PaintedStory(seen, facts))


def _in_play(seen: Table, facts: Sequence[Fact], below: Ground, width: int) -> tuple[Extent, float]:
    """The part of the map where anything stands, went or is pointed at, if it is larger so; else all of it, or all but
    the legend under it where that would make it too high."""
    grid, game = seen.grid, seen.game
    hexes = {*hexset.members(hexset.union(map(seen.position.held, game.sides)))}
    hexes |= {spot for spot, _ in pointed(seen, look_of(game))}
    hexes |= {h for fact in facts if isinstance(fact, Moved) for s in fact.path if (h := grid.find(s)) is not None}
    hexes &= {*hexset.members(game.shown.land)}
    whole = Extent(below.left, below.top + TITLE, below.right, below.bottom)
    if whole.bottom - whole.top > TALL * (whole.right - whole.left):
        whole = whole._replace(bottom=min(whole.bottom, sheet_of(game.shown).bottom + MARGIN))
    if hexes:
        xs, ys = zip(*map(grid.centre, hexes), strict=True)
        top, bottom = _around(ys, whole.top, whole.bottom, HIGH)
        for scale in LARGER:
            wide = width / scale
            if max(xs) - min(xs) + 2 * AROUND <= wide and max(ys) - min(ys) + 2 * AROUND <= wide * TALL:
                left, right = _around(xs, whole.left, whole.right, wide)
                return Extent(left, top, right, bottom), scale
        left, right = _around(xs, whole.left, whole.right, max(WIDE, (bottom - top) / TALL))
        if (right - left) * (bottom - top) < PART * (whole.right - whole.left) * (whole.bottom - whole.top):
            return Extent(left, top, right, bottom), width / (right - left)
    return whole, width / (below.right - below.left)


def _as_known(table: Table, side: str | None, facts: Sequence[Fact]) -> PaintedStory:
    return PaintedStory(table, facts) if side is None else PaintedStory(table.seen_by(side), visible(facts, side))


def fighting(table: Table, side: str | None, facts: Sequence[Fact], width: int = MAIL) -> Picture | None:
    """The part of the map where these facts were fought out, or moved; None if nothing was."""
    story = _as_known(table, side, facts)
    hexes = story.scene()
    return _part(story, hexes, width) if hexes else None


def crop(
    table: Table,
    side: str | None,
    hexes: Iterable[Hex],
    facts: Sequence[Fact] = (),
    width: int = MAIL,
    lit: Iterable[Hex] = (),
) -> Picture:
    """The part of the map around some hexes; those that are lit shine under the counters."""
    return _part(_as_known(table, side, facts), hexes, width, lit)


def _part(story: PaintedStory, hexes: Iterable[Hex], width: int, lit: Iterable[Hex] = ()) -> Picture:
    seen, grid = story.seen, story.grid
    below, (xs, ys) = ground_at(seen, FULL), zip(*map(grid.centre, hexes), strict=True)
    left, right = _around(xs, below.left, below.right, WIDE)
    top, bottom = _around(ys, below.top + TITLE, below.bottom, HIGH)
    scale = next((s for s in SCALES if (right - left) * s <= width), width / (right - left))
    shining = [Polygon(grid.corners(h), LIT, LIT_EDGE, 0.05) for h in lit]
    return _with(_blank(seen, Extent(left, top, right, bottom), scale, "", shining), story)


def _around(middles: Sequence[float], least: float, most: float, size: float) -> tuple[float, float]:
    """From where to where a part reaches: a little beyond its hexes, never too small to find one's way in."""
    low, high = max(least, min(middles) - AROUND), min(most, max(middles) + AROUND)
    if high - low < size:  # more on both sides, and at an edge of the map all of it on the other
        low = max(least, min((low + high - size) / 2, most - size))
        high = min(most, low + size)
    return low, high


def ground_at(seen: Table, scale: float) -> Ground:
    """What lies under a picture of that scale."""
    game, setting_up = seen.game, seen.position.turn == 0
    return ground(game.shown, look_of(game), numbers=scale >= SMALL, far=scale < FAR, setting_up=setting_up)


def _blank(seen: Table, edges: Extent, scale: float, title: str = "", shapes: Iterable[Shape] = ()) -> Picture:
    """A picture of the ground, and of what lies right on it."""
    paper = look_of(seen.game).paper
    return Picture(*edges, paper["table"], title, tuple(shapes), ground_at(seen, scale), scale)


def _sheet(seen: Table, width: int, title: str) -> Picture:
    """A picture of the whole sheet, with its title above the map."""
    below = ground_at(seen, FULL)
    scale = width / (below.right - below.left) if width else FULL
    below = ground_at(seen, scale)  # without credits in small, and so not as high
    edges = Extent(below.left, below.top, below.right, below.bottom)
    size = lettering.fitting(title, 0.6, edges.right - edges.left - 1.5, bold=True)
    at, ink = (below.left + 0.75, below.top + TITLE * 0.6), look_of(seen.game).paper["ink"]
    return _blank(seen, edges, scale, title, [Text(at, title, size, ink, "start", bold=True)])


def _with(picture: Picture, story: PaintedStory) -> Picture:
    """The picture with what lies on the map."""
    return replace(picture, shapes=(*picture.shapes, *_play(story, picture)))


def _play(story: PaintedStory, picture: Picture) -> Iterator[Shape]:
    """What lies on the map, from below: hexes and arrows, counters near enough to show, battles."""
    yield from story.under()
    seen, look = story.seen, story.look
    position, grid = seen.position, seen.grid
    shown = look.owned(seen.game.shown)
    for place, side in position.owners.items():
        h = grid.find(place)
        if h is not None and shown >> h & 1 and side in look.sides:
            x, y = grid.centre(h)
            yield from emblem(look.sides[side].emblem, (x - 0.4, y + 0.2), 0.1, look.sides[side].deep)
    small, held = picture.scale < SMALL, hexset.union(map(position.held, seen.game.sides)) & seen.game.shown.land
    for (y, x), h in sorted((grid.centre(h)[::-1], h) for h in hexset.members(held)):
        if -BESIDE < x - picture.left < picture.width + BESIDE and -BESIDE < y - picture.top < picture.height + BESIDE:
            yield from stack(position, position.at(h), (x, y), look, small, story.losses)
    for subject, marks in position.marks.items():
        spots = [grid.centre(grid.hex(place)) for place in subject[1:].split("/") if grid.has(place)]
        if subject.startswith("@") and spots:
            badges = [badge for mark, value in marks.items() if (badge := look.badge(mark, value, position.noted))]
            yield from (_marked(spots, number, badge) for number, badge in enumerate(badges))
    yield from _pointers(seen, look)
    yield from story.over(Extent(picture.left, picture.top, picture.right, picture.bottom), small)


def pointed(seen: Table, look: Look) -> Iterator[tuple[Hex, Badge]]:
    """The hexes that marks of the game point at: objectives."""
    position = seen.position
    for mark, value in position.marks.get("game", {}).items():
        badge = look.badge(mark, value, position.noted)
        spot = seen.grid.find(str(value).partition(" ")[0])
        if badge is not None and badge.points and spot is not None:
            yield spot, badge


def _pointers(seen: Table, look: Look) -> Iterator[Shape]:
    here: Counter[Hex] = Counter()
    for spot, badge in pointed(seen, look):
        x, y = seen.grid.centre(spot)
        yield Group(token(badge, 0.15 * badge.size), (x - 0.36 + 0.34 * here[spot], y - 0.36), title=badge.about)
        here[spot] += 1


def _marked(spots: Sequence[Point], number: int, badge: Badge) -> Group:
    """A badge in the corner of a hex, or a sign on the hexside between two; further ones lie beside the first."""
    x, y = spots[0]
    if len(spots) == 1:
        return Group(token(badge, 0.15 * badge.size), (x + 0.38 - 0.3 * number, y + 0.36), kept=True)
    dx, dy = spots[1][0] - x, spots[1][1] - y
    middle = (x + dx / 2 - 0.2 * number * dy, y + dy / 2 + 0.2 * number * dx)
    return Group(tuple(hexside_shapes((0.0, 0.0), atan2(dy, dx), badge)), middle, title=badge.about)


PIXELS = 104.0  # from hex to hex: shown at half its width, a hex is 52 pixels of a telephone
LOWEST, HIGHEST = 3.6, 6.0  # hexes
CLOSE = 0.85  # from the middle of the outermost hex to the edge


def engagement(table: Table, fights: Sequence[tuple[int, FoughtAt]], facts: Sequence[Fact]) -> Picture:
    """Fights with their numbers, and what came of them; of all else only where it stands now.

    The table is the reader's own view, and so are the facts.
    """
    grid, story = table.grid, PaintedStory(table, facts, fights)
    below, wide = ground_at(table, PIXELS), LETTER / PIXELS
    needed = {h for fight in story.fights for h in (*fight.sources, *fight.targets)}
    (xs, ys), (all_xs, all_ys) = (zip(*map(grid.centre, some), strict=True) for some in (needed, story.fought_in()))
    left, right = _span(all_xs, xs, wide, wide, below.left, below.right)
    top, bottom = _span(all_ys, ys, LOWEST, HIGHEST, below.top + TITLE, below.bottom)
    return _with(_blank(table, Extent(left, top, right, bottom), PIXELS), story)


def _span(
    wished: Sequence[float], needed: Sequence[float], least: float, most: float, edge: float, far: float
) -> tuple[float, float]:
    """From where to where: all that is wished for if it fits, in any case what is needed; never beyond the sheet."""
    low, high = min(wished) - CLOSE, max(wished) + CLOSE
    if high - low > most:
        low, high = min(needed) - CLOSE, max(needed) + CLOSE
    size = min(max(high - low, least), most)
    start = max(edge, min((low + high - size) / 2, far - size))
    return start, min(far, start + size)


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
