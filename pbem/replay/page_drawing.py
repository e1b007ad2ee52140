"""What the page draws with: the ground once, every face of every counter, every badge that comes up; and its press."""

import base64
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from typing import Any, TypeGuard

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine import hexset
from engine.board import Board
from engine.game import Game
from engine.pieces import Roster, Unit
from engine.position import LAST_SEEN, UNKNOWN
from engine.reference import CardFace
from pbem import TEMPLATES
from pbem.pictures import lettering
from pbem.pictures.counters import counter, face_of, fan, strength, token
from pbem.pictures.emblems import hexside_shapes
from pbem.pictures.empty_board import TITLE, ground
from pbem.pictures.hands import WIDE, card_shapes, height
from pbem.pictures.look import Badge, Look
from pbem.pictures.shapes import Point, Shape, Strokes, Text
from pbem.pictures.svg_painter import UNIT, lean, markup, units
from pbem.report.report import HeldCard

BADGE = 0.085  # the radius of a badge on a counter
HEX_BADGE = 0.15  # and of one in a hex
SURE, UNSURE = "", (UNKNOWN, LAST_SEEN)
MOST = 12  # so many counters in a stack have their own places; more lie on each other


@dataclass(frozen=True)
class Drawing:
    """SVG for the page, and what its script must know to use it."""

    box: str
    ground: str
    symbols: str
    faces: str  # a line each: in a long campaign there are thousands, of which few are up at a time
    shape: float  # how high the map is for its width
    still: Mapping[str, Any]  # what is the same in every drawing of the game
    data: dict[str, Any]


Faces = Mapping[str, Sequence[tuple[int, str]]]  # by unit: with how many steps lost, and how surely that is known


def every_face(game: Game, unsure: Collection[str]) -> Faces:
    """All faces of all counters, for a game in which the strength of these units is not always known."""
    return {
        unit.id: [(n, how) for how in (SURE, *(UNSURE if unit.id in unsure else ())) for n in range(len(unit.steps))]
        for unit in game.setting.roster
    }


def drawing(game: Game, look: Look, marked: Iterable[tuple[str, int | str]], faces: Faces) -> Drawing:
    """The drawing for a game in which these marks and these faces come up."""
    below = ground(game.shown, look)
    top = below.top + TITLE  # the page has its own title
    edges = (below.left, top, below.right - below.left, below.bottom - top)
    tokens = _tokens(look, marked)
    symbols = [_symbol(name, token(badge, BADGE)) for name, badge in tokens.values()]
    symbols += [_symbol(f"h{name}", token(badge, HEX_BADGE * badge.size)) for name, badge in tokens.values()]
    symbols += [_symbol(f"s{name}", [*hexside_shapes((0.0, 0.0), 0.0, badge)]) for name, badge in tokens.values()]
    pointers = [(mark, badge) for mark, badge in look.marks.items() if badge.points]
    symbols += [_symbol(f"p{n}", token(badge, HEX_BADGE * badge.size)) for n, (_, badge) in enumerate(pointers)]
    return Drawing(
        box=" ".join(map(units, edges)),
        ground=_ground(game.shown, look),
        symbols="".join(symbols),
        faces="\n".join(
            _face(game.setting.roster, unit.id, number, lost, how, look)
            for number, unit in _numbered(game, faces)
            for lost, how in faces[unit.id]
        ),
        shape=edges[3] / edges[2],
        still=still(game.shown, look, game.sides),
        data={
            "units": {unit: told for unit, told in _units(game.setting.roster, look).items() if unit in faces},
            "badges": {key: [name, badge.about] for key, (name, badge) in tokens.items() if "\n" not in key},
            "pointers": {mark: [f"p{n}", badge.about] for n, (mark, badge) in enumerate(pointers)},
            "lacking": [
                [mark, [u.id for _, u in _numbered(game, faces) if group in u.classes], tokens[f"\n{mark}"][0], b.about]
                for mark, (group, b) in look.lacking.items()
            ],
        },
    )


@lru_cache(maxsize=32)
def still(board: Board, look: Look, sides: tuple[str, ...]) -> Mapping[str, Any]:
    """What the script must know of a board and its looks, whatever lies on it."""
    return {
        "pitch": UNIT,
        **_net(board, look),
        "places": {board.grid.number_of(p.hex): p.name for p in board.places.values()},
        "owned": [board.grid.number_of(h) for h in hexset.members(look.owned(board))] if look.owners else None,
        "colours": {side: [look.sides[side].fill, look.sides[side].deep] for side in sides},
        "fans": [_spots(number, look) for number in range(1, MOST + 1)],
        "badge": [look.counter / 2 * UNIT, BADGE * UNIT],
    }


def card_symbols(look: Look, side: str, faces: Mapping[str, CardFace], first: int = 0) -> tuple[str, dict[str, Any]]:
    """The faces of a side's cards for the page, and where its script finds each; all are of one size."""
    if not faces:
        return "", {}
    tall = max(map(height, faces.values()))
    numbered = [*enumerate(faces.items(), first)]
    drawn = "".join(_symbol(f"c{n}", card_shapes(card, face, look.sides[side], tall)) for n, (card, face) in numbered)
    told = {card: [f"c{n}", HeldCard(card, face).line] for n, (card, face) in numbered}
    return drawn, {"size": _at((WIDE, tall)), "cards": told}


@lru_cache(maxsize=32)
def _ground(board: Board, look: Look) -> str:
    """The ground without its net and numbers, for which room is left where they lie: the page draws them itself."""

    def part(shape: Shape) -> str:
        return "net" if _is_net(shape, look) else "numbers" if _is_number(shape, board, look) else ""

    room, found = {"net": '<path id="net"/>', "numbers": '<g id="numbers"></g>'}, list[str]()
    for number, (name, run) in enumerate(groupby(ground(board, look).shapes, key=part)):
        found += [room.pop(name, "")] if name else lean(run, f"k{number}-")
    return "".join(found)


def _is_net(shape: Shape, look: Look) -> TypeGuard[Strokes]:
    return isinstance(shape, Strokes) and shape.stroke == look.paper["grid"]


def _is_number(shape: Shape, board: Board, look: Look) -> TypeGuard[Text]:
    return isinstance(shape, Text) and shape.fill == look.paper["number"] and board.grid.has(shape.text)


@lru_cache(maxsize=32)
def _net(board: Board, look: Look) -> dict[str, Any]:
    """What the page draws net and numbers from: the hexes without any, the corners, colours, sizes, where hexes are."""
    grid, land, shapes = board.grid, board.land, ground(board, look).shapes
    some = next(hexset.members(land))
    (x, y), corners = grid.centre(some), grid.corners(some)
    net = next(shape for shape in shapes if _is_net(shape, look))
    text = next(shape for shape in shapes if _is_number(shape, board, look) and grid.hex(shape.text) == some)
    return {
        "corners": [_at((a - x, b - y)) for a, b in corners],
        "bare": [grid.number_of(h) for h in hexset.members(grid.everything & ~land)],
        "net": [net.stroke, round(net.width * UNIT, 1)],
        "number": [text.fill, round(text.size * UNIT, 1),
                   round((text.at[1] - y + lettering.CAPITALS / 2 * text.size) * UNIT, 1)],
        "hexes": {grid.number_of(h): _at(grid.centre(h)) for h in hexset.members(grid.everything)},
    }  # fmt: skip


def _numbered(game: Game, faces: Faces) -> Iterator[tuple[int, Unit]]:
    """The units that have a face, each with its place in the roster, from which its symbols have their names."""
    return ((number, unit) for number, unit in enumerate(game.setting.roster) if unit.id in faces)


@lru_cache(maxsize=4096)
def _face(roster: Roster, unit: str, number: int, lost: int, how: str, look: Look) -> str:
    name = f"u{number}-{lost}" + (f"-{how[0]}" if how else "")
    return _symbol(name, counter(face_of(roster.get(unit), lost, look, how), look, look.counter, False))


@lru_cache(maxsize=32)
def _units(roster: Roster, look: Look) -> dict[str, dict[str, Any]]:
    return {
        unit.id: {
            "side": unit.side,
            "name": unit.name,
            "faces": [f"u{number}-{lost}" for lost in range(len(unit.steps))],
            "values": [face_of(unit, lost, look).values for lost in range(len(unit.steps))],
            "weight": [strength(unit, lost) for lost in range(len(unit.steps))],
        }
        for number, unit in enumerate(roster)
    }


def _spots(number: int, look: Look) -> list[list[float]]:
    """Where the counters of a stack lie, the lowest first: right, down, and how large."""
    size, rise, drift = fan(number, look.counter)
    offsets = [(number - 1) / 2 - depth for depth in range(number)]
    return [[round(drift * o * UNIT, 1), round(-rise * o * UNIT, 1), round(size / look.counter, 3)] for o in offsets]


def _tokens(look: Look, marked: Iterable[tuple[str, int | str]]) -> dict[str, tuple[str, Badge]]:
    """The badges that come up with their ids, by mark and value; those of a lacking mark under the mark alone."""
    found: dict[str, Badge] = {}
    for mark, value in marked:
        badge = look.badge(mark, value)
        if badge is not None:
            about = badge.about or (mark if value == 1 else f"{mark} {value}")
            found.setdefault(f"{mark}={value}", replace(badge, about=about))
    found |= {f"\n{mark}": badge for mark, (_, badge) in look.lacking.items()}
    return {key: (f"b{number}", badge) for number, (key, badge) in enumerate(found.items())}


def _symbol(name: str, shapes: Sequence[Shape]) -> str:
    return f'<g id="{name}">{"".join(markup(shapes))}</g>'


HARD, QUICK = 9, 6  # pressed harder it takes thrice as long for a hundredth less
PAGES = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)


def deflated(text: bytes | str, press: int = HARD) -> str:
    """In letters that every mail keeps: the script of the page that holds it unpacks it (`inflate.js`)."""
    pressed = zlib.compressobj(press, wbits=-zlib.MAX_WBITS)
    whole = pressed.compress(text.encode() if isinstance(text, str) else text) + pressed.flush()
    return base64.b64encode(whole).decode()


def _at(point: Point) -> list[float]:
    return [round(point[0] * UNIT, 1), round(point[1] * UNIT, 1)]
