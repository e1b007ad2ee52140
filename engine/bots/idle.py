"""A player who never writes: every question is answered as it is for whoever lets his time run out."""

from engine.asks import Ask
from engine.orders.order import Order
from engine.table import Table


class Idle:
    """Gives every default; a partner to try things out against."""

    def __init__(self, seed: int = 0) -> None:
        del seed  # nothing is left to chance

    def answer(self, table: Table, ask: Ask) -> Order:
        return ask.default()
