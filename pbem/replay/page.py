"""The page: one HTML file with the map, the steps, the log and the script that plays them."""

import json
from collections.abc import Iterable, Sequence
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
from pbem.replay.steps import DULL, Step, course, sentences, step_name, steps_of
from pbem.tale.entries import EVERYTHING, facts_of
from pbem.wording.words import fight_line, stage_name

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
    # Where nothing was hidden, or nothing else is known, all readers saw one course of the campaign.
    hidden = copy.over and any(entry.item.audience != ALL for step in steps for entry in step.entries)
    told_apart = game.setting.chairs if hidden else ()
    names = {(step.turn, step.stage): step_name(step) for step in steps}
    number_of = {stage: number for number, stage in enumerate(names)}
    return {
        "game": game.rulebook,
        "scenario": game.title,
        "sides": list(game.sides),
        "over": copy.over,
        "reader": copy.reader,
        "readers": _readers(game, copy),
        "stages": [[turn, name, stage_name(stage)] for (turn, stage), name in names.items()],
        "steps": [_row(game, step, number_of[step.turn, step.stage]) for step in steps],
        "course": {
            reader: {"losses": found.losses, "score": found.score, "headlines": found.headlines}
            for reader in (EVERYTHING, *told_apart)
            for found in (course(game, steps, reader),)
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


def _row(game: Game, step: Step, stage: int) -> list[Any]:
    words = [[s.style, s.text, *_not_all(s.audience)] for s in sentences(game, step)]
    battles = [(e.fact, e.item.audience) for e in step.entries if isinstance(e.fact, f.Fought)]
    fought = [[fight_line(game, fact), *_not_all(audience)] for fact, audience in battles]
    return [step.ranges(), step.kind, int(step.kind in DULL), stage, words, fought]


def _not_all(audience: str) -> list[str]:
    return [] if audience == ALL else [audience]


def _marked(facts: Sequence[f.Fact]) -> set[tuple[str, int | str]]:
    """Every mark that is ever set, with its value."""
    marked = [x for x in facts if isinstance(x, f.Marked) and not x.bookkeeping]
    sighted = (mark for x in facts if isinstance(x, f.Sighted) for mark in x.marks)
    return {*((x.mark, x.value) for x in marked if x.value is not None), *sighted}


def _about(copy: Copy) -> str:
    lines = f"{len(copy.lines)} lines" if len(copy.lines) > 1 else "1 line"
    if copy.over:
        return f"The whole log is in this page: {lines}, with the secret of its dice."
    whose = f"what {copy.reader} may know" if copy.reader else "what is open to all"
    return f"The log as far as it goes is in this page: {lines}, {whose}; the rest is sealed until the end."


@cache
def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
