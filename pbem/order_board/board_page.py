"""The order board as one HTML file: the map as its reader sees it, what he may order, and a script that writes it down.

It sends nothing, fetches nothing and keeps nothing. Packed it is small enough for a letter; plain it can be read by who
distrusts packed text in a page.
"""

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import Any

from markupsafe import Markup

from engine.asks import Ask
from engine.board import Board
from engine.drawer import Prospect
from engine.game import Game
from engine.position import Position
from engine.table import Table
from pbem import TEMPLATES
from pbem.order_board.order_tables import UNITS, OrderTables
from pbem.pictures.look import Look, look_of
from pbem.replay.page_drawing import PAGES, QUICK, Drawing, card_symbols, deflated, drawing, still
from pbem.report.making import held
from pbem.wording.words import capital

VERSION = 1
SHARED = ("replay/inflate.js", "replay/map.js", "replay/fingers.js")
SCRIPTS = (*SHARED, "board/lines.js", "board/sheet.js", "board/cards.js", "board/marks.js", "board/board.js")
WIDTH = 900  # letters a line: a mail may not have a thousand


@dataclass(frozen=True)
class Occasion:
    """Whose board it is, what for, by when, and where its orders go."""

    table: Table  # as he sees it
    ask: Ask
    due: str = ""
    reply: str = ""  # the address that orders go to; empty: they are copied into an answer
    subject: str = ""
    questions: Sequence[Sequence[Any]] = ()  # what will be answered for him in the others' play: see `questions_of`
    linked: bool = False  # reached by a link, so that it holds nothing that opens a chair


def board_page(occasion: Occasion, *, packed: bool = True) -> str:
    """The page, in ASCII, no line longer than a mail takes. Raises BadLook."""
    game, ask = occasion.table.game, occasion.ask
    drawn = _drawing(occasion)
    faces = {card: hand.faces[card] for hand, card in held(occasion.table, ask.side)}
    cards, told_hand = card_symbols(look_of(game), ask.side, faces)
    data = {**board_data(occasion), **drawn.data, "hand": told_hand}
    symbols = drawn.faces + drawn.symbols + cards
    told = _json({**drawn.still, **data}, ",\n") if not packed else ""
    printed = PAGES.get_template("board/page.html").render(
        title=f"{game.title}: {capital(ask.side)}, order board",
        due=f"By {occasion.due}" if occasion.due else "",
        prompt=f"{capital(ask.prompt)}.".replace("`", ""),
        css=Markup(_text("board/page.css")),
        box=drawn.box,
        shape=f"{100 * drawn.shape:.1f}",
        packed=packed,
        linked=occasion.linked,
        ground=_packed_ground(drawn.ground) if packed else Markup(drawn.ground),
        symbols=_packed_symbols(symbols) if packed else Markup(symbols),
        data=_packed_data(game, data) if packed else Markup(told.replace("<", "\\u003c")),
        script=Markup("\n".join(_text(name) for name in SCRIPTS)),
    )
    return "\n".join(map(_broken, printed.encode("ascii", "xmlcharrefreplace").decode().split("\n")))


def board_data(occasion: Occasion) -> dict[str, Any]:
    """All that the script is told, but for how things look."""
    table, ask = occasion.table, occasion.ask
    return {
        "v": VERSION,
        "title": table.game.title,
        "side": ask.side,
        "sides": {side: capital(side) for side in table.game.sides},
        "key": ask.key,
        "prompt": ask.prompt,
        "default": ask.default().line(),
        "due": occasion.due,
        "reply": occasion.reply,
        "subject": occasion.subject,
        **OrderTables(table, ask).data(),
        "questions": occasion.questions,
        "position": _position(table.position, look_of(table.game)),
    }


def questions_of(prospects: Iterable[Prospect]) -> list[list[Any]]:
    """Each question that may come: its name, what it is about, how it may be answered, what will be answered now."""
    told: dict[str, list[Any]] = {}
    for one in prospects:
        question = one.question
        answers = list(dict.fromkeys((*question.answers, "ask", "default")))
        row = told.setdefault(question.name, [question.name, question.about, answers, f"{one.answer} ({one.source})"])
        if row[3] != f"{one.answer} ({one.source})":
            row[3] += f"; {one.answer} ({one.source})"
    return list(told.values())


def _position(seen: Position, look: Look) -> dict[str, Any]:
    """What lies on the map, and what is marked there; not what the rules note for themselves."""
    units, pointers = [*seen.on_map()], {mark for mark, badge in look.marks.items() if badge.points}
    bearing = [subject for subject in seen.marks if subject in units or subject.startswith("@")]
    shown = {s: {mark: value for mark, value in seen.marks[s].items() if mark not in seen.noted} for s in bearing}
    shown["game"] = {mark: value for mark, value in seen.marks.get("game", {}).items() if mark in pointers}
    return {
        "where": {unit: seen.where[unit] for unit in units},
        "lost": {unit: seen.lost[unit] for unit in units if seen.lost.get(unit)},
        "unsure": {unit: seen.unsure[unit] for unit in units if unit in seen.unsure},
        "marks": {subject: marks for subject, marks in shown.items() if marks},
        "owners": dict(seen.owners),
    }


def _drawing(occasion: Occasion) -> Drawing:
    """Only the faces that are up, of the counters in sight and of one's own that orders speak of."""
    table, side = occasion.table, occasion.ask.side
    seen, game = table.position, table.game
    units = {*seen.on_map(), *_spoken_of(game, occasion.ask, side)}
    faces = {unit.id: [(min(seen.lost.get(unit.id, 0), len(unit.steps) - 1), seen.unsure.get(unit.id, ""))]
             for unit in game.setting.roster if unit.id in units}  # fmt: skip
    look = look_of(game)
    marked = {(mark, value) for marks in _position(seen, look)["marks"].values() for mark, value in marks.items()}
    return drawing(game, look, sorted(marked, key=str), faces)


def _spoken_of(game: Game, ask: Ask, side: str) -> Iterator[str]:
    """One's own units in what may be ordered: those that are not on the map yet have a face, too."""
    for choice in ask.choices():
        for name, kind in choice.kind.shape.fields.items():
            if kind.kind in UNITS:
                said = choice.given.get(name, ())
                values = choice.values if name == choice.field else ()
                for unit in (said,) if isinstance(said, str) else (*said, *values):
                    if unit in game.setting.roster and game.setting.roster.get(unit).side == side:
                        yield unit


def _json(data: Any, between: str = ",") -> str:
    return json.dumps(data, ensure_ascii=True, separators=(between, ":"))


def _packed_data(game: Game, data: Mapping[str, Any]) -> str:
    """Written and pressed from where what is the same in every board of the game ends."""
    begun, press = _press(game.shown, look_of(game), game.sides)
    press = press.copy()
    return base64.b64encode(begun + press.compress(_json(data)[1:].encode()) + press.flush()).decode()


@lru_cache(maxsize=32)
def _press(board: Board, look: Look, sides: tuple[str, ...]) -> tuple[bytes, Any]:
    """A press that has taken in all of a board's data that never changes, and what came out of it so far."""
    press = zlib.compressobj(QUICK, wbits=-zlib.MAX_WBITS)
    return press.compress(f"{_json(still(board, look, sides))[:-1]},".encode()), press


_packed_ground = cache(deflated)  # it never changes, and is most of the page
# These change when a unit loses a step, comes or goes.
_packed_symbols = lru_cache(maxsize=64)(partial(deflated, press=QUICK))


def _broken(line: str) -> str:
    """Long lines are broken at a blank, where nothing hangs on it; packed text has none and is broken anywhere."""
    lines = list[str]()
    while len(line) > WIDTH:
        blank = line.rfind(" ", 0, WIDTH)
        at = blank if blank > 0 else WIDTH
        lines.append(line[:at])
        line = line[at + 1 :] if blank > 0 else line[at:]
    return "\n".join([*lines, line])


@cache
def _text(name: str) -> str:
    return re.sub(r"^\s*//.*\n", "", (TEMPLATES / name).read_text(encoding="utf-8"), flags=re.M)
