"""The sequence of play (3.2): reads like the rulebook's own outline."""

from collections.abc import Generator
from functools import partial
from typing import Any

from engine.asks import Procedure, Step
from engine.facts import StageBegan, Told
from engine.game import Game
from engine.orders.book import Book
from engine.rulebook import rulebook
from engine.rules.marks import wipe
from games.jaws.data import FOLDER, GERMAN, SOVIET, Data, Table
from games.jaws.judgement import advise, appraise
from games.jaws.orders import ORDERS
from games.jaws.reference import charts
from games.jaws.rules import (
    airlift,
    events,
    front_line,
    isolation,
    korsun,
    movement,
    recovery,
    reliability,
    setup,
    staff,
    stalin,
    stores,
    victory,
    wanda,
    weather,
    withdrawal,
)
from games.jaws.rules.allowance import EMPLACED, ENTERED, REPLACED
from games.jaws.rules.audit import faults
from games.jaws.rules.breakout.declaring import breaks_out, last_turn
from games.jaws.rules.breakout.phase import breakout_phase
from games.jaws.rules.closing import to_its_end
from games.jaws.rules.combat import air, attack, breakthrough, declaration, phase_end, reaction, reserve_combat
from games.jaws.rules.combat.forecast import forecast
from games.jaws.rules.engineering import engineering_phase
from games.jaws.rules.parts import UNUSED
from games.jaws.rules.stacking import GRACE
from games.jaws.rules.veil import veiled
from games.jaws.standing import QUESTIONS, counted, standing

BREAKOUT = f"{GERMAN}.breakout"
# 3.2: the stages of a turn in their order.
SEQUENCE = (
    "supply",  # C1 to C3
    f"{SOVIET}.staff",  # C4 to C6
    f"{GERMAN}.staff",
    f"{GERMAN}.airlift",  # D
    f"{SOVIET}.events",  # E1, E2
    f"{SOVIET}.movement",  # E3
    f"{SOVIET}.declaration",  # E4
    f"{SOVIET}.combat",
    f"{SOVIET}.breakthrough",
    f"{SOVIET}.reserves",  # E4E, E4F
    f"{SOVIET}.engineering",  # E5, ends with E6
    f"{GERMAN}.release",  # F1A
    f"{GERMAN}.declarations",  # F1B
    f"{GERMAN}.events",  # F2
    f"{GERMAN}.movement",  # F3
    f"{GERMAN}.declaration",  # F4
    f"{GERMAN}.combat",
    f"{GERMAN}.breakthrough",
    f"{GERMAN}.reserves",
    f"{GERMAN}.withdrawal",  # 9.8
    f"{GERMAN}.engineering",  # F5, ends with F6
    BREAKOUT,  # F7, if it was declared
    "end",  # G
)

# 16.5.4: those of the Soviet turn after a Breakout; the Combat Phase ends with the reserves, of which there are none.
LAST_TURN = (
    "supply",
    f"{SOVIET}.staff",
    f"{GERMAN}.staff",
    f"{SOVIET}.movement",
    f"{SOVIET}.declaration",
    f"{SOVIET}.combat",
    f"{SOVIET}.breakthrough",
    f"{SOVIET}.reserves",
    "end",
)


def play(table: Table) -> Procedure:
    """The game from the stage its position names, each side knowing what it may."""
    return veiled(table, _play(table))


def _play(table: Table) -> Procedure:
    while True:
        yield from _stage(table)
        following = after(table)
        turn = table.position.turn + (following == SEQUENCE[0] and table.position.stage != "setup")
        yield from begin(table, following, turn)


def after(table: Table) -> str:
    """The stage that follows: the first of the next turn after the last; 16.4-e1, 16.5.4: a Breakout changes them."""
    stage = table.position.stage
    stages = LAST_TURN if last_turn(table) else tuple(s for s in SEQUENCE if s != BREAKOUT or breaks_out(table))
    return stages[(stages.index(stage) + 1) % len(stages)] if stage in stages else stages[0]


def _stage(table: Table) -> Generator[Step, Any, None]:
    """What is done in the present stage."""
    side, _, phase = table.position.stage.rpartition(".")
    match phase:
        case "setup":
            yield from setup.set_up(table)
        case "supply":
            yield from staff.supply_stage(table)
        case "staff":
            yield from staff.staff_stage(table, side)
        case "airlift":
            yield from airlift.airlift_stage(table)
        case "release":
            yield from front_line.release_segment(table)
        case "declarations":
            yield from to_its_end(isolation.declarations(table), "declarations", GERMAN)
            yield from reliability.reliability_rolls(table)  # F1C
        case "events":
            yield from events.events_stage(table, side)
        case "movement":
            yield from movement.movement_segment(table, side)
        case "declaration":
            yield from declaration.declaration_segment(table, side)
            yield from air.soviet_air(table, side)
            if side == SOVIET and not last_turn(table):  # 16.5.4-3
                yield from reaction.reaction_segment(table)
        case "combat":
            yield from attack.combat_segment(table, side)
        case "breakthrough":
            yield from breakthrough.breakthrough_segment(table, side)
        case "reserves":
            yield from reserve_combat.reserve_segments(table, side)
            if side == SOVIET:
                yield from phase_end.combat_phase_ends(table, side)
        case "withdrawal":
            yield from withdrawal.withdrawal_segment(table)
            yield from phase_end.combat_phase_ends(table, side)
        case "engineering":
            yield from engineering_phase(table, side)
            yield from recovery.recover(table, side)
        case "breakout":
            yield from breakout_phase(table)
        case "end":
            yield from korsun.captured(table)
            yield from stores.overrun(table)
            yield from victory.end_of_turn(table)


def begin(table: Table, stage: str, turn: int) -> Procedure:
    """Opens a stage: all that happens before anybody is asked."""
    side, _, _ = stage.rpartition(".")
    yield StageBegan(stage=stage, turn=turn, side=side or SOVIET)
    yield from stalin.intervenes(table)
    if stage.endswith(".movement"):
        yield from wipe(table, (GRACE,), "11.2")
    if stage == SEQUENCE[0]:
        yield Told(text=f"Turn {turn}, {table.data.turn(turn)['date']}", because="3.1")
        yield from wipe(table, (ENTERED, REPLACED, EMPLACED), "7.1-c2")
        yield from weather.weather_stage(table)
        yield from weather.air_stage(table, wanda.air_bonus(table))


def summary(table: Table) -> str:
    position = table.position
    said = f"turn {counted(table, position.turn)}, {position.stage.replace('.', ' ')}"
    score = victory.points(table)
    return f"{said}; points: Soviet {score[SOVIET]}, German {score[GERMAN]}" if score else said


def score(table: Table) -> dict[str, int]:
    """23.1, 23.2: the points of both sides; the other scenarios have none."""
    return victory.points(table)


RULES = partial(
    Game,
    book=Book(ORDERS),
    opening=setup.opening,
    play=play,
    enter=begin,
    forecast=forecast,
    appraise=appraise,
    advise=advise,
    faults=faults,
    summary=summary,
    score=score,
    standing=standing,
    questions=QUESTIONS,
    quiet=weather.QUIET | {UNUSED},
)

RULEBOOK = rulebook(FOLDER, (SOVIET, GERMAN), Data, RULES, charts)
