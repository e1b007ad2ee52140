"""The sequence of play (4.0): reads like the rulebook's own outline."""

from collections.abc import Iterator
from functools import partial

from engine.asks import Procedure
from engine.facts import Fact, Placed, Pooled, StageBegan
from engine.forecast import Forecast
from engine.game import Game
from engine.orders.book import Book
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rulebook import rulebook
from games.korsun_spi.data import FOLDER, Data, Table, data_of
from games.korsun_spi.judgement import appraise
from games.korsun_spi.orders import ORDERS, Attack, Overrun
from games.korsun_spi.reference import charts
from games.korsun_spi.rules import combat, overrun, phases, setup, victory
from games.korsun_spi.rules.airsupply import air_phase
from games.korsun_spi.rules.audit import faults
from games.korsun_spi.rules.ground import GERMAN, SOVIET
from games.korsun_spi.rules.hqs import command
from games.korsun_spi.rules.losses import points
from games.korsun_spi.rules.maneuver import maneuver
from games.korsun_spi.rules.reinforcements import schedule
from games.korsun_spi.standing import QUESTIONS, standing


def stages(table: Table) -> list[str]:
    """4.2: the stages of a game-turn, first player then second (19.11)."""
    switch = table.data.switch
    found = []
    for side in (table.data.scenario["first"], table.enemy(table.data.scenario["first"])):
        if side == SOVIET and switch["headquarters"] == "scheduled":
            found.append(f"{SOVIET}.command")
        found += [f"{side}.initial", f"{side}.combat", f"{side}.mechanised"]
        if side == GERMAN and switch["air_phase"] and switch["isolation"]:
            found.append(f"{GERMAN}.air")
    return found


def play(table: Table) -> Procedure:
    """The game from the stage its position names."""
    while True:
        yield from _stage(table)
        yield from _next(table)


def _stage(table: Table) -> Procedure:
    """What is asked in the present stage."""
    side, _, phase = table.position.stage.partition(".")
    match side, phase:
        case "setup", who:
            yield from setup.set_up(table, who)
        case _, "command":
            yield from command(table)
        case _, "initial" | "mechanised":
            yield from maneuver(table, side)
        case _, "combat":
            yield from combat.battle(table, side)
        case _, "air":
            yield from air_phase(table)


def _next(table: Table) -> Procedure:
    """Closes the present stage and opens the one after it."""
    stage = table.position.stage
    yield from _close(table, stage)
    order = stages(table)
    if stage == "start":
        following = "setup.soviet" if "setup_order" in table.data.scenario else order[0]
    elif stage == "setup.soviet":
        following = "setup.german"
    elif stage == "setup.german" or stage == order[-1]:
        following = order[0]
    else:
        following = order[order.index(stage) + 1]
    last_turn = table.position.turn >= table.data.turns
    if stage == order[-1] and last_turn:
        yield from victory.end_game(table)
        return
    yield from begin(table, following, table.position.turn + (following == order[0]))


def _close(table: Table, stage: str) -> Iterator[Fact]:
    side, _, phase = stage.partition(".")
    if stage == "setup.soviet":
        yield from setup.headquarters_up(table)
        yield from schedule(table)
    elif stage == "setup.german":
        yield from setup.remember_start(table)
        yield from setup.opening_support(table)
    elif phase in ("initial", "mechanised"):
        yield from phases.end_movement(table, side)
        if phase == "mechanised":
            yield from phases.end_player_turn(table, side)
    elif phase == "combat":
        yield from phases.end_combat(table)


def begin(table: Table, stage: str, turn: int) -> Procedure:
    """Opens a stage: all that happens before anybody is asked."""
    side, _, phase = stage.partition(".")
    yield StageBegan(stage=stage, turn=turn, side=phase if side == "setup" else side)
    order = stages(table)
    if stage == order[0]:
        yield from phases.begin_turn(table)
        yield from phases.tell_turn(table)
    firsts = [next(s for s in order if s.startswith(who)) for who in table.game.sides]
    if stage in firsts:
        yield from phases.begin_player_turn(table, side)
    if phase in ("initial", "mechanised"):
        yield from phases.begin_movement(table, side)
    elif phase == "air":
        yield from phases.begin_air(table)


def opening(game: Game[Data]) -> list[Fact]:
    """Where every counter is before anybody has said anything."""
    scenario = game.data.scenario
    placed: dict[str, str] = {}
    found: list[Fact] = []
    if "setup_order" not in scenario:
        placed = {unit: spot for spots in game.data.stock.values() for spot, units in spots.items() for unit in units}
    for unit in game.setting.roster:
        box = unit.setup if unit.setup in ("pool", "chart") else "unused"
        at = placed.get(unit.id, box if placed else "setup")
        found.append(Placed(unit=unit.id, at=at, because="2.0-a"))
    for name, code in scenario.get("pool", {}).items():
        items = tuple(unit.id for unit in game.setting.roster if unit.setup == code)
        found.append(Pooled(pool=name, items=items, because="13.1"))
    found.append(StageBegan(stage="start", turn=0, side=scenario["first"]))
    return found


def forecast(table: Table, side: str, order: Order) -> Forecast:
    """What an attack or an overrun would come to. Raises Illegal."""
    if isinstance(order, Attack):
        return combat.forecast(table, side, order)
    if isinstance(order, Overrun):
        return overrun.forecast(table, side, order)
    raise Illegal("9.0", "only attacks and overruns have odds", instead="Write `attack HEX with UNITS`")


def summary(table: Table) -> str:
    position = table.position
    soviet, german = points(table, SOVIET), points(table, GERMAN)
    weather = position.mark("game", "weather")
    said = f"turn {position.turn} of {table.data.turns}, {position.stage.replace('.', ' ')}"
    return f"{said}{f', {weather}' if weather else ''}; points Soviet {soviet}, German {german}"


def score(table: Table) -> dict[str, int]:
    """27.0: victory points so far."""
    return {side: points(table, side) for side in table.game.sides}


RULES = partial(
    Game,
    book=Book(ORDERS),
    opening=opening,
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

RULEBOOK = rulebook(FOLDER, (SOVIET, GERMAN), data_of, RULES, charts)
