"""What a sensible player makes of an order; whatever is not judged here is answered by the ask's own default."""

from engine.asks import Ask
from engine.orders.order import Order
from games.jaws.data import Table
from games.jaws.orders import Blow, Enter, Extend


def appraise(table: Table, ask: Ask, order: Order) -> float:
    """How good an answer looks; 0 is as good as doing nothing."""
    if isinstance(order, Enter | Extend | Blow):
        return 1.0
    return 0.0
