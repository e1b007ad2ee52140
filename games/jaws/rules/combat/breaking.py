"""German regiments that break down before they retreat (4.6-6, 12.13.3-a): the owner's choice, regiment by regiment."""

from collections.abc import Generator, Sequence
from functools import partial
from typing import Any

from engine.asks import Ask, Step
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, place
from games.jaws.data import GERMAN, Table
from games.jaws.orders.forming import BreakDown, StayWhole
from games.jaws.rules.breakdown import break_down, check_breakdown, may_break_in_retreat, other_ways
from games.jaws.rules.parts import on_map_as

MORE = 2  # ways to break down that are offered besides the usual one


def before_retreat(table: Table, units: Sequence[str], *, active: bool) -> Generator[Step, Any, tuple[str, ...]]:
    """12.1.3-D2c: after losses and disorganization, before anybody goes; gives who goes."""
    found: list[str] = []
    for unit in units:
        if may_break_in_retreat(table, unit):
            order = yield _ask(table, unit, active=active)
            if isinstance(order, BreakDown):
                yield from break_down(table, _of(order, unit))
        found += on_map_as(table, unit)
    return tuple(found)


def _of(order: BreakDown, unit: str) -> BreakDown:
    """The order with the unit that is asked about."""
    return order if order.unit else order.model_copy(update={"unit": unit})


def _check(table: Table, unit: str, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, BreakDown):
        if order.unit not in ("", unit):
            raise Illegal("4.6-6", f"{order.unit} is not asked about now", unit=order.unit, instead=f"Say {unit}")
        check_breakdown(table, GERMAN, _of(order, unit))


def _ask(table: Table, unit: str, *, active: bool) -> Ask:
    seen, steps = table.seen_by(GERMAN), table.position.steps_left(unit)
    ways = [BreakDown(unit=unit), *other_ways(seen, GERMAN, unit, MORE)]
    return Ask(
        side=GERMAN,
        name="breakdown",
        subject=number(table, place(table, unit)),
        prompt=f"{unit} retreats: may it break down first",
        verbs=(BreakDown, StayWhole),
        check=partial(_check, seen, unit),
        offers=lambda: [Choice(StayWhole), *map(whole, ways)],
        default=StayWhole,
        case="4.6-6",
        passable=active,
        units=(unit,),
        amounts=(("steps", steps),),
        fit=lambda order: _of(order, unit) if isinstance(order, BreakDown) else order,
    )
