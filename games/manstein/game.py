"""The sequence of play (5.0): reads like the rulebook's own outline."""

from collections.abc import Generator, Iterator
from functools import partial
from typing import Any

from engine.asks import Procedure, Step
from engine.facts import Fact, Noted, Pooled, StageBegan, Told, Turned
from engine.forecast import Forecast
from engine.game import Game
from engine.orders.book import Book
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rulebook import rulebook
from engine.rules.marks import game_mark, set_game, wipe
from games.manstein.data import FOLDER, Data, Table
from games.manstein.judgement import appraise
from games.manstein.orders import ORDERS, Attack
from games.manstein.reference import charts
from games.manstein.rules import activation, combat, negotiation, reinforcements, setup, victory
from games.manstein.rules.activation import INTERRUPT, MANSTEIN, ZHUKOV
from games.manstein.rules.air import reorganize
from games.manstein.rules.airborne import airborne
from games.manstein.rules.audit import faults
from games.manstein.rules.chits import select
from games.manstein.rules.draw import PLAYED, draw, first_drawn
from games.manstein.rules.ground import AXIS, SOVIET, activated, is_hq
from games.manstein.rules.headquarters import come_back
from games.manstein.rules.movement import movement_segment
from games.manstein.rules.supply import supply_check
from games.manstein.standing import QUESTIONS, standing

REINFORCED = "reinforced"  # 7.2(3)-b: Reinf or Abn was carried out this turn
FIGHT_ONLY = "C"  # the mode of the opening attack (16.1)
Stage = Generator[Step, Any, str]  # a stage gives the one that follows it


def play(table: Table) -> Procedure:
    """The game from the stage its position names."""
    while True:
        following = yield from _stage(table)
        if following == "end of turn":
            yield from _end_turn(table)
            yield from begin(table, "select", table.position.turn + 1)
        else:
            yield from begin(table, following, table.position.turn)


def _stage(table: Table) -> Stage:
    """What is asked in the present stage, and what comes after it."""
    side, _, phase = table.position.stage.rpartition(".")
    match phase:
        case "bid":
            yield from setup.bid(table)
            return "setup"
        case "setup":
            yield from setup.set_up(table)
            return "select"
        case "opening":
            return (yield from _opening_attack(table))
        case "select":
            yield from select(table)
            return f"{SOVIET}.opening" if table.position.turn == 1 else "draw"
        case "draw":
            chit = yield from draw(table)
            return (yield from _execute(table, chit))
        case "command":
            return (yield from _command(table, side))
        case "negotiate":
            yield from negotiation.negotiate(table)
            return "draw"
        case "reinforce":
            yield from reinforcements.reinforce(table)
            return f"{SOVIET}.drop" if game_mark(table, "chit") == "Abn" else "draw"
        case "drop":
            yield from airborne(table)
            return "draw"
    return (yield from _action(table, side, phase))


def _opening_attack(table: Table) -> Stage:
    """16.1: before the first draw one Front's units may attack, not move; its chit counts as the first drawn."""
    if (yield from activation.command(table, SOVIET, "")) != "mode":
        return "draw"
    if table.data.switch["opening_attack"] == "spends a chit":
        yield from first_drawn(table, next(unit for unit in activated(table, SOVIET) if is_hq(table, unit)))
    yield from set_game(table, "mode", FIGHT_ONLY, "16.1")
    return f"{SOVIET}.combat"


def _execute(table: Table, chit: str) -> Stage:
    """7.2: what a drawn chit does."""
    if not chit:
        return "end of turn"
    yield from set_game(table, "chit", chit, "7.2", Noted)
    if chit == "Supply":
        yield from supply_check(table)
        return "draw"
    if chit in ("Reinf", "Abn"):
        if game_mark(table, REINFORCED):
            yield Told(text=f"{chit} is cancelled: reinforcements came this turn already.", because="7.2(3)-b")
            return "draw"
        yield from set_game(table, REINFORCED, "yes", "7.2(3)-b", Noted)
        return f"{SOVIET}.reinforce"
    if chit == ZHUKOV:
        return f"{SOVIET}.command"
    if chit in (MANSTEIN, INTERRUPT):
        return f"{AXIS}.command"
    side = table.data.owner_of_chit[chit]
    hq = activation.counter_of(table, table.data.chits[side][chit]["hq"])
    if table.position.hex_of(hq) is None:
        yield Told(text=f"{hq} is off the map, so its chit has no effect.", because="8.1.1")
        return "draw"
    yield from activation.activate_hq(table, hq, "8.1.1")
    return f"{side}.mode"


def _command(table: Table, side: str) -> Stage:
    """7.2(4), 7.3, 7.4: Zhukov and Manstein choose."""
    chit = game_mark(table, "chit") or (ZHUKOV if side == SOVIET else MANSTEIN)
    chosen = yield from activation.command(table, side, chit)
    return f"{side}.{chosen}" if chosen else "draw"


def _action(table: Table, side: str, phase: str) -> Stage:
    """5.4, 5.5: the mode, then a Movement and a Combat Segment in the order chosen."""
    match phase:
        case "mode":
            mode = yield from activation.choose_mode(table, side)
            if mode:
                return f"{side}.move" if mode == "MC" else f"{side}.combat"
        case "move":
            yield from movement_segment(table, side)
            if game_mark(table, "mode") == "MC":
                return f"{side}.combat"
        case "combat":
            yield from combat.combat_segment(table, side)
            if game_mark(table, "mode") == "CM":
                return f"{side}.move"
    yield from activation.stand_down(table)
    return "draw"


def begin(table: Table, stage: str, turn: int) -> Procedure:
    """Opens a stage: all that happens before anybody is asked."""
    side, _, phase = stage.rpartition(".")
    yield StageBegan(stage=stage, turn=turn, side=side or (AXIS if stage == "setup" else SOVIET))
    if phase == "select":
        yield from _begin_turn(table)
    elif phase == "negotiate":
        yield from negotiation.begin(table)
    elif phase == "reinforce":
        yield from reinforcements.arrive(table)


def _begin_turn(table: Table) -> Procedure:
    date = table.data.date(table.position.turn)
    yield Told(text=f"Turn {table.position.turn}" + (f", {date}" if date else ""))
    yield from _convert(table)
    yield from come_back(table)


def _convert(table: Table) -> Iterator[Fact]:
    """18.2: on turn 4 the Fronts are turned over."""
    row = table.data.tables["headquarters"]["conversion"]
    if not table.data.switch["hq_conversion"] or table.position.turn < row["turn"]:
        return
    for front, back in row["backs"].items():
        if table.position.where.get(front) != "turned":
            yield Turned(unit=front, into=back, at=table.position.where[front], because="18.2(1)")


def _end_turn(table: Table) -> Procedure:
    """5.6: air reorganization, the chits back to their pools (cup and hand are empty), the victory check."""
    yield from reorganize(table)
    yield Pooled(pool=PLAYED, items=(), because="5.6(2)")
    yield from wipe(table, (REINFORCED, "drawn", "chit"), "5.6(2)")
    yield from victory.end_of_turn(table)


def forecast(table: Table, side: str, order: Order) -> Forecast:
    """What an attack would come to. Raises Illegal."""
    if isinstance(order, Attack):
        return combat.forecast(table, side, order)
    raise Illegal("10.0-a", "only attacks have odds", instead="Write `attack HEX with UNITS`")


def summary(table: Table) -> str:
    position = table.position
    said = f"turn {position.turn} of {table.data.turns}, {position.stage.replace('.', ' ')}"
    return f"{said}; Soviet victory points {victory.points(table)} of {victory.target(table)}"


def score(table: Table) -> dict[str, int]:
    """17.1: the Soviet points; the Axis have none."""
    return {SOVIET: victory.points(table)}


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

RULEBOOK = rulebook(FOLDER, (SOVIET, AXIS), Data, RULES, charts)
