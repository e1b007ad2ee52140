"""What a sensible player makes of an order."""

from engine.asks import Ask
from engine.orders.order import Order
from games.kharkov.data import Table


def appraise(table: Table, ask: Ask, order: Order) -> float:
    return 0.0
