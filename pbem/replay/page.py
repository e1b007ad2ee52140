"""The page: one HTML file with the map, the steps, the log and the script that plays them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from markupsafe import Markup

from engine import facts as f
from engine.canonical import canonical
from engine.game import Game
from engine.log import ALL
from pbem import TEMPLATES
from pbem.pictures.look import Look, look_of
from pbem.pictures.svg_painter import UNIT
from pbem.replay.copies import Copy
from pbem.replay.page_drawing import PAGES, card_symbols, deflated, drawing, every_face
from pbem.replay.steps import Progression, Step, battle_lines, course, hidden_in, sentences, step_name, steps_of
from pbem.tale.entries import EVERYTHING, facts_of
from pbem.wording.words import stage_name

FOLDER = TEMPLATES / "replay"
SCRIPTS = ("inflate", "sha256", "log", "position", "map", "events", "chart", "player", "fingers", "controls")
LINE_WIDTH = 0.13  # of arrows on the map, in pitches


def page(game: Game, copy: Copy) -> str:
    """The replay of a log as its reader may have it. Raises BadLook, NoWayBack, UnknownFact."""
    look = look_of(game)
    steps = steps_of(copy.entries())
    facts = [fact for step in steps for fact in facts_of(step.entries)]
    unsure = {x.unit for x in facts if isinstance(x, f.Doubted) or (isinstance(x, f.Sighted) and x.lost is None)}
    drawn = drawing(game, look, sorted(_marked(facts), key=str), every_face(game, unsure))
    cards, hands = _hands(game, look, facts)
    data = {**page_data(game, copy, steps), **drawn.still, **drawn.data, "hands": hands}
    return PAGES.get_template("replay/page.html").render(
        title=game.title,
        css=Markup(_text("page.css")),
        line=round(LINE_WIDTH * UNIT),
        phone=f"min(56vh, {100 * drawn.shape:.1f}vw)",
        box=drawn.box,
        symbols=Markup(drawn.symbols + cards),
        faces=deflated(drawn.faces),
        ground=Markup(drawn.ground),
        arrows=[look.sides[side].deep for side in game.sides],
        about=_about(copy),
        data=deflated(json.dumps(data, ensure_ascii=False, separators=(",", ":"))),
        log=deflated(b"\n".join(map(canonical, copy.lines))),
        script=Markup("\n".join(_text(f"{name}.js") for name in SCRIPTS)),
    )


def page_data(game: Game, copy: Copy, steps: Sequence[Step]) -> dict[str, Any]:
    """All that the script is told, but for the log and how things look."""
    readers = _readers(game, copy)
    stages = list(dict.fromkeys((step.turn, step.stage) for step in steps))
    number_of = {stage: number for number, stage in enumerate(stages)}
    names = {(step.turn, step.stage): step_name(step) for step in steps}
    return {
        "game": game.rulebook,
        "scenario": game.title,
        "sides": list(game.sides),
        "over": copy.over,
        "reader": copy.reader,
        "readers": readers,
        "stages": [[turn, names[turn, stage], stage_name(stage)] for turn, stage in stages],
        "steps": [_row(game, step, number_of[step.turn, step.stage]) for step in steps],
        "course": {
            reader: {"losses": found.losses, "score": found.score, "headlines": found.headlines}
            for reader, found in _courses(game, copy, steps, readers)
        },
    }


def _hands(game: Game, look: Look, facts: Iterable[f.Fact]) -> tuple[str, list[dict[str, Any]]]:
    """The hands that come up: whose they are, in which pool they lie, the faces of the cards that were ever in them."""
    shown, symbols = list[dict[str, Any]](), ""
    held: dict[str, set[str]] = {}
    for fact in facts:
        if isinstance(fact, f.Pooled):
            held.setdefault(fact.pool, set()).update(fact.items)
    number = 0
    for hand in game.hands:
        faces = {card: face for card, face in hand.faces.items() if card in held.get(hand.pool, ())}
        drawn, told = card_symbols(look, hand.side, faces, number)
        number += len(faces)
        if told:
            symbols += drawn
            shown.append({"side": hand.side, "pool": hand.pool, **told})
    return symbols, shown


def _readers(game: Game, copy: Copy) -> list[tuple[str, str]]:
    """Whose views the page can show."""
    if copy.over:
        return [(EVERYTHING, "Everything"), *((side, f"As {side} saw it") for side in game.setting.chairs)]
    return [(copy.reader, f"As {copy.reader} sees it")] if copy.reader else [("", "Open to all")]


def _courses(
    game: Game, copy: Copy, steps: Sequence[Step], readers: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, Progression]]:
    """The course of the campaign for each reader: where nothing was hidden, or nothing else is known, only one."""
    yield EVERYTHING, course(game, steps)
    if copy.over and hidden_in(steps):
        for side, _ in readers[1:]:
            yield side, course(game, steps, side)


def _row(game: Game, step: Step, stage: int) -> list[Any]:
    words = [[s.style, s.text, *_not_all(s.audience)] for s in sentences(game, step)]
    fought = [[name, *_not_all(audience)] for name, audience in battle_lines(game, step)]
    return [step.ranges(), step.kind, int(step.dull), stage, words, fought]


def _not_all(audience: str) -> list[str]:
    return [] if audience == ALL else [audience]


def _marked(facts: Iterable[f.Fact]) -> set[tuple[str, int | str]]:
    """Every mark that is ever set, with its value."""
    found: set[tuple[str, int | str]] = set()
    for fact in facts:
        if isinstance(fact, f.Marked) and not fact.bookkeeping and fact.value is not None:
            found.add((fact.mark, fact.value))
        elif isinstance(fact, f.Sighted):
            found.update(fact.marks)
    return found


def _about(copy: Copy) -> str:
    lines = f"{len(copy.lines)} lines" if len(copy.lines) > 1 else "1 line"
    if copy.over:
        return f"The whole log is in this page: {lines}, with the secret of its dice."
    whose = f"what {copy.reader} may know" if copy.reader else "what is open to all"
    return f"The log as far as it goes is in this page: {lines}, {whose}; the rest is sealed until the end."


@cache
def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
