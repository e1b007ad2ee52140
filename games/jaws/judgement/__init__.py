"""What a sensible player makes of an order; whatever is not judged here is answered by the ask's own default."""

from engine.asks import Ask
from engine.orders.order import Order
from games.jaws.data import Table
from games.jaws.judgement import fighting, pocket, staff, works
from games.jaws.judgement.advice import advise
from games.jaws.judgement.moving import better, moved
from games.jaws.orders import breakout, combat, engineering, events, movement, reserves, supply

__all__ = ["advise", "appraise"]

STEP_FORWARD = 0.2  # a unit in a hex that the enemy has left


def appraise(table: Table, ask: Ask, order: Order) -> float:
    """How good an answer looks; 0 is as good as doing nothing."""
    match order:
        case movement.Move():
            return moved(table, ask.side, order.units, table.grid.hex(order.to))
        case combat.Exploit():
            return 0.3 + sum(better(table, unit, table.grid.hex(order.to)) for unit in order.units)
        case combat.Declare():
            return fighting.declared_worth(table, ask.side, order)
        case combat.Attack():
            return fighting.attack_worth(table, ask.side, order)
        case combat.Advance():
            return sum(STEP_FORWARD + better(table, unit, table.grid.hex(way[-1])) for unit, way in order.paths if way)
        case combat.Cas():
            return fighting.cas_worth(table, ask.side, order)
        case supply.Sdm():
            return staff.depots(table, ask.side, order)
        case reserves.PullBack():
            return better(table, order.unit, table.grid.hex(order.to))
        case events.Barrage():
            return fighting.barrage_worth(table, ask.side, order)
        case movement.Blow():
            return 1.0 if ask.name == "bridge" else 0.0  # in his own phase nobody is at it
        case breakout.DeclareBreakout():
            return pocket.breakout_worth(table) if pocket.shut(table) and pocket.cut_off(table) else 0.0
        case breakout.Wanda():
            return pocket.wanda_worth(table)
        case breakout.Consolidate():
            return pocket.merged_worth(table, order)
        case breakout.Shift():
            return pocket.shift_worth(table, order)
        case engineering.Fortify() | engineering.Mine():
            return works.fieldwork(table, ask.side, order.unit)
        case engineering.Repair() | engineering.Mend() | supply.KorsunIsolated():
            return 1.0
    return staff.worth(order)
