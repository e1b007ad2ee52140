"""What a sensible player makes of an order: good odds, a whole line, supply."""

from engine.asks import Ask
from engine.orders.order import Order
from games.korsun_spi import orders
from games.korsun_spi.data import Table
from games.korsun_spi.judgement import fighting, staff
from games.korsun_spi.judgement.moving import better

EFFORT = 0.15  # a move must better a stand by more than this
LEAVING = 0.6  # and out of an enemy zone by more than this
PURSUIT = 0.2  # what following a beaten enemy is worth by itself


def appraise(table: Table, ask: Ask, order: Order) -> float:
    """How good an answer looks; 0 is as good as doing nothing."""
    match order:
        case orders.Move() | orders.Rail():
            return _moved(table, order.units, order.to) - EFFORT
        case orders.Delay() | orders.Disengage():
            return _moved(table, order.units, order.to) - LEAVING
        case orders.Enter():
            return 100.0 + _moved(table, order.units, order.at)
        case orders.Overrun():
            return fighting.overrun(table, ask.side, order)
        case orders.Attack():
            return fighting.attack(table, ask.side, order)
        case orders.Lose():
            return fighting.lose(table, order)
        case orders.Retreat():
            return fighting.fall_back(table, ask, order)
        case orders.Advance():
            return _advanced(table, order) + PURSUIT
        case orders.Air():
            return fighting.defensive_air(table, ask)
        case orders.Activate():
            return staff.activate(table, order)
        case orders.Unsupport():
            return staff.unsupport(table, order)
        case orders.AirSupply():
            return staff.air_supply(table, order)
        case orders.Historical():
            return 1.0 if ask.default() == order else 0.0
    return 0.0


def _moved(table: Table, units: tuple[str, ...], to: str) -> float:
    return better(table, units, table.grid.hex(to))


def _advanced(table: Table, order: orders.Advance) -> float:
    """Each unit by the hex it ends in, with those that end there too."""
    ends: dict[str, list[str]] = {}
    for unit, way in order.paths:
        if way:
            ends.setdefault(way[-1], []).append(unit)
    return sum(better(table, units, table.grid.hex(h)) for h, units in ends.items())
