"""What a sensible player makes of an order."""

from __future__ import annotations

from engine.asks import Ask
from engine.orders.order import Order
from engine.table import Table
from games.manstein.judgement import fighting, fuhrer, staff
from games.manstein.judgement.moving import better
from games.manstein.orders import (
    Activate,
    Advance,
    Air,
    Attack,
    Bid,
    Buy,
    CancelOrder,
    Convert,
    Direct,
    Drop,
    EnterChits,
    Interrupt,
    Lose,
    Mode,
    Move,
    Negotiate,
    Place,
    Relocate,
    Retreat,
    Select,
    Strat,
)

EFFORT = 0.1  # a move must better a stand by more than this
RELOCATION = 3.0  # what a relocation by choice costs


def appraise(table: Table, ask: Ask, order: Order) -> float:
    """How good an answer looks; 0 is as good as doing nothing."""
    match order:
        case Move() | Strat():
            to = table.grid.hex(order.to)
            return sum(better(table, unit, to) for unit in order.units) - EFFORT
        case Attack():
            return fighting.attack(table, ask.side, order)
        case Lose():
            return fighting.lose(table, order)
        case Retreat():
            return fighting.fall_back(table, order)
        case Advance():
            return fighting.advance(table, order)
        case Air():
            return fighting.defensive_air(table, ask, order)
        case Relocate():
            gain = better(table, order.hq, table.grid.hex(order.to))
            return gain - RELOCATION if ask.top else 100.0 + gain
        case Mode():
            return fighting.mode(table, ask.side, order)
        case Drop():
            return staff.drop(table, table.grid.hex(order.at))
        case Convert() | Bid():
            return 1.0
    return _staff(table, ask, order)


def _staff(table: Table, ask: Ask, order: Order) -> float:
    """Chits, commands, purchases."""
    match order:
        case Select():
            return staff.selection(table, ask.side, order)
        case EnterChits():
            return staff.enter(table, order)
        case Interrupt():
            return staff.interrupt(table)
        case Activate():
            return staff.activate(table, order)
        case Direct():
            return staff.direct(table, order)
        case Negotiate():
            return fuhrer.negotiate(table)
        case CancelOrder():
            return fuhrer.lift(table, order)
        case Buy():
            return fuhrer.buy(table, order)
        case Place():
            return staff.deploy(table, order)
    return 0.0
