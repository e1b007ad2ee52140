"""An order too long for a line of a mail, in several lines that are read as one answer."""

from collections.abc import Iterator

from engine.asks import Ask, apart
from engine.orders.order import Order

WIDTH = 66  # what a mail reader shows of a fixed-width line without breaking it


def in_lines(ask: Ask, order: Order) -> list[str]:
    """The order as it is written; where the ask joins lines and it is too long for one, in as few as it needs."""
    line = order.line()
    if len(line) < WIDTH or ask.join is apart:
        return [line]
    for name, field in order.shape.fields.items():
        if field.plural and len(getattr(order, name)) > 1:
            parts = list(_parts(order, name))
            if _joined(ask, parts) == order:
                return [part.line() for part in parts]
    return [line]


def _joined(ask: Ask, parts: list[Order]) -> Order | None:
    """What the lines come to when they are read."""
    whole: Order | None = parts[0]
    for part in parts[1:]:
        whole = ask.join(whole, part)
    return whole


def _parts(order: Order, name: str) -> Iterator[Order]:
    """The order cut by the values of a field, each part as long as fits."""
    part: Order | None = None
    for value in getattr(order, name):
        longer = order.model_copy(update={name: (*(getattr(part, name) if part else ()), value)})
        if part is not None and len(longer.line()) >= WIDTH:
            yield part
            longer = order.model_copy(update={name: (value,)})
        part = longer
    if part is not None:
        yield part
