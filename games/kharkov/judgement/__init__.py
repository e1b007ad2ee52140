"""What a sensible player makes of an order; whatever is not judged here is answered by the ask's own default."""

from engine.asks import Ask
from engine.orders.order import Order
from games.kharkov import orders as o
from games.kharkov.data import Table
from games.kharkov.judgement import fighting, staff
from games.kharkov.judgement.outlook import better, worth


def appraise(table: Table, ask: Ask, order: Order) -> float:
    """How good an answer looks; 0 is as good as doing nothing."""
    match order:
        case o.Move() | o.Strat():
            to = table.grid.hex(order.to)
            return sum(better(table, unit, to) for unit in order.units)
        case o.Attack():
            return fighting.attack(table, order)
        case o.Defend():
            return fighting.defend(table, ask, order)
        case o.Stand() if ask.name == "hits":
            return fighting.stand(table, ask)
        case o.Retreat():
            return fighting.retreat(table, ask, order)
        case o.Pull():
            return fighting.draw(table, ask, order)
        case o.Advance():
            return fighting.advance(table, order)
        case o.Place():
            return 30.0 + sum(worth(table, unit, table.grid.hex(order.at)) for unit in order.units)
        case o.Dig():
            return float(len(order.at))
    return staff.command(table, order)
