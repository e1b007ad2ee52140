"""What the options add to the Movement Segments: trucks (18.5), fords (18.6), partisans that go home (18.1.5)."""

from collections.abc import Iterator

from engine.asks import Procedure
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.rules.ground import place
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.optional import Ford, Home, Truck
from games.jaws.rules import fords, partisans, trucks
from games.jaws.rules.allowance import TRUCK
from games.jaws.rules.march import arrived

OPTIONAL = (Ford, Home, Truck)
MARKS = (TRUCK, trucks.LENT)  # what a Movement Phase leaves nothing of


def verbs(table: Table, side: str) -> tuple[type[Order], ...]:
    """The orders of the options that are played with."""
    on = table.data.switch
    rows = ((Ford, on["fords"]), (Home, on["partisans"] and side == SOVIET), (Truck, on["trucks"] and side == GERMAN))
    return tuple(verb for verb, played in rows if played)


def check(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, Ford):
        fords.check_look(table, side, order)
    elif isinstance(order, Home):
        partisans.check_home(table, order)
    elif isinstance(order, Truck):
        trucks.check_truck(table, order)


def done(table: Table, side: str, order: Order) -> Procedure:
    if isinstance(order, Ford):
        yield from fords.look(table, side, order)
    elif isinstance(order, Home):
        yield from partisans.go_home(table, order)
        yield from arrived(table, side, place(table, order.unit))  # 13.2.4, 15.2.1-1: it is a move
    elif isinstance(order, Truck):
        yield from trucks.load(table, order)


def choices(table: Table, side: str) -> Iterator[Choice]:
    """What may be ordered now."""
    yield from map(whole, fords.looks(table, side))
    yield from map(whole, partisans.homecomings(table) if side == SOVIET else trucks.loads(table))
