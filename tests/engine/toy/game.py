"""The sequence of play at the ford, and the game put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import facts as f
from engine.asks import Ask, Procedure, Roll, Together
from engine.board import Board, NamedPlace
from engine.forecast import Forecast
from engine.game import Game
from engine.hexes import Grid
from engine.orders.choice import pick
from engine.orders.order import Order
from engine.pieces import Roster, Unit
from engine.position import Setting
from engine.refusals import Illegal
from engine.table import Table
from tests.engine.toy.moving import moves
from tests.engine.toy.orders import BOOK, Bid

TURNS = 2
MOST = 3  # points to bid

UNITS = {
    "G1": ("red", "1st Guards", ("Old Guard", "Guards"), "0102"),
    "G2": ("red", "2nd Guards", ("Guards",), "0102"),
    "T-34": ("red", "34th Tank", ("tanks",), "0302"),
    "P1": ("blue", "1st Panzer", ("Old Guard",), "0105"),
    "P2": ("blue", "2nd Panzer", (), "0305"),
    "SG": ("blue", "Storm Group", ("stormers",), "0305"),
}


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
        yield from moves(table, side)
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
        lambda: [pick(Bid, "points", lambda: range(MOST + 1))], check,
        case="1.1", top=True, hidden=True,
    )  # fmt: skip


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
        terrain={"clear": grid.everything}, kinds={}, places={ford: NamedPlace("Gniloy Tikich", "village", ford)},
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
