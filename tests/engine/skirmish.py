"""A very small game to try case files and bots on: two sides move and fight on a meadow for three turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

from engine import facts as f
from engine.asks import Ask, Procedure, Roll
from engine.board import Board
from engine.folder import Scenario, Switch
from engine.forecast import Forecast, Working
from engine.game import Game, Rulebook
from engine.hexes import Grid
from engine.orders import usual
from engine.orders.book import Book
from engine.orders.choice import Choice, pick, whole
from engine.orders.fields import HexNumber, UnitName, Units
from engine.orders.order import Order
from engine.pieces import Roster, Unit
from engine.position import Setting
from engine.refusals import Illegal
from engine.table import Table

TURNS = 3
STAGES = ("red.move", "red.combat", "blue.move", "blue.combat")


@dataclass(frozen=True)
class Figures:
    """What a rulebook keeps in its tables."""

    tables: Mapping[str, Any] = field(default_factory=lambda: {"combat": {"hits": {"from": 4}}})


class Move(Order):
    usage = "move {unit} {to}"
    unit: UnitName
    to: HexNumber


class Attack(Order):
    usage = "attack {target} with {units}"
    target: HexNumber
    units: Units


class Lose(Order):
    usage = "lose {unit}"
    unit: UnitName


class Retreat(Order):
    usage = "retreat {unit} {to}"
    unit: UnitName
    to: HexNumber


class Advance(Order):
    usage = "advance {unit}"
    unit: UnitName


class Stay(Order):
    usage = "stay"


class End(usual.End):
    """The usual one."""


def play(table: Table) -> Procedure:
    """From whatever stage the position is in to the end of the last turn."""
    if not table.position.stage:
        yield from enter(table, STAGES[0], 1)
    while True:
        position = table.position
        side, _, phase = position.stage.partition(".")
        yield from (_move(table, side) if phase == "move" else _combat(table, side))
        following = STAGES.index(position.stage) + 1
        if following < len(STAGES):
            yield from enter(table, STAGES[following], position.turn)
        elif position.turn < TURNS:
            yield from enter(table, STAGES[0], position.turn + 1)
        else:
            yield f.GameEnded(result="draw")


def enter(table: Table, stage: str, turn: int) -> Procedure:
    yield f.StageBegan(stage=stage, turn=turn, side=stage.partition(".")[0])
    if stage == "red.move" and turn > 1 and table.game.options["weather"]:
        die = yield Roll("weather")
        yield f.Told(text=f"the weather die is {die}")


def _neighbours(table: Table, unit: str) -> list[str]:
    here = table.position.hex_of(unit)
    return [] if here is None else [table.grid.number_of(h) for h in table.grid.neighbours(here)]


def _free(table: Table, unit: str) -> list[str]:
    enemy = table.position.held(table.enemy(table.unit(unit).side))
    return [n for n in _neighbours(table, unit) if not enemy >> table.grid.hex(n) & 1]


def _tired(table: Table, unit: str) -> bool:
    return table.position.mark(unit, "tired") == table.position.turn


def _move(table: Table, side: str) -> Procedure:
    def check(order: Order) -> None:
        if isinstance(order, Move):
            if table.unit(order.unit).side != side or not table.position.alive(order.unit):
                raise Illegal("1.1", f"{order.unit} is not yours to move")
            if _tired(table, order.unit):
                raise Illegal("1.2", f"{order.unit} has moved")
            if order.to not in _free(table, order.unit):
                raise Illegal("1.3", f"{order.unit} cannot go to {order.to}", alternatives=_free(table, order.unit))

    def choices() -> list[Choice]:
        fresh = [unit for unit in table.position.on_map(side) if not _tired(table, unit)]
        return [*(pick(Move, "to", partial(_free, table, unit), unit=unit) for unit in fresh), Choice(End)]

    while True:
        order = yield Ask(
            side, "move", side, "move a unit or end", (Move, End), End, choices, check, case="1.0", top=True
        )
        if isinstance(order, End):
            return
        path = (table.position.where[order.unit], order.to)
        yield f.Moved(unit=order.unit, path=path, because="1.0")
        yield f.Marked(subject=order.unit, mark="tired", value=table.position.turn)


def _targets(table: Table, side: str) -> list[str]:
    enemy = table.position.held(table.enemy(side))
    near = {n for unit in table.position.on_map(side) for n in _neighbours(table, unit)}
    done = {n for n in near if table.position.mark(f"@{n}", "fought") == table.position.turn}
    return sorted(n for n in near - done if enemy >> table.grid.hex(n) & 1)


def _attackers(table: Table, side: str, target: str) -> list[str]:
    return [unit for unit in table.position.on_map(side) if target in _neighbours(table, unit)]


def _combat(table: Table, side: str) -> Procedure:
    def check(order: Order) -> None:
        if isinstance(order, Attack):
            if order.target not in _targets(table, side):
                raise Illegal("2.1", f"{order.target} cannot be attacked")
            for unit in order.units:
                if unit not in _attackers(table, side, order.target):
                    raise Illegal("2.2", f"{unit} does not stand beside {order.target}")

    def choices() -> list[Choice]:
        near = [(target, _attackers(table, side, target)) for target in _targets(table, side)]
        return [*(pick(Attack, "units", units.copy, target=target) for target, units in near), Choice(End)]

    while True:
        order = yield Ask(
            side, "combat", side, "attack or end", (Attack, End), End, choices, check, case="2.0", top=True
        )
        if isinstance(order, End):
            return
        yield from _fight(table, side, order)


def _fight(table: Table, side: str, order: Attack) -> Procedure:
    yield f.Marked(subject=f"@{order.target}", mark="fought", value=table.position.turn)
    die = yield Roll(f"combat {order.target}")
    defender = table.position.at(table.grid.hex(order.target))[0]
    column = f"{len(order.units)}-1"
    result = "D" if die >= table.data.tables["combat"]["hits"]["from"] else "A"
    yield f.Fought(
        kind="combat", attackers=order.units, defenders=(defender,), targets=(order.target,),
        column=column, decided=(("die", str(die)),), result=result,
    )  # fmt: skip
    if result == "A":
        yield from _lose(table, order.units[0])
        return
    enemy = table.enemy(side)
    ways = [whole(Retreat(unit=defender, to=to)) for to in _free(table, defender)]
    answer = yield Ask(
        enemy, "loss", order.target, "lose a step or retreat", (Lose, Retreat), lambda: Lose(unit=defender),
        lambda: [whole(Lose(unit=defender)), *ways], case="2.3", units=(defender,),
    )  # fmt: skip
    if isinstance(answer, Lose):
        yield from _lose(table, defender)
    else:
        yield f.Moved(unit=defender, path=(order.target, answer.to), how="retreat")
    if not table.position.at(table.grid.hex(order.target)):
        yield from _advance(table, side, order)


def _advance(table: Table, side: str, order: Attack) -> Procedure:
    alive = [unit for unit in order.units if table.position.alive(unit)]
    choices = [*(whole(Advance(unit=unit)) for unit in alive), Choice(Stay)]
    answer = yield Ask(
        side, "advance", order.target, "who advances", (Advance, Stay), Stay, lambda: choices,
        case="2.4", passable=True,
    )  # fmt: skip
    if isinstance(answer, Advance):
        yield f.Moved(unit=answer.unit, path=(table.position.where[answer.unit], order.target), how="advance")


def _lose(table: Table, unit: str) -> Iterator[f.Fact]:
    if table.position.steps_left(unit) > 1:
        yield f.StepLost(unit=unit)
    else:
        yield f.Eliminated(unit=unit, at=table.position.where[unit])
    yield f.Counted(track="losses", value=table.position.tracks.get("losses", 0) + 1)


def forecast(table: Table, side: str, order: Order) -> Forecast:
    if not isinstance(order, Attack):
        raise Illegal("2.0", "only an attack can be forecast")
    chances = (("A", Fraction(1, 2)), ("D", Fraction(1, 2)))
    return Forecast("attack", f"{len(order.units)}-1", (Working("attackers", "1", "2.2"),), chances)


def appraise(table: Table, ask: Ask, order: Order) -> float:
    """Forward and fight."""
    if isinstance(order, Move):
        here, there = table.position.where[order.unit], order.to
        enemies = [table.position.where[unit] for unit in table.position.on_map(table.enemy(ask.side))]
        return float(max((_gap(table, here, e) - _gap(table, there, e) for e in enemies), default=0))
    return 1.0 if isinstance(order, Attack | Advance | Retreat) else 0.0


def _gap(table: Table, a: str, b: str) -> int:
    return table.grid.distance(table.grid.hex(a), table.grid.hex(b))


def faults(table: Table) -> list[str]:
    return [f"{u} stands nowhere" for u, place in table.position.where.items() if not place]


def opening(game: Game) -> list[f.Fact]:
    start = {"R1": "0202", "R2": "0302", "B1": "0205", "B2": "0305"}
    return [*(f.Placed(unit=unit, at=at) for unit, at in start.items()), f.Counted(track="losses", value=0)]


def _start(scenario: str, options: Mapping[str, Any]) -> Game:
    grid = Grid((1, 6), (1, 6))
    steps = ({"attack": 2}, {"attack": 1})
    roster = Roster(Unit(name, {"R": "red", "B": "blue"}[name[0]], "unit", "XX", name, steps)
                    for name in ("R1", "R2", "B1", "B2"))  # fmt: skip
    board = Board(
        "Skirmish",
        "",
        grid,
        {},
        grid.everything,
        {"clear": grid.everything},
        {},
        {},
        {},
        {},
        {},
        {},
        {},
        {},
        (),
        (),
    )
    book = Book((Move, Attack, Lose, Retreat, Advance, Stay, End))
    return Game(
        "skirmish", "Skirmish", "1", scenario, options, Setting(grid, roster, ("red", "blue")), board, book,
        Figures(), opening, play, enter, forecast, appraise, faults,
    )  # fmt: skip


WEATHER = Switch("weather", (False, True), False, "3.0", "roll for the weather")
RULEBOOK = Rulebook(
    "skirmish", "Skirmish", "a game for tests", Path(__file__).parent, "1",
    (Scenario("meadow", "The meadow", "", TURNS, (WEATHER,)),), _start,
)  # fmt: skip


def skirmish(name: str = "skirmish", scenario: str = "", options: Mapping[str, Any] | None = None) -> Game:
    """The game itself, by the names a campaign looks it up with."""
    return RULEBOOK.game(scenario, options)
