"""The sequence of play at the outpost, and the game put together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from engine import audit, hexset
from engine import facts as f
from engine.asks import Ask, Procedure
from engine.board import Board
from engine.game import Game
from engine.orders.choice import Choice, gather, pick
from engine.orders.order import Order
from engine.orders.usual import End
from engine.pieces import Formation, Roster, Unit
from engine.position import Setting
from engine.refusals import Illegal
from engine.rules.ground import number, numbers, place, units_at
from engine.rules.marks import set_game, wipe
from engine.rules.pools import dealt, in_pool, shuffled
from engine.rules.sight import doubt, sighted
from engine.table import Table
from tests.engine.outpost.fighting import check as check_attack
from tests.engine.outpost.fighting import fight, forecast
from tests.engine.outpost.ground import BRIDGES, FORD, GRID, OUTPOST, bridges_held, near, reach, way, wolves
from tests.engine.outpost.orders import BOOK, ORDERS, QUESTIONS, Attack, Blow, Move, Scout
from tests.engine.outpost.raiders import attrition, blow, raid

__all__ = ["BRIDGES", "OUTPOST", "TURNS", "outpost"]
TURNS = 5
CARDS = ("dry", "ford", "mud")
FORMATIONS = (
    Formation("I", "First Corps", "corps"),
    Formation("1", "1st Division", "division", "I"),
    Formation("2", "2nd Division", "division", "I"),
)
UNITS = {"a/1": "0203", "b/1": "0203", "c/2": "0302", "W1": "0503", "W2": "0504", "W3": "0505"}
HIDDEN = {"W2": 1}  # steps that the raiders lack from the start, and only they know


def play(table: Table) -> Procedure:
    """From whatever stage the position is in to the end of the last turn."""
    if not table.position.stage:
        yield from enter(table, "garrison", 1)
    while True:
        yield from _orders(table)
        yield from doubt(table, [u for u in wolves(table) if not _watched(table, u)], "garrison", "2.2")
        yield from enter(table, "raiders", table.position.turn)
        yield from raid(table)
        if table.position.turn == TURNS or not wolves(table):
            yield f.GameEnded(result="the outpost holds", winner="garrison", because="5.0")
        yield from wipe(table, ("moved",), "2.1", "garrison")
        yield from enter(table, "garrison", table.position.turn + 1)


def enter(table: Table, stage: str, turn: int) -> Procedure:
    yield f.StageBegan(stage=stage, turn=turn, side=stage)
    if stage == "garrison":
        yield from _dispatch(table)


def _dispatch(table: Table) -> Procedure:
    """1.1: the top card of the pile, which is shuffled again when it is empty."""
    if not in_pool(table, "dispatches"):
        yield from shuffled(table, "dispatches", CARDS, "1.1")
    card = yield from dealt(table, "dispatches", "1.1")
    if card == "ford":
        yield f.Marked(subject=f"@{FORD}", mark="ford", because="1.1")
    else:
        yield from set_game(table, "ground", card, "1.1")
        yield from attrition(table)
    yield f.Counted(track="dispatches", value=table.position.tracks.get("dispatches", 0) + 1, because="1.1")


def _orders(table: Table) -> Procedure:
    while True:
        seen = table.seen_by("garrison")
        order = yield Ask(
            "garrison", "orders", "garrison", "move, attack, blow, scout or end", ORDERS, End,
            partial(_choices, seen), partial(_check, seen), case="2.0", top=True,
        )  # fmt: skip
        if isinstance(order, End):
            return
        yield from _done(table, order)


def _done(table: Table, order: Order) -> Procedure:
    if isinstance(order, Move):
        for unit in order.units:
            path = tuple(number(table, h) for h in way(table, unit, table.grid.hex(order.to)))
            yield f.Moved(unit=unit, path=path, because="2.1")
            yield f.Noted(subject=unit, mark="moved", because="2.1")
    elif isinstance(order, Attack):
        yield from fight(table, "garrison", order.units, table.grid.hex(order.target))
        for unit in filter(table.position.alive, order.units):
            yield f.Noted(subject=unit, mark="moved", because="2.1")
    elif isinstance(order, Blow):
        yield from blow(table, order.bridge)
    elif isinstance(order, Scout):
        yield sighted(table, order.unit, "garrison", "2.2")


def _watched(table: Table, unit: str) -> bool:
    return any(unit in near(table, place(table, own), "raiders") for own in table.position.on_map("garrison"))


def _fresh(table: Table) -> list[str]:
    return [unit for unit in table.position.on_map("garrison") if not table.position.mark(unit, "moved")]


def _check(table: Table, order: Order) -> None:
    if isinstance(order, Move | Attack):
        for unit in order.units:
            if unit not in _fresh(table):
                raise Illegal("2.1", f"{unit} is not yours to order now", alternatives=_fresh(table))
    if isinstance(order, Move):
        for unit in order.units:
            if not reach(table, unit) >> table.grid.hex(order.to) & 1:
                can = numbers(table, reach(table, unit))
                raise Illegal("1.2", f"{unit} cannot reach {order.to}", alternatives=can)
    elif isinstance(order, Attack):
        check_attack(table, "garrison", order)
    elif isinstance(order, Blow) and order.bridge not in bridges_held(table):
        raise Illegal("2.3", f"{order.bridge} is no bridge to blow", alternatives=bridges_held(table))
    elif isinstance(order, Scout) and not (table.unit(order.unit).side == "raiders" and _watched(table, order.unit)):
        raise Illegal("2.2", f"{order.unit} is not beside you")


def _choices(table: Table) -> list[Choice]:
    fresh = _fresh(table)
    moves = [pick(Move, "to", lambda u=unit: numbers(table, reach(table, u)), units=(unit,)) for unit in fresh]
    watched = [unit for unit in wolves(table) if _watched(table, unit)]
    blows = [pick(Blow, "bridge", lambda: bridges_held(table))] if bridges_held(table) else []
    scouts = [pick(Scout, "unit", lambda: watched)] if watched else []
    return [*moves, *_attacks(table, fresh), *blows, *scouts, Choice(End)]


def _attacks(table: Table, fresh: list[str]) -> Iterator[Choice]:
    for target in hexset.members(table.position.held("raiders")):
        able = [unit for unit in near(table, target, "garrison") if unit in fresh]
        if able and units_at(table, target, "raiders"):
            left = partial(_left, able)
            yield gather(Attack, "units", left, partial(_check, table), target=number(table, target))


def _left(able: list[str], given: Mapping[str, Any]) -> list[str]:
    return [unit for unit in able if unit not in given.get("units", ())]


def opening(game: Game) -> list[f.Fact]:
    """The garrison as everybody sees it; of the raiders the player sees the counters and not their steps."""
    found: list[f.Fact] = []
    for unit, spot in UNITS.items():
        at, hidden = game.options.get(unit, spot), unit.startswith("W")
        found.append(f.Placed(unit=unit, at=at, lost=HIDDEN.get(unit), only=() if hidden else None))
        if hidden:
            found.append(f.Sighted(unit=unit, by="garrison", at=at, lost=None, only=("garrison",)))
    return found


def _unit(name: str) -> Unit:
    if name.startswith("W"):
        steps = tuple({"strength": points} for points in (3, 2, 1))
        return Unit(name, "raiders", "wolf", "X", f"{name[1]}. Wolves", steps, classes=frozenset({"wolf"}))
    steps = ({"strength": 3}, {"strength": 2})
    return Unit(name, "garrison", "foot", "III", f"{name[0].upper()} of {name[2]}", steps, formation=name[2])


def outpost(rulebook: str = "outpost", scenario: str = "river", options: Mapping[str, Any] | None = None) -> Game:
    """The game; an option with a unit's name puts it elsewhere."""
    everything = GRID.everything
    board = Board(
        title="The outpost", credits="", grid=GRID, legend={}, land=everything, terrain={"clear": everything},
        kinds={}, places={}, towns={}, sides={}, ways={}, areas={}, lines={}, edges={}, courses=(), routes=(),
    )  # fmt: skip
    roster = Roster(map(_unit, UNITS), FORMATIONS)
    return Game(
        rulebook=rulebook, title="The outpost", version="1", scenario=scenario, options=dict(options or {}),
        setting=Setting(GRID, roster, ("garrison", "raiders"), played=("raiders",)), board=board, book=BOOK, data=None,
        opening=opening, play=play, enter=enter, forecast=forecast, questions=QUESTIONS,
        appraise=lambda table, ask, order: 1.0 if isinstance(order, Attack | Scout) else 0.0,
        faults=lambda table: [*audit.pieces(table), *audit.ground(table, everything), *audit.marks(table)],
    )  # fmt: skip
