"""The order that closes a stage (3.2)."""

from engine.orders import usual
from engine.orders.order import Order


class End(usual.End):
    about = "Close this stage."


ORDERS: tuple[type[Order], ...] = (End,)
