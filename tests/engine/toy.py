"""A toy game with one of everything the table can do: two sides at a ford for two turns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from engine import facts as f
from engine import hexset
from engine.asks import Ask, Option, Procedure, Roll, Together
from engine.board import Board, Place
from engine.forecast import Forecast
from engine.game import Game
from engine.hexes import Grid
from engine.orders.book import Book
from engine.orders.fields import Count, Flag, Hexes, HexNumber, OneOf, Paths, UnitName, Units
from engine.orders.order import Order
from engine.pieces import Roster, Unit
from engine.position import Setting
from engine.refusals import Illegal
from engine.table import Table

TURNS = 2
MOST = 3  # points to bid, hexes to move

UNITS = {
    "G1": ("red", "1st Guards", ("Old Guard", "Guards"), "0102"),
    "G2": ("red", "2nd Guards", ("Guards",), "0102"),
    "T-34": ("red", "34th Tank", ("tanks",), "0302"),
    "P1": ("blue", "1st Panzer", ("Old Guard",), "0105"),
    "P2": ("blue", "2nd Panzer", (), "0305"),
    "SG": ("blue", "Storm Group", ("stormers",), "0305"),
}


Flare = Annotated[str, OneOf(("white", "green", "red"))]


class Bid(Order):
    usage = "bid {points}"
    points: Count


class Move(Order):
    usage = "move {unit} {path}"
    also = ("go",)
    unit: UnitName
    path: Hexes


class March(Order):
    usage = "march {paths}"
    paths: Paths


class Dig(Order):
    usage = "dig {unit}"
    unit: UnitName


class Face(Order):
    usage = "face {way}"
    way: HexNumber


class Scout(Order):
    usage = "scout"


class Look(Order):
    usage = "look {at}"
    at: HexNumber


class Attack(Order):
    usage = "attack {target} with {units} [from {where}] [hard]"
    target: HexNumber
    units: Units
    where: HexNumber = ""
    hard: Flag = False

    @property
    def aim(self) -> str:
        return self.target


class Support(Order):
    usage = "support {unit}"
    unit: UnitName


class NoSupport(Order):
    usage = "no support"


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


class Signal(Order):
    usage = "signal {flare}"
    flare: Flare


class End(Order):
    usage = "end"


ORDERS = (Move, March, Dig, Scout, Attack, Signal, End)
BOOK = Book((*ORDERS, Bid, Face, Look, Support, NoSupport, Lose, Retreat, Advance, Stay))


def play(table: Table) -> Procedure:
    """From whatever stage the position is in to the end of the last turn."""
    if not table.position.stage:
        yield from enter(table, "bid", 1)
    while True:
        position = table.position
        if position.stage == "bid":
            yield from _bids(table)
            yield from enter(table, f"{position.mark('game', 'first')}.move", position.turn)
            continue
        side = position.side
        yield from _moves(table, side)
        if side == position.mark("game", "first"):
            yield from enter(table, f"{table.enemy(side)}.move", position.turn)
        elif position.turn < TURNS:
            yield from enter(table, "bid", position.turn + 1)
        else:
            yield f.GameEnded(result="the ford is left to nobody")


def enter(table: Table, stage: str, turn: int) -> Procedure:
    side = stage.partition(".")[0] if "." in stage else ""
    for unit in UNITS:
        if side and table.position.mark(unit, "moved") is not None:
            yield f.Marked(subject=unit, mark="moved", value=None)
    yield f.StageBegan(stage=stage, turn=turn, side=side)


# 1.0: both sides bid for the first move; what was bid is known to the bidder only.


def _bids(table: Table) -> Procedure:
    bids = yield Together(tuple(_bid(side) for side in table.game.sides))
    for side, bid in zip(table.game.sides, bids, strict=True):
        yield f.Counted(track=f"{side} bid", value=bid.points, because="1.1", only=(side,))
        die = yield Roll("scouts", stream=f"{side}.scouts", only=(side,))
        yield f.Counted(track=f"{side} scouts", value=die, only=(side,))
        if bid.points == MOST:
            yield f.Told(text="the chest is empty", only=(side,))
    first = "blue" if bids[1].points > bids[0].points else "red"
    yield f.Marked(subject="game", mark="first", value=first, because="1.2")


def _bid(side: str) -> Ask:
    def check(order: Bid) -> None:
        if order.points > MOST:
            raise Illegal("1.1", f"a bid of {order.points} is too high", instead=f"At most {MOST}")

    return Ask(
        side, "bid", "initiative", "bid for the first move", (Bid,), lambda: Bid(points=0),
        lambda so_far: [Option(f"bid {n}") for n in range(MOST + 1)], check,
        case="1.1", top=True, hidden=True,
    )  # fmt: skip


# 2.0: units move, dig in, scout and attack in any order.


def _moves(table: Table, side: str) -> Procedure:
    while True:
        order = yield Ask(
            side, "move", side, "move, dig, scout, attack or end", ORDERS, End,
            lambda so_far: _move_options(table.seen_by(side), side, so_far),
            lambda order: _check(table.seen_by(side), side, order), case="2.0", top=True,
        )  # fmt: skip
        if isinstance(order, End):
            return
        if isinstance(order, Move):
            yield from _walk(table, order.unit, order.path)
        elif isinstance(order, March):
            for unit, path in order.paths:
                yield from _walk(table, unit, path)
        elif isinstance(order, Dig):
            yield from _dig(table, side, order.unit)
        elif isinstance(order, Signal):
            yield f.Told(text=f"{side} sends up a {order.flare} flare")
        elif isinstance(order, Scout):
            yield from _scout(table, side)
        else:
            yield from _attack(table, side, order)


def around(table: Table, number: str) -> list[str]:
    grid = table.grid
    return sorted(grid.number_of(h) for h in grid.neighbours(grid.hex(number)))


def _enemy_in(table: Table, side: str, number: str) -> bool:
    return bool(table.position.held(table.enemy(side)) >> table.grid.hex(number) & 1)


def _open(table: Table, side: str, number: str) -> list[str]:
    return [n for n in around(table, number) if not _enemy_in(table, side, n)]


def _own(table: Table, side: str, unit: str) -> str:
    if table.unit(unit).side != side or not table.grid.has(table.position.where.get(unit, "")):
        raise Illegal("2.0", f"{unit} is not yours to command", unit=unit)
    return table.position.where[unit]


def _check(table: Table, side: str, order: Order) -> None:
    if isinstance(order, Move):
        _check_walk(table, side, order.unit, order.path)
    elif isinstance(order, March):
        for unit, path in order.paths:
            _check_walk(table, side, unit, path)
    elif isinstance(order, Dig):
        _own(table, side, order.unit)
    elif isinstance(order, Attack):
        if not _enemy_in(table, side, order.target):
            raise Illegal("3.1", "nobody is there to attack", at=order.target)
        for unit in order.units:
            if order.target not in around(table, _own(table, side, unit)):
                raise Illegal("3.2", f"{unit} does not stand beside {order.target}", unit=unit)


def _check_walk(table: Table, side: str, unit: str, path: tuple[str, ...]) -> None:
    here = _own(table, side, unit)
    if table.position.mark(unit, "moved") is not None:
        raise Illegal("2.1", f"{unit} has moved already", unit=unit)
    if not 1 <= len(path) <= MOST:
        raise Illegal("2.1", f"{unit} may go 1 to {MOST} hexes, not {len(path)}", unit=unit)
    for there in path:
        if there not in _open(table, side, here):
            raise Illegal("2.2", f"{unit} cannot go on to {there}", unit=unit, alternatives=_open(table, side, here))
        here = there


def _move_options(table: Table, side: str, so_far: str) -> list[Option]:
    mine = list(table.position.on_map(side))
    if so_far:
        unit = so_far.removeprefix("move ")
        return [Option(f"move {unit} {n}") for n in _open(table, side, table.position.where[unit])]
    fresh = [unit for unit in mine if table.position.mark(unit, "moved") is None]
    fights = [
        Option(f"attack {n} with {unit}")
        for unit in mine
        for n in around(table, table.position.where[unit])
        if _enemy_in(table, side, n)
    ]
    more = [Option(f"move {unit}", complete=False, more=True) for unit in fresh]
    return [Option("end"), *more, *(Option(f"dig {unit}") for unit in mine), Option("scout"), *fights]


def _walk(table: Table, unit: str, path: tuple[str, ...]) -> Procedure:
    yield f.Moved(unit=unit, path=(table.position.where[unit], *path), spent=len(path), because="2.1")
    yield f.Marked(subject=unit, mark="moved")


def _dig(table: Table, side: str, unit: str) -> Procedure:
    """2.4: whoever digs in says which way he faces; no die, and nobody else is asked."""
    yield f.Marked(subject=unit, mark="dug")
    ways = around(table, table.position.where[unit])

    def check(order: Face) -> None:
        if order.way not in ways:
            raise Illegal("2.4", f"{order.way} is not beside {unit}", alternatives=ways)

    order = yield Ask(
        side, "face", unit, f"which way does {unit} face", (Face,), lambda: Face(way=ways[0]),
        lambda so_far: [Option(f"face {n}") for n in ways], check, case="2.4", units=(unit,),
    )  # fmt: skip
    yield f.Marked(subject=unit, mark="faces", value=order.way)


def _scout(table: Table, side: str) -> Procedure:
    """2.3: that somebody scouts is seen; where, he alone knows."""
    numbers = [table.grid.number_of(h) for h in hexset.members(table.grid.everything)]
    order = yield Ask(
        side, "look", side, "where do your scouts look", (Look,), lambda: Look(at=numbers[0]),
        lambda so_far: [Option(f"look {n}") for n in numbers], case="2.3", hidden=True,
    )  # fmt: skip
    yield f.Marked(subject=f"@{order.at}", mark="scouted", value=1, because="2.3", only=(side,))


# 3.0: attacks.


def _attack(table: Table, side: str, attack: Attack) -> Procedure:
    enemy = table.enemy(side)
    defenders = table.position.at(table.grid.hex(attack.target))
    support = yield _support(table, enemy, attack, defenders)
    if isinstance(support, Support):
        yield f.Marked(subject=support.unit, mark="supported")
    die = yield Roll(f"attack on {attack.target}")
    die = min(6, die + 1) if attack.hard else die
    result = "A" if die <= 2 else "-" if die <= 4 else "D"
    yield f.Fought(
        kind="attack", attackers=attack.units, defenders=defenders, targets=(attack.target,), column="1-1",
        die=die, result=result, working=(("the die", str(die)),), because="3.3",
    )  # fmt: skip
    if result == "A":
        lost = yield _loss(table, side, attack.target, attack.units, retreats=False)
        yield from _take_loss(table, lost)
    elif result == "D":
        lost = yield _loss(table, enemy, attack.target, defenders, retreats=True)
        yield from _take_loss(table, lost)
        if not table.position.at(table.grid.hex(attack.target)):
            yield from _advance(table, side, attack)


def _support(table: Table, side: str, attack: Attack, defenders: tuple[str, ...]) -> Ask:
    """3.4: a unit beside the hex may help; asked whether there is one or not."""
    near = [u for u in table.position.on_map(side) if attack.target in around(table, table.position.where[u])]

    def check(order: Order) -> None:
        if isinstance(order, Support) and order.unit not in near:
            raise Illegal("3.4", f"{order.unit} cannot support {attack.target}", alternatives=near)

    choices = [Option("no support"), *(Option(f"support {unit}") for unit in near)]
    return Ask(
        side, "support", attack.target, f"who supports {attack.target}", (Support, NoSupport), NoSupport,
        lambda so_far: choices, check, case="3.4", reaction=True, units=defenders,
    )  # fmt: skip


def _loss(table: Table, side: str, at: str, units: tuple[str, ...], *, retreats: bool) -> Ask:
    ways = {unit: _open(table, side, table.position.where[unit]) if retreats else [] for unit in units}

    def check(order: Lose | Retreat) -> None:
        if order.unit not in units:
            raise Illegal("3.5", f"{order.unit} did not fight", unit=order.unit, alternatives=units)
        if isinstance(order, Retreat) and order.to not in ways[order.unit]:
            raise Illegal("3.6", f"{order.unit} cannot retreat to {order.to}", alternatives=ways[order.unit])

    choices = [Option(f"lose {u}") for u in units]
    choices += [Option(f"retreat {u} {n}") for u in units for n in ways[u]]
    return Ask(
        side, "loss", at, f"lose a step or retreat at {at}", (Lose, Retreat), lambda: Lose(unit=units[0]),
        lambda so_far: choices, check, case="3.5", units=units,
    )  # fmt: skip


def _take_loss(table: Table, lost: Lose | Retreat) -> Procedure:
    here = table.position.where[lost.unit]
    if isinstance(lost, Retreat):
        yield f.Moved(unit=lost.unit, path=(here, lost.to), how="retreat", because="3.6")
    elif table.position.steps_left(lost.unit) > 1:
        yield f.StepLost(unit=lost.unit, because="3.5")
    else:
        yield f.Eliminated(unit=lost.unit, at=here, because="3.5")


def _advance(table: Table, side: str, attack: Attack) -> Procedure:
    able = [unit for unit in attack.units if table.position.alive(unit)]

    def check(order: Order) -> None:
        if isinstance(order, Advance) and order.unit not in able:
            raise Illegal("3.7", f"{order.unit} did not win here", alternatives=able)

    choices = [Option("stay"), *(Option(f"advance {unit}") for unit in able)]
    answer = yield Ask(
        side, "advance", attack.target, f"who advances into {attack.target}", (Advance, Stay), Stay,
        lambda so_far: choices, check, case="3.7", passable=True, units=tuple(able),
    )  # fmt: skip
    if isinstance(answer, Advance):
        here = table.position.where[answer.unit]
        yield f.Moved(unit=answer.unit, path=(here, attack.target), how="advance", because="3.7")


# The game put together.


def opening(game: Game) -> list[f.Fact]:
    return [f.Placed(unit=unit, at=game.options.get(unit, at)) for unit, (_, _, _, at) in UNITS.items()]


def toy(rulebook: str = "toy", scenario: str = "ford", options: Mapping[str, Any] | None = None) -> Game:
    """The game; an option with a unit's name puts it elsewhere."""
    grid = Grid((1, 6), (1, 6))
    steps = ({"attack": 2}, {"attack": 1})
    units = [Unit(u, side, "unit", "XX", name, steps, nicknames=also) for u, (side, name, also, _) in UNITS.items()]
    ford = grid.hex("0203")
    board = Board(
        title="The ford", credits="", grid=grid, legend={}, land=grid.everything,
        terrain={"clear": grid.everything}, kinds={}, places={ford: Place("Gniloy Tikich", "village", ford)},
        towns={}, sides={}, ways={}, areas={}, lines={}, edges={}, courses=(), routes=(),
    )  # fmt: skip
    return Game(
        rulebook=rulebook, title="The ford", version="1", scenario=scenario, options=dict(options or {}),
        setting=Setting(grid, Roster(units), ("red", "blue")), board=board, book=BOOK, data=None,
        opening=opening, play=play, enter=enter, forecast=_no_forecast,
        appraise=lambda table, ask, order: 0.0, faults=lambda table: [],
    )  # fmt: skip


def _no_forecast(table: Table, side: str, order: Order) -> Forecast:
    raise Illegal("3.0", "nothing can be forecast here")
