"""What a sensible player makes of an order."""

from engine.asks import Ask
from engine.orders.order import Order
from games.manstein import orders as o
from games.manstein.data import Table
from games.manstein.judgement import fighting, fuhrer, staff
from games.manstein.judgement.moving import better

EFFORT = 0.1  # a move must better a stand by more than this
RELOCATION = 3.0  # what a relocation by choice costs


def appraise(table: Table, ask: Ask, order: Order) -> float:
    """How good an answer looks; 0 is as good as doing nothing."""
    match order:
        case o.Move() | o.Strat():
            to = table.grid.hex(order.to)
            return sum(better(table, unit, to) for unit in order.units) - EFFORT
        case o.Attack():
            return fighting.attack(table, ask.side, order)
        case o.Lose():
            return fighting.lose(table, order)
        case o.Retreat():
            return fighting.fall_back(table, order)
        case o.Advance():
            return fighting.advance(table, order)
        case o.Air():
            return fighting.defensive_air(table, ask, order)
        case o.Relocate():
            gain = better(table, order.hq, table.grid.hex(order.to))
            return gain - RELOCATION if ask.top else 100.0 + gain
        case o.Mode():
            return fighting.mode(table, ask.side, order)
        case o.Drop():
            return staff.drop(table, table.grid.hex(order.at))
        case o.Convert() | o.Bid():
            return 1.0
    return _staff(table, ask, order)


def _staff(table: Table, ask: Ask, order: Order) -> float:
    """Chits, commands, purchases."""
    match order:
        case o.Select():
            return staff.selection(table, ask.side, order)
        case o.EnterChits():
            return staff.enter(table, order)
        case o.Interrupt():
            return staff.interrupt(table)
        case o.Activate():
            return staff.activate(table, order)
        case o.Direct():
            return staff.direct(table, order)
        case o.Negotiate():
            return fuhrer.negotiate(table)
        case o.CancelOrder():
            return fuhrer.lift(table, order)
        case o.Buy():
            return fuhrer.buy(table, order)
        case o.Place():
            return staff.deploy(table, order)
    return 0.0
