"""The sequence of play (2.0): reads like the rulebook's own outline."""

from collections.abc import Generator
from functools import partial
from typing import Any

from pydantic import TypeAdapter

from engine.asks import Procedure, Step
from engine.facts import Counted, StageBegan
from engine.game import Game
from engine.orders.book import Book
from engine.rulebook import rulebook
from games.korsun_vv.data import FOLDER, Data, Table
from games.korsun_vv.judgement import appraise
from games.korsun_vv.names import GERMAN, RESERVE, RUSSIAN, SURPRISE
from games.korsun_vv.orders import ORDERS, Activate, Alarm, Pass
from games.korsun_vv.reference import charts
from games.korsun_vv.rules import alarm, command, pocket, setup, staff, supply, turns, victory
from games.korsun_vv.rules.activation import activation
from games.korsun_vv.rules.allotment import begin_support, support_phase
from games.korsun_vv.rules.audit import faults
from games.korsun_vv.rules.forecast import forecast
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.sequence import begin_activation, choice_ask
from games.korsun_vv.rules.sight import veiled
from games.korsun_vv.shapes import Scenario
from games.korsun_vv.standing import QUESTIONS, standing

Stage = Generator[Step, Any, str]  # a stage gives the one that follows it


def play(table: Table) -> Procedure:
    """The game from the stage its position names."""
    return veiled(table, _play(table)) if table.data.switch["fog"] else _play(table)


def _play(table: Table) -> Procedure:
    while True:
        following = yield from _stage(table)
        if following == turns.END:
            yield from turns.end_turn(table)
            yield from victory.end_of_turn(table)
            yield from begin(table, "pocket", table.position.turn + 1)
        else:
            yield from begin(table, following, table.position.turn)


def _stage(table: Table) -> Stage:
    """What is asked in the present stage, and what comes after it."""
    side, _, phase = table.position.stage.rpartition(".")
    match phase:
        case "setup":
            yield from setup.set_up(table)
            return "support"  # 18.0-c
        case "pocket":
            if pocket.formed(table) and table.position.where[chief(table)] == RESERVE:
                yield from pocket.gather(table)
            return "supply"
        case "supply":
            yield from staff.replacements(table)
            return "return"
        case "return":
            yield from staff.returns(table)
            return "support"
        case "support":
            yield from support_phase(table)
            first = yield from turns.initiative(table)
            return f"{first}.sequence"
        case "sequence":
            return (yield from _sequence(table, side))
    yield from activation(table, side)
    if turns.surprised(table, side):
        return f"{side}.sequence"  # 18.0-b
    return (yield from turns.after_sequence(table, side))


def _sequence(table: Table, side: str) -> Stage:
    """2.1-d: a formation, single units, or a pass."""
    again = turns.surprised(table, side)
    while True:
        order = yield choice_ask(table, side, single=not again)
        if not isinstance(order, Alarm):
            break
        yield from alarm.place_alarm(table, order)
    yield from _count_surprise(table, side, isinstance(order, Activate))
    if isinstance(order, Pass):
        return (yield from (turns.after_sequence if again else turns.after_pass)(table, side))
    yield from turns.begin_sequence(table, side)
    yield from begin_activation(table, side, order)
    if side == RUSSIAN:
        yield from alarm.window(table)
    return f"{side}.activation"


def _count_surprise(table: Table, side: str, formation: bool) -> Generator[Step, Any, None]:
    """18.0-b: two formations in a row, if the turn begins with a formation."""
    row = table.data.tables["activation"]["surprise"]
    count = table.position.tracks.get(SURPRISE, 0)
    if table.position.turn == row["turn"] and side == row["side"] and count < row["formations"]:
        yield Counted(track=SURPRISE, value=count + 1 if formation else row["formations"], because=row["case"])


def begin(table: Table, stage: str, turn: int) -> Generator[Step, Any, None]:
    """Opens a stage: all that happens before anybody is asked."""
    side, _, phase = stage.rpartition(".")
    yield StageBegan(stage=stage, turn=turn, side=side or (GERMAN if stage in ("setup", "pocket") else RUSSIAN))
    match phase:
        case "pocket":
            if not pocket.formed(table) and pocket.ring_closed(table):
                yield from pocket.close(table)
        case "supply":
            yield from supply.check_supply(table)
            yield from command.check_command(table)
            yield from pocket.air_supply(table)
            yield from staff.begin_replacements(table)
        case "support":
            yield from begin_support(table)


def summary(table: Table) -> str:
    position = table.position
    said = f"turn {position.turn} of {table.data.turns}, {position.stage.replace('.', ' ')}"
    return f"{said}; Russian victory points {victory.points(table)}"


def score(table: Table) -> dict[str, int]:
    """18.3, 18.4: the Russian points; the German has none."""
    return {RUSSIAN: victory.points(table)}


RULES = partial(
    Game,
    book=Book(ORDERS),
    opening=setup.opening,
    play=play,
    enter=begin,
    forecast=forecast,
    appraise=appraise,
    faults=faults,
    summary=summary,
    score=score,
    standing=standing,
    questions=QUESTIONS,
)

DATA = TypeAdapter(Scenario)
RULEBOOK = rulebook(
    FOLDER,
    (RUSSIAN, GERMAN),
    lambda board, row, switch: Data(board, DATA.validate_python(row), switch),
    RULES,
    charts,
)
