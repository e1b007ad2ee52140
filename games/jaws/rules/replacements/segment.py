"""The Replacement Segment (3.2-E2A, F2A): points come in at its beginning, and are spent or saved."""

from collections.abc import Iterator
from functools import partial

from engine.asks import Ask, Procedure
from engine.orders.choice import Choice, pick, whole
from engine.orders.order import Order
from engine.rules.marks import game_mark
from games.jaws.data import GERMAN, Table
from games.jaws.orders.events import Abandon, Absorb, AirfieldAbandoned, Convert, Refit, Replace
from games.jaws.orders.turn import End
from games.jaws.rules.korsun import ABANDONED, DECLARED, check_abandoned, may_abandon
from games.jaws.rules.replacements.airfield import abandoned
from games.jaws.rules.replacements.filling import check_replace, replaced, replacements
from games.jaws.rules.replacements.points import accounts, points, received
from games.jaws.rules.replacements.special import (
    abandon,
    absorb,
    check_abandon,
    check_absorb,
    check_convert,
    convert,
    specials,
)
from games.jaws.rules.replacements.tanks import check_refit, refit, refits

GERMAN_ONLY = (Refit, Absorb, Convert, Abandon, AirfieldAbandoned)


def replacement_segment(table: Table, side: str, onward: tuple[type[Order], ...]) -> Procedure:
    """8.4, 8.5, 8.6: until the side has nothing left to do, or says so."""
    while next(choices(table, side), None) is not None:
        order = yield _ask(table, side, onward)
        if isinstance(order, End):
            return
        yield from carry_out(table, order)


def replacements_begin(table: Table, side: str) -> Procedure:
    """8.1.2-c1: points come in; 8.6.4: what was declared of the airfield takes effect."""
    yield from received(table, side)
    if side == GERMAN and game_mark(table, ABANDONED) == DECLARED:
        yield from abandoned(table)


def carry_out(table: Table, order: Order) -> Procedure:
    match order:
        case Replace():
            yield from replaced(table, order)
        case Refit():
            yield from refit(table, order)
        case Absorb():
            yield from absorb(table, order)
        case Convert():
            yield from convert(table, order)
        case Abandon():
            yield from abandon(table, order)
        case AirfieldAbandoned():
            yield from abandoned(table)


def check(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    match order:
        case Replace():
            check_replace(table, side, order)
        case Refit():
            check_refit(table, order)
        case Absorb():
            check_absorb(table, order)
        case Convert():
            check_convert(table, order)
        case Abandon():
            check_abandon(table, order)
        case AirfieldAbandoned():
            check_abandoned(table)


def choices(table: Table, side: str) -> Iterator[Choice]:
    """All that may be done, apart from closing the segment."""
    for order, spots in replacements(table, side):
        yield whole(order)
        if spots:
            more = {"steps": order.steps} if order.steps > 1 else {}
            yield pick(Replace, "at", partial(list, spots), unit=order.unit, **more)
    if side == GERMAN:
        yield from [Choice(AirfieldAbandoned)] if may_abandon(table) else []
        yield from map(whole, refits(table))
        for orders in specials(table):
            yield from map(whole, orders)


def held(table: Table, side: str) -> str:
    """The points in hand, as a player reads them."""
    rows = [(a, k, points(table, a, k)) for a in accounts(table, side) for k in ("infantry", "armor")]
    return ", ".join(f"{account} {number} {kind}" for account, kind, number in rows if number) or "none"


def _ask(table: Table, side: str, onward: tuple[type[Order], ...]) -> Ask:
    seen = table.seen_by(side)
    return Ask(
        side=side,
        name="replacements",
        subject=side,
        prompt=f"replacement points in hand: {held(seen, side)}; `end` saves them",
        verbs=(Replace, *(GERMAN_ONLY if side == GERMAN else ()), End),
        check=partial(check, seen, side),
        offers=lambda: [Choice(End), *choices(seen, side)],
        default=End,
        case="8.4",
        top=True,
        onward=onward,
        course="events",
    )
