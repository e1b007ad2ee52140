"""What a sensible player makes of an order; whatever is not judged here is answered by the ask's own default."""

from engine.asks import Ask
from engine.orders.order import Order
from games.jaws import orders as o
from games.jaws.data import Table
from games.jaws.judgement import fighting, staff
from games.jaws.judgement.moving import better, moved

STEP_FORWARD = 0.2  # a unit in a hex that the enemy has left


def appraise(table: Table, ask: Ask, order: Order) -> float:
    """How good an answer looks; 0 is as good as doing nothing."""
    match order:
        case o.Move():
            return moved(table, ask.side, order.units, table.grid.hex(order.to))
        case o.Exploit():
            return 0.3 + sum(better(table, unit, table.grid.hex(order.to)) for unit in order.units)
        case o.Declare():
            return fighting.declared_worth(table, ask.side, order)
        case o.Attack():
            return fighting.attack_worth(table, ask.side, order)
        case o.Advance():
            return sum(STEP_FORWARD + better(table, unit, table.grid.hex(way[-1])) for unit, way in order.paths if way)
        case o.Cas():
            return fighting.cas_worth(table, ask.side, order)
        case o.Sdm():
            return staff.depots(table, ask.side, order)
        case o.Enter() | o.Extend() | o.Blow() | o.Resupply():
            return 1.0
    return 0.0
