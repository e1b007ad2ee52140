"""What the page draws with: the ground once, every face of every counter, every badge that comes up."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine import hexset
from engine.game import Game
from engine.pieces import Unit
from engine.position import LAST_SEEN, UNKNOWN
from pbem.pictures.counters import counter, face_of, fan, strength, token
from pbem.pictures.emblems import badge_shapes, hexside_shapes
from pbem.pictures.empty_board import TITLE, ground
from pbem.pictures.look import Badge, Look
from pbem.pictures.shapes import Point, Shape
from pbem.pictures.svg_painter import UNIT, markup, units

BADGE = 0.085  # the radius of a badge on a counter
HEX_BADGE = 0.15  # and of one in a hex
MOST = 12  # so many counters in a stack have their own places; more lie on each other


@dataclass(frozen=True)
class Drawing:
    """SVG for the page, and what its script must know to use it."""

    box: str
    ground: str
    symbols: str
    shape: float  # how high the map is for its width
    data: dict[str, Any]


def drawing(game: Game, look: Look, marked: Iterable[tuple[str, int | str]], unsure: Collection[str]) -> Drawing:
    """The drawing for a game in which these marks come up, and the strength of these units is not always known."""
    grid, below = game.board.grid, ground(game.board, look)
    top = below.top + TITLE  # the page has its own title
    edges = (below.left, top, below.right - below.left, below.bottom - top)
    tokens = _tokens(look, marked)
    symbols = [*_faces(game, look, unsure), *(_symbol(t.id, token(t.badge, BADGE)) for t in tokens.values())]
    symbols += [
        _symbol(f"h{t.id}", tuple(badge_shapes((0.0, 0.0), HEX_BADGE * t.badge.size, t.badge))) for t in tokens.values()
    ]
    symbols += [_symbol(f"s{t.id}", tuple(hexside_shapes((0.0, 0.0), 0.0, t.badge))) for t in tokens.values()]
    return Drawing(
        box=" ".join(map(units, edges)),
        ground="".join(markup(below.shapes)),
        symbols="".join(symbols),
        shape=edges[3] / edges[2],
        data={
            "pitch": UNIT,
            "hexes": {grid.number_of(h): _at(grid.centre(h)) for h in hexset.members(grid.everything)},
            "places": {grid.number_of(p.hex): p.name for p in game.board.places.values()},
            "colours": {side: [look.sides[side].fill, look.sides[side].deep] for side in game.sides},
            "units": {unit.id: _unit(unit, number, look) for number, unit in enumerate(game.setting.roster)},
            "fans": [_spots(number, look) for number in range(1, MOST + 1)],
            "badge": [look.counter / 2 * UNIT, BADGE * UNIT],
            "badges": {key: [t.id, t.about] for key, t in tokens.items() if "\n" not in key},
            "lacking": [
                [mark, [unit.id for unit in game.setting.roster if group in unit.classes], t.id, t.about]
                for mark, (group, _) in look.lacking.items()
                for t in (tokens[f"\n{mark}"],)
            ],
        },
    )


def _faces(game: Game, look: Look, unsure: Collection[str]) -> Iterator[str]:
    for number, unit in enumerate(game.setting.roster):
        for how in ("", UNKNOWN, LAST_SEEN) if unit.id in unsure else ("",):
            for lost in range(len(unit.steps)):
                name = f"u{number}-{lost}" + (f"-{how[0]}" if how else "")
                yield _symbol(name, counter(face_of(unit, lost, look, how), look, look.counter, False))


def _unit(unit: Unit, number: int, look: Look) -> dict[str, Any]:
    steps = range(len(unit.steps))
    return {
        "side": unit.side,
        "name": unit.name,
        "faces": [f"u{number}-{lost}" for lost in steps],
        "values": [face_of(unit, lost, look).values for lost in steps],
        "weight": [strength(unit, lost) for lost in steps],
    }


def _spots(number: int, look: Look) -> list[list[float]]:
    """Where the counters of a stack lie, the lowest first: right, down, and how large."""
    size, rise, drift = fan(number, look.counter)
    middle = (number - 1) / 2
    offsets = [number - 1 - depth - middle for depth in range(number)]
    return [[round(drift * o * UNIT, 1), round(-rise * o * UNIT, 1), round(size / look.counter, 3)] for o in offsets]


@dataclass(frozen=True)
class _Token:
    id: str
    badge: Badge
    about: str


def _tokens(look: Look, marked: Iterable[tuple[str, int | str]]) -> dict[str, _Token]:
    """The badges that come up, by mark and value; those of a lacking mark under the mark alone."""
    found: dict[str, _Token] = {}
    for mark, value in marked:
        badge = look.badge(mark, value)
        if badge is not None:
            about = badge.about or (mark if value == 1 else f"{mark} {value}")
            found.setdefault(f"{mark}={value}", _Token(f"b{len(found)}", badge, about))
    for mark, (_, badge) in look.lacking.items():
        found[f"\n{mark}"] = _Token(f"b{len(found)}", badge, badge.about)
    return found


def _symbol(name: str, shapes: Sequence[Shape]) -> str:
    return f'<g id="{name}">{"".join(markup(shapes))}</g>'


def _at(point: Point) -> list[float]:
    return [round(point[0] * UNIT, 1), round(point[1] * UNIT, 1)]
