"""The pictures of a game: the empty board, the whole map, the fighting, any part; each from one reader's view only."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import atan2

from engine import hexset
from engine.facts import Fact, Moved
from engine.game import Game
from engine.hexes import Hex
from engine.table import Table
from engine.view import visible
from pbem.pictures import lettering
from pbem.pictures.counters import stack, token
from pbem.pictures.emblems import emblem, hexside_shapes
from pbem.pictures.empty_board import TITLE, ground
from pbem.pictures.events import EVERYWHERE, PaintedStory, scene
from pbem.pictures.legend import MARGIN, sheet_of
from pbem.pictures.look import Badge, Look, look_of
from pbem.pictures.pillow_painter import png
from pbem.pictures.shapes import Extent, Ground, Group, Picture, Point, Polygon, Shape, Text
from pbem.pictures.svg_painter import svg
from pbem.tale.marches import FoughtAt
from pbem.wording.situation import headline

__all__ = ["FULL", "MAIL", "crop", "empty_board", "fighting", "letter_map", "png", "svg", "whole_map"]

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
    look = look_of(game)
    return _sheet(game, look, width, setting_up=True, title=game.title)


def whole_map(table: Table, side: str | None, facts: Sequence[Fact] = (), width: int = MAIL) -> Picture:
    """The whole map as a side sees it (None: everything), with what has just happened; no width is full size."""
    seen, known = _as_known(table, side, facts)
    game, position = seen.game, seen.position
    look = look_of(game)
    said = f"{game.title}: {headline(game, position)}" + (f" (as {side} sees it)" if side else "")
    picture = _sheet(game, look, width, setting_up=position.turn == 0, title=said)
    picture.add(*_play(PaintedStory(seen, look, known, picture.scale < SMALL), picture))
    return picture


def letter_map(seen: Table, facts: Sequence[Fact] = (), width: int = LETTER) -> Picture:
    """The map of a letter: small, without a title, the same for all who know the same. The table is a reader's view."""
    look, position = look_of(seen.game), seen.position
    below = ground_at(seen.game, look, 0.0, position.turn == 0)
    edges, scale = _in_play(seen, look, facts, below, width)
    if scale >= FAR:
        below = ground_at(seen.game, look, scale, position.turn == 0)
    picture = Picture(*edges, look.paper["table"], "", [], below, scale)
    picture.add(*_play(PaintedStory(seen, look, facts, scale < SMALL), picture))
    return picture


def _in_play(seen: Table, look: Look, facts: Sequence[Fact], below: Ground, width: int) -> tuple[Extent, float]:
    """The part of the map where anything stands, went or is pointed at, if it is larger so; else all of it, or all but
    the legend under it where that would make it too high."""
    grid, sheet = seen.grid, sheet_of(seen.game.shown)
    hexes = {*hexset.members(hexset.union(seen.position.held(side) for side in seen.game.sides))}
    hexes |= {spot for spot, _ in pointed(seen, look)}
    hexes |= {
        h for fact in facts if isinstance(fact, Moved) for spot in fact.path if (h := grid.find(spot)) is not None
    }
    hexes &= {*hexset.members(seen.game.shown.land)}
    whole = Extent(below.left, below.top + TITLE, below.right, below.bottom)
    if whole.bottom - whole.top > TALL * (whole.right - whole.left):
        whole = whole._replace(bottom=min(whole.bottom, sheet.bottom + MARGIN))
    xs, ys = [grid.centre(h)[0] for h in hexes], [grid.centre(h)[1] for h in hexes]
    for scale in LARGER if hexes else ():
        wide = width / scale
        if max(xs) - min(xs) + 2 * AROUND <= wide and max(ys) - min(ys) + 2 * AROUND <= wide * TALL:
            left, right = _around(xs, whole.left, whole.right, wide)
            top, bottom = _around(ys, whole.top, whole.bottom, HIGH)
            return Extent(left, top, right, bottom), scale
    if hexes:
        top, bottom = _around(ys, whole.top, whole.bottom, HIGH)
        left, right = _around(xs, whole.left, whole.right, max(WIDE, (bottom - top) / TALL))
        if (right - left) * (bottom - top) < PART * (whole.right - whole.left) * (whole.bottom - whole.top):
            return Extent(left, top, right, bottom), width / (right - left)
    return whole, width / (below.right - below.left)


def _as_known(table: Table, side: str | None, facts: Sequence[Fact]) -> tuple[Table, Sequence[Fact]]:
    return (table, facts) if side is None else (table.seen_by(side), visible(facts, side))


def fighting(table: Table, side: str | None, facts: Sequence[Fact], width: int = MAIL) -> Picture | None:
    """The part of the map where these facts were fought out, or moved; None if nothing was."""
    seen, known = _as_known(table, side, facts)
    hexes = scene(seen, look_of(seen.game), known)
    return crop(table, side, hexes, facts, width) if hexes else None


def crop(
    table: Table,
    side: str | None,
    hexes: Iterable[Hex],
    facts: Sequence[Fact] = (),
    width: int = MAIL,
    lit: Iterable[Hex] = (),
) -> Picture:
    """The part of the map around some hexes; those that are lit shine under the counters."""
    seen, known = _as_known(table, side, facts)
    look, grid = look_of(seen.game), seen.grid
    centres = [grid.centre(h) for h in hexes]
    below = ground_at(seen.game, look, FULL, seen.position.turn == 0)
    left, right = _around([x for x, _ in centres], below.left, below.right, WIDE)
    top, bottom = _around([y for _, y in centres], below.top + TITLE, below.bottom, HIGH)
    scale = next((s for s in SCALES if (right - left) * s <= width), width / (right - left))
    below = ground_at(seen.game, look, scale, seen.position.turn == 0)
    picture = Picture(left, top, right, bottom, look.paper["table"], "", [], below, scale)
    picture.add(*(Polygon(grid.corners(h), LIT, LIT_EDGE, 0.05) for h in lit))
    picture.add(*_play(PaintedStory(seen, look, known, scale < SMALL), picture))
    return picture


def _around(middles: Sequence[float], least: float, most: float, size: float) -> tuple[float, float]:
    """From where to where a part reaches: a little beyond its hexes, never too small to find one's way in."""
    low, high = max(least, min(middles) - AROUND), min(most, max(middles) + AROUND)
    if high - low < size:  # more on both sides, and at an edge of the map all of it on the other
        low = max(least, min((low + high - size) / 2, most - size))
        high = min(most, low + size)
    return low, high


def ground_at(game: Game, look: Look, scale: float, setting_up: bool) -> Ground:
    """What lies under a picture of that scale."""
    return ground(game.shown, look, numbers=scale >= SMALL, far=scale < FAR, setting_up=setting_up)


def _sheet(game: Game, look: Look, width: int, *, setting_up: bool, title: str) -> Picture:
    """A picture of the whole sheet, with its title above the map."""
    below = ground_at(game, look, FULL, setting_up)
    scale = width / (below.right - below.left) if width else FULL
    below = ground_at(game, look, scale, setting_up)
    picture = Picture(
        below.left, below.top, below.right, below.bottom, look.paper["table"], title, [], below, scale
    )  # fmt: skip
    size = lettering.fitting(title, 0.6, picture.width - 1.5, bold=True)
    picture.add(Text((below.left + 0.75, below.top + TITLE * 0.6), title, size, look.paper["ink"], "start", bold=True))
    return picture


def _play(story: PaintedStory, picture: Picture, *, moving: bool = True, frame: Extent = EVERYWHERE) -> Iterator[Shape]:
    """What lies on the map, from below: hexes and arrows, counters near enough to show, battles."""
    yield from story.under(moving=moving)
    seen, look = story.seen, story.look
    position, grid = seen.position, seen.grid
    shown = look.owned(seen.game.shown)
    for place, side in position.owners.items():
        h = grid.find(place)
        if h is not None and shown >> h & 1 and side in look.sides:
            x, y = grid.centre(h)
            yield from emblem(look.sides[side].emblem, (x - 0.4, y + 0.2), 0.1, look.sides[side].deep)
    held = hexset.union(position.held(side) for side in position.setting.sides) & seen.game.shown.land
    for (y, x), h in sorted((grid.centre(h)[::-1], h) for h in hexset.members(held)):
        if -BESIDE < x - picture.left < picture.width + BESIDE and -BESIDE < y - picture.top < picture.height + BESIDE:
            yield from stack(position, position.at(h), (x, y), look, picture.scale < SMALL, story.losses)
    for subject, marks in position.marks.items():
        spots = [grid.centre(grid.hex(place)) for place in subject[1:].split("/") if grid.has(place)]
        if subject.startswith("@") and spots:
            badges = [badge for mark, value in marks.items() if (badge := look.badge(mark, value, position.noted))]
            for number, badge in enumerate(badges):
                yield _marked(spots, number, badge)
    yield from _pointers(seen, look)
    yield from story.over(frame)


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
    look, grid = look_of(table.game), table.grid
    story = PaintedStory(table, look, facts, numbered=fights)
    needed = [grid.centre(h) for fight in story.fights for h in (*fight.sources, *fight.targets)]
    below = ground_at(table.game, look, PIXELS, table.position.turn == 0)
    wished = needed + [grid.centre(h) for h in story.fought_in()]
    wide, low, high = LETTER / PIXELS, LOWEST, HIGHEST
    left, right = _span([x for x, _ in wished], [x for x, _ in needed], wide, wide, below.left, below.right)
    top, bottom = _span([y for _, y in wished], [y for _, y in needed], low, high, below.top + TITLE, below.bottom)
    picture = Picture(left, top, right, bottom, look.paper["table"], "", [], below, PIXELS)
    frame = Extent(left, top, right, bottom).grown(-0.05)
    picture.add(*_play(story, picture, moving=False, frame=frame))
    return picture


def _span(
    wished: Sequence[float], needed: Sequence[float], least: float, most: float, edge: float, far: float
) -> tuple[float, float]:
    """From where to where: all that is wished for if it fits, in any case what is needed; never beyond the sheet."""
    low, high = min(wished) - CLOSE, max(wished) + CLOSE
    if high - low > most:
        low, high = min(needed) - CLOSE, max(needed) + CLOSE
    size = min(max(high - low, least), most)
    start = (low + high - size) / 2
    start = max(edge, min(start, far - size))
    return start, min(far, start + size)
