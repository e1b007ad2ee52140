"""The sequence of play (4.0): reads like the rulebook's own outline."""

from collections.abc import Generator
from functools import partial
from typing import Any

from engine.asks import Procedure, Step
from engine.facts import StageBegan
from engine.forecast import Forecast
from engine.game import Game
from engine.orders.book import Book
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rulebook import rulebook
from games.kharkov.data import FOLDER, GERMAN, SOVIET, Data, Table
from games.kharkov.judgement import appraise
from games.kharkov.judgement.plans import advise
from games.kharkov.orders import ORDERS, Attack
from games.kharkov.reference import charts
from games.kharkov.rules import activation, deployment, impulse, phases, setup, victory
from games.kharkov.rules.audit import faults
from games.kharkov.rules.combat import german_attack
from games.kharkov.rules.combat.forecast import forecast_attack
from games.kharkov.rules.soviet import attacks, command, moves, rest
from games.kharkov.standing import HANDS, QUESTIONS, QUIET, standing

Stage = Generator[Step, Any, str]  # a stage gives the one that follows it


def play(table: Table) -> Procedure:
    """The game from the stage its position names."""
    while True:
        following = yield from _stage(table)
        if following == "next turn":
            yield from begin(table, "reserve", table.position.turn + 1)
        else:
            yield from begin(table, following, max(1, table.position.turn))


def _stage(table: Table) -> Stage:
    """What is done in the present stage, and what comes after it."""
    match table.position.stage:
        case "setup":
            yield from setup.set_up(table)
            return "german.impulse"  # 3.0-g: play begins with the first German impulse of turn 1
        case "reserve":
            yield from phases.reserve_phase(table)  # 4.I, and delayed reserves (7.3)
            return "cards"
        case "cards":
            yield from phases.card_phase(table)  # 4.II
            return "supply"
        case "supply":
            yield from phases.supply_phase(table)  # 4.III, surrenders are asked for (13.23)
            return phases.after_supply(table)  # soviet.draw, or end on a turn of heavy mud (18.34-c)
        case "end":
            yield from phases.end_phase(table)  # 4.V
            return "next turn"
    return (yield from _command_phase(table))


def _command_phase(table: Table) -> Stage:
    """4.IV: impulses in turn until both sides are out of cards."""
    match table.position.stage:
        case "german.impulse":
            return (yield from impulse.german_impulse(table))  # german.moves, german.place, or impulse.after(table)
        case "german.place":
            yield from deployment.deploy(table)
            return (yield from impulse.finish(table))
        case "german.moves":
            yield from activation.movement(table)
            return "german.attacks" if activation.may_attack(table) else "german.dig"
        case "german.attacks":
            yield from german_attack.attacks(table)
            return "german.dig"
        case "german.dig":
            yield from activation.dig(table)
            yield from activation.stand_down(table)
            return (yield from impulse.finish(table))
        case "soviet.draw":
            return (yield from command.draw(table))  # soviet.command, or what follows an impulse
        case "soviet.command":
            return (
                yield from command.carry_out(table)
            )  # soviet.moves, soviet.command (second card), or the next impulse
        case "soviet.moves":
            yield from moves.movement(table)
            return "soviet.attacks"
        case "soviet.attacks":
            yield from attacks.attacks(table)
            return "soviet.rest"
    yield from rest.rest(table)  # soviet.rest: reserves, removals, one IP, undispersed
    return (yield from command.next_command(table))


def begin(table: Table, stage: str, turn: int) -> Procedure:
    """Opens a stage: all that happens before anybody is asked."""
    side = SOVIET if stage.startswith(SOVIET) else GERMAN
    yield StageBegan(stage=stage, turn=turn, side=side)


def forecast(table: Table, side: str, order: Order) -> Forecast:
    """What an attack would come to. Raises Illegal."""
    if isinstance(order, Attack):
        return forecast_attack(table, order)
    raise Illegal("12.0", "only attacks have odds", instead="Write `attack HEX with UNITS`")


def summary(table: Table) -> str:
    position = table.position
    said = f"turn {position.turn} of {table.data.turns}, {position.stage.replace('.', ' ')}"
    return f"{said}; Soviet victory points {position.tracks['vp']}"


def score(table: Table) -> dict[str, int]:
    """17.0: the Soviet points; the Germans have none."""
    return {SOVIET: victory.points(table)}


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
    level=victory.level,
    standing=standing,
    questions=QUESTIONS,
    hands=HANDS,
    quiet=QUIET,
)

RULEBOOK = rulebook(FOLDER, (GERMAN, SOVIET), Data, RULES, charts, (SOVIET,))
