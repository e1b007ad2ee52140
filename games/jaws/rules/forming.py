"""Orders of the Movement Segment that change units (4.6-1, 4.7): breakdown, recombination, extension."""

from collections.abc import Iterator
from functools import partial

from engine.asks import Procedure
from engine.orders.choice import Choice, Given, pick, whole
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import number, place
from engine.table import kept, kept_under
from games.jaws.data import Table
from games.jaws.orders.forming import BreakDown, ExtendDivision, Recombine
from games.jaws.rules.allowance import RESERVE, RESERVES, How, check_may_move
from games.jaws.rules.breakdown import (
    break_down,
    breakable,
    check_breakdown,
    check_recombination,
    counters,
    other_ways,
    recombinable,
    recombine,
    whole_of,
)
from games.jaws.rules.extending import check_extend, check_extendable, extend, how_of, open_to, settled
from games.jaws.rules.extension import markers, twin
from games.jaws.rules.guarding import check_guard
from games.jaws.rules.march import go
from games.jaws.rules.parts import on_map_as
from games.jaws.rules.unchanged import stack_state, unit_state
from games.jaws.rules.units import on_map_of
from games.jaws.rules.walking import plan

FORMING = (BreakDown, Recombine, ExtendDivision)
MORE_SPLITS = 3


def check_forming(table: Table, side: str, order: Order, how: How = "move") -> None:
    """4.6-1: at the beginning or the end of a unit's movement. Raises Illegal."""
    if isinstance(order, BreakDown):
        if not order.unit:
            raise Illegal("4.6-1", "say which unit", instead="As in", alternatives=[BreakDown.example])
        check_breakdown(table, side, order)
        _check_season(table, order.unit, how)
    elif isinstance(order, Recombine) and twin(table, whole_of(table, order.unit)):
        _check_draw_in(table, side, order)
        _check_season(table, whole_of(table, order.unit), how)
    elif isinstance(order, Recombine):
        check_recombination(table, side, order)
        _check_season(table, on_map_as(table, whole_of(table, order.unit))[0], how)
    elif isinstance(order, ExtendDivision):
        check_extend(table, side, order)
        _check_season(table, order.unit, how)


def _check_season(table: Table, unit: str, how: How) -> None:
    """9.6, 9.7: units in Reserve do so in their own segment. Raises Illegal."""
    if (how in RESERVES) != (table.position.mark(unit, RESERVE) is not None):
        said = "is not in Reserve" if how in RESERVES else "is in Reserve, and moves in the Reserve Movement Segment"
        raise Illegal("4.6-1", f"{unit} {said}", unit=unit)


def _check_draw_in(table: Table, side: str, order: Recombine) -> None:
    """4.7.1-4, 4.7.1-5: the marker goes into the division's hex by all rules of movement. Raises Illegal."""
    division = whole_of(table, order.unit)
    marker, spot = markers(table)[division], number(table, place(table, division))
    if table.unit(division).side != side:
        raise Illegal("4.7", f"{division} is not yours", unit=division)
    if order.at not in ("", spot):
        raise Illegal("4.7-p3", f"{marker} comes to {division}, in {spot}", unit=division, at=order.at)
    check_may_move(table, side, marker, how_of(table, marker))
    plan(table, side, (marker,), spot, (spot,), how_of(table, marker))
    check_guard(table, side, (marker,), (marker,))


def form(table: Table, side: str, order: Order) -> Procedure:
    """An order that was checked is carried out."""
    if isinstance(order, BreakDown):
        yield from break_down(table, order)
    elif isinstance(order, ExtendDivision):
        yield from extend(table, side, order)
    elif isinstance(order, Recombine):
        unit = whole_of(table, order.unit)
        if not twin(table, unit):
            yield from recombine(table, unit)
            return
        marker = markers(table)[unit]
        yield from go(table, side, (marker,), (place(table, marker), place(table, unit)), how_of(table, marker))
        yield from settled(table, (marker,))


# What may be said


@kept
def _extendable(table: Table, side: str, how: How) -> list[str]:
    here = table.position.hex_of
    own = [unit for unit in markers(table) if here(unit) is not None and table.unit(unit).side == side]
    return [unit for unit in own if _may_extend(table, side, (unit,), how)]


@kept_under(stack_state)
def _may_extend(table: Table, side: str, units: tuple[str, ...], how: How) -> bool:
    """Whether a division, alone in the tuple, may extend anywhere."""
    (unit,) = units
    if not passes(check_extendable, table, side, unit):
        return False
    if not passes(check_may_move, table, side, unit, how_of(table, unit)):
        return False
    return passes(_check_season, table, unit, how) and any(_ends(table, side, unit))


def _ends(table: Table, side: str, unit: str) -> Iterator[str]:
    """Where it may extend: what is open to it, and no other rule of movement forbids (9.9.4, 22.11)."""
    near = open_to(table, side, unit)
    spots = sorted(number(table, h) for h in table.grid.neighbours(place(table, unit)) if near >> h & 1)
    return (spot for spot in spots if passes(check_extend, table, side, ExtendDivision(unit=unit, to=spot)))


@kept
def _breakable(table: Table, side: str, how: How) -> list[str]:
    own = on_map_of(table, side, "breaks")
    return [unit for unit in own if _may_break(table, side, unit, how)]


def _broken_from(table: Table, side: str, unit: str, how: How) -> object:
    """What a breakdown rests on."""
    return unit_state(table, side, unit, how), twin(table, unit), _lying(table, side)


@kept
def _lying(table: Table, side: str) -> list[tuple[str, int]]:
    """How many counters of parts lie on the map, by their kind."""
    return [(kind, len(units)) for kind, units in counters(table, side).items()]


@kept_under(_broken_from)
def _may_break(table: Table, side: str, unit: str, how: How) -> bool:
    return bool(breakable(table, side, [unit])) and passes(_check_season, table, unit, how)


@kept
def _recombinable(table: Table, side: str, how: How) -> list[str]:
    extended = [division for division, marker in markers(table).items() if table.position.hex_of(marker) is not None]
    named = [Recombine(unit=unit) for unit in (*recombinable(table, side), *extended)]
    return [order.unit for order in named if passes(check_forming, table, side, order, how)]


def forming_choices(table: Table, side: str, how: How = "move") -> list[Choice]:
    """One of each kind, the unit to be named next."""

    def shared(given: Given) -> Choice:
        others = other_ways(table, side, given["unit"], MORE_SPLITS)
        return Choice(BreakDown, given, also=lambda: [whole(order) for order in others])

    def into(given: Given) -> Choice:
        return pick(ExtendDivision, "to", lambda: list(_ends(table, side, given["unit"])), **given)

    found = []
    if able := _breakable(table, side, how):
        found.append(Choice(BreakDown, {}, "unit", partial(list, able), complete=False, onward=shared))
    if able := _recombinable(table, side, how):
        found.append(pick(Recombine, "unit", partial(list, able)))
    if able := _extendable(table, side, how):
        found.append(Choice(ExtendDivision, {}, "unit", partial(list, able), complete=False, onward=into))
    return found
