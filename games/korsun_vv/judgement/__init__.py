"""What a sensible player makes of an order."""

from engine.asks import Ask
from engine.orders.order import Order
from engine.rules.ground import held, place
from games.korsun_vv import orders
from games.korsun_vv.data import Table
from games.korsun_vv.judgement import fighting, staff
from games.korsun_vv.judgement.moving import better
from games.korsun_vv.judgement.worth import threat
from games.korsun_vv.names import GERMAN
from games.korsun_vv.rules.points import allotment, left

EFFORT = 0.1  # a move must better a stand by more than this


def appraise(table: Table, ask: Ask, order: Order) -> float:
    """How good an answer looks; 0 is as good as doing nothing."""
    match order:
        case orders.Move():
            to = table.grid.hex(order.to)
            return sum(better(table, unit, to) for unit in order.units) - EFFORT
        case orders.Attack():
            return fighting.attack(table, ask.side, order)
        case orders.Hold():
            return fighting.hold(table, order)
        case orders.Retreat():
            return fighting.fall_back(table, ask, order)
        case orders.Advance():
            return fighting.advance(table, order)
        case orders.Defend():
            return fighting.defend(table, ask, order)
        case orders.DigIn():
            return sum(_dig_in(table, unit) for unit in order.units)
        case orders.Enter():
            return 5.0 + sum(better(table, unit, table.grid.hex(order.at)) for unit in order.units) / 10
        case orders.Activate():
            return staff.activate(table, order)
        case orders.General():
            return staff.general(table, order)
        case orders.Allot():
            return staff.allot(table, order)
        case orders.Replace():
            return staff.replace(table, order)
        case orders.Place():
            return staff.deploy(table, order)
        case orders.Alarm():
            return staff.alarm(table, order)
        case orders.Recover() | orders.Refit() | orders.Attach() | orders.Lose():
            return 1.0
    return 0.0


def _dig_in(table: Table, unit: str) -> float:
    """Near the enemy, once there is nothing else to do."""
    side, h = table.unit(unit).side, place(table, unit)
    if threat(table, side).get(h, 0.0) <= 0.0 or held(table, table.enemy(side)) >> h & 1:
        return 0.0
    return 0.2 if side == GERMAN or left(table, unit) < allotment(table, unit) else 0.0
