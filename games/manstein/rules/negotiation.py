"""Negotiation with the Fuhrer (7.3(1)): points by T3, spent at the prices of T1."""

from collections.abc import Iterator
from functools import partial

from engine.asks import Ask, Procedure
from engine.facts import Fact, Marked, Noted, Placed, Told
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import numbers
from games.manstein.data import HALF, Table
from games.manstein.orders import Buy, CancelOrder, End
from games.manstein.rules.crossings import ORDER, counted_points, entered, under_order
from games.manstein.rules.ground import AXIS
from games.manstein.rules.reinforcements import check_place, open_rails

POINTS = "negotiation"  # half points left


def begin(table: Table) -> Iterator[Fact]:
    """T3: the points, noted in halves and told as they are printed."""
    points = table.data.by_cp("negotiation", "points", counted_points(table))
    yield Noted(subject="game", mark=POINTS, value=int(points * HALF), because="T3")
    yield Told(text=f"The Fuhrer grants {points:g} negotiation points.", because="T3")


def left(table: Table) -> int:
    return int(table.position.mark("game", POINTS) or 0)


def _spend(table: Table, price: str, on: str) -> Iterator[Fact]:
    now = left(table) - table.data.prices[price]
    yield Noted(subject="game", mark=POINTS, value=now or None, because="T1")
    yield Told(text=f"{on}; {now / HALF:g} negotiation points are left.", because="T1")


def negotiate(table: Table) -> Procedure:
    """12.3, 16.2(2): bought and placed at once; what is left over is lost."""
    while True:
        order = yield _ask(table)
        if isinstance(order, End):
            break
        if isinstance(order, CancelOrder):
            yield from _spend(table, "cancel", f"The order of {order.city} is lifted")
            yield Marked(subject=f"@{order.city}", mark=ORDER, value=None, because="16.2(2)")
        else:
            assert isinstance(order, Buy)
            yield from _spend(table, table.position.where[order.unit], f"{order.unit} is bought")
            yield Placed(unit=order.unit, at=order.at, because="12.3")
            yield from entered(table, order.unit, [table.grid.hex(order.at)])
    if left(table):
        yield Noted(subject="game", mark=POINTS, value=None, because="7.3(1)")


def for_sale(table: Table) -> list[str]:
    """12.3: the units in the pools that the points left would buy."""
    pools = table.data.tables["reinforcements"]["pools"]["codes"]
    found = []
    for unit in table.roster.by_side(AXIS):
        where = table.position.where.get(unit.id, "")
        if where in pools and table.data.prices[where] <= left(table):
            found.append(unit.id)
    return found


def ordered_cities(table: Table) -> list[str]:
    """The cities under an Absolute Order."""
    return [spot for spot in numbers(table, table.data.cities) if under_order(table, table.grid.hex(spot))]


def _check(table: Table, order: Order) -> None:
    if isinstance(order, CancelOrder):
        if order.city not in ordered_cities(table):
            raise Illegal("16.2(2)", f"no Absolute Order stands in {order.city}", at=order.city, instead="Cities with",
                          alternatives=ordered_cities(table))  # fmt: skip
        _check_price(table, "cancel", order.city)
    elif isinstance(order, Buy):
        where = table.position.where.get(order.unit, "")
        if where not in table.data.tables["reinforcements"]["pools"]["codes"]:
            raise Illegal("12.3", f"{order.unit} is in no pool", unit=order.unit, instead="For sale",
                          alternatives=for_sale(table) or ("nothing",))  # fmt: skip
        _check_price(table, where, order.unit)
        check_place(table, AXIS, [order.unit], order.at)


def _check_price(table: Table, what: str, named: str) -> None:
    if table.data.prices[what] > left(table):
        cost, have = table.data.prices[what] / HALF, left(table) / HALF
        raise Illegal("T1", f"{named} costs {cost:g} points and you have {have:g}", instead="These can be paid for",
                      alternatives=[*for_sale(table), "end"])  # fmt: skip


def _ask(table: Table) -> Ask:
    seen = table.seen_by(AXIS)
    return Ask(
        side=AXIS,
        name="negotiation",
        subject=AXIS,
        prompt=f"{left(table) / HALF:g} negotiation points: buy units, lift Absolute Orders; `end` gives up the rest",
        verbs=(Buy, CancelOrder, End),
        check=partial(_check, seen),
        offers=partial(_choices, seen),
        default=End,
        case="7.3(1)",
        top=True,
    )


def _choices(table: Table) -> list[Choice]:
    found = [pick(Buy, "at", partial(open_rails, table, AXIS, unit), unit=unit)
             for unit in for_sale(table) if open_rails(table, AXIS, unit)]  # fmt: skip
    if table.data.prices["cancel"] <= left(table):
        found += [Choice(CancelOrder, {"city": city}) for city in ordered_cities(table)]
    return [*found, Choice(End)]
