"""What a sensible player makes of an order; whatever is not judged here is answered by the ask's own default."""

from engine.asks import Ask
from engine.orders.order import Order
from games.jaws.data import Table
from games.jaws.judgement.fighting import attack_worth, declared_worth
from games.jaws.orders.combat import Advance, Attack, Declare
from games.jaws.orders.movement import Blow, Enter
from games.jaws.orders.supply import Extend, Resupply

STEP_FORWARD = 0.2  # a unit in a hex that the enemy has left


def appraise(table: Table, ask: Ask, order: Order) -> float:
    """How good an answer looks; 0 is as good as doing nothing."""
    if isinstance(order, Enter | Extend | Blow | Resupply):
        return 1.0
    if isinstance(order, Declare):
        return declared_worth(table, ask.side, order)
    if isinstance(order, Attack):
        return attack_worth(table, ask.side, order)
    if isinstance(order, Advance):
        return STEP_FORWARD * len(order.paths)
    return 0.0
