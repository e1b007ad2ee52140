"""What the options add to the German Engineering Phase: strong bridges (18.3.1), an airfield (18.8), a depot (18.9)."""

from collections.abc import Iterator

from engine.facts import Fact
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from games.jaws.data import GERMAN, Table
from games.jaws.orders.engineering import Improve
from games.jaws.orders.optional import LayOut, SetUp
from games.jaws.rules import collapse, second_airfield, second_depot

OPTIONAL = (Improve, LayOut, SetUp)


def verbs(table: Table, side: str) -> tuple[type[Order], ...]:
    """The orders of the options that are played with."""
    on = table.data.switch
    rows = ((Improve, on["bridge_collapse"]), (LayOut, on["second_airfield"]), (SetUp, on["second_depot"]))
    return tuple(verb for verb, played in rows if played and side == GERMAN)


def check(table: Table, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, Improve):
        collapse.check_improve(table, order)
    elif isinstance(order, LayOut):
        second_airfield.check_lay_out(table, order)
    elif isinstance(order, SetUp):
        second_depot.check_set_up(table, order)


def done(table: Table, order: Order) -> Iterator[Fact]:
    if isinstance(order, Improve):
        yield from collapse.improve(table, order)
    elif isinstance(order, LayOut):
        yield from second_airfield.lay_out(table, order)
    elif isinstance(order, SetUp):
        yield from second_depot.set_up(table, order)


def choices(table: Table) -> Iterator[Choice]:
    """What may be ordered now."""
    yield from collapse.improvements(table)
    yield from map(whole, second_airfield.layouts(table))
    yield from map(whole, second_depot.setups(table))
