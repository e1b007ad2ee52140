"""2.0: units move, dig in, scout and attack in any order."""

from __future__ import annotations

from engine import facts as f
from engine import hexset
from engine.asks import Ask, Procedure
from engine.orders.choice import Choice, pick, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.table import Table
from tests.engine.toy.attacking import attack
from tests.engine.toy.ground import around, commanded, enemy_in, open_from
from tests.engine.toy.orders import ORDERS, Attack, Dig, End, Face, Look, March, Move, Scout, Signal

MOST = 3  # hexes


def moves(table: Table, side: str) -> Procedure:
    while True:
        order = yield Ask(
            side, "move", side, "move, dig, scout, attack or end", ORDERS, End,
            lambda: _choices(table.seen_by(side), side),
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
            yield from attack(table, side, order)


def _check(table: Table, side: str, order: Order) -> None:
    if isinstance(order, Move):
        _check_walk(table, side, order.unit, order.path)
    elif isinstance(order, March):
        for unit, path in order.paths:
            _check_walk(table, side, unit, path)
    elif isinstance(order, Dig):
        commanded(table, side, order.unit)
    elif isinstance(order, Attack):
        if not enemy_in(table, side, order.target):
            raise Illegal("3.1", "nobody is there to attack", at=order.target)
        for unit in order.units:
            if order.target not in around(table, commanded(table, side, unit)):
                raise Illegal("3.2", f"{unit} does not stand beside {order.target}", unit=unit)


def _check_walk(table: Table, side: str, unit: str, path: tuple[str, ...]) -> None:
    here = commanded(table, side, unit)
    if table.position.mark(unit, "moved") is not None:
        raise Illegal("2.1", f"{unit} has moved already", unit=unit)
    if not 1 <= len(path) <= MOST:
        raise Illegal("2.1", f"{unit} may go 1 to {MOST} hexes, not {len(path)}", unit=unit)
    for there in path:
        if there not in open_from(table, side, here):
            raise Illegal(
                "2.2", f"{unit} cannot go on to {there}", unit=unit, alternatives=open_from(table, side, here)
            )
        here = there


def _choices(table: Table, side: str) -> list[Choice]:
    mine = list(table.position.on_map(side))
    fights = [
        whole(Attack(target=n, units=(unit,)))
        for unit in mine
        for n in around(table, table.position.where[unit])
        if enemy_in(table, side, n)
    ]
    steps = [_steps(table, side, unit) for unit in mine if table.position.mark(unit, "moved") is None]
    return [Choice(End), *steps, *(whole(Dig(unit=unit)) for unit in mine), Choice(Scout), *fights]


def _steps(table: Table, side: str, unit: str) -> Choice:
    return pick(Move, "path", lambda: open_from(table, side, table.position.where[unit]), unit=unit)


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
        lambda: [pick(Face, "way", lambda: ways)], check, case="2.4", units=(unit,),
    )  # fmt: skip
    yield f.Marked(subject=unit, mark="faces", value=order.way)


def _scout(table: Table, side: str) -> Procedure:
    """2.3: that somebody scouts is seen; where, he alone knows."""
    numbers = [table.grid.number_of(h) for h in hexset.members(table.grid.everything)]
    order = yield Ask(
        side, "look", side, "where do your scouts look", (Look,), lambda: Look(at=numbers[0]),
        lambda: [pick(Look, "at", lambda: numbers)], case="2.3", hidden=True,
    )  # fmt: skip
    yield f.Marked(subject=f"@{order.at}", mark="scouted", value=1, because="2.3", only=(side,))
