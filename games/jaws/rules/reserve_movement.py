"""The Reserve Movement Segment (9.7, 12.1.5): who was held back moves, with less than its whole allowance."""

from collections.abc import Iterator
from functools import partial

from engine.asks import Ask, Procedure
from engine.facts import Fact, Marked
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.marks import marked, wipe
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.combat import Declare
from games.jaws.orders.movement import Move
from games.jaws.orders.optional import Ford
from games.jaws.orders.sight import Flip, Storm, Top
from games.jaws.orders.turn import End
from games.jaws.rules import flipping, fords, storming, top
from games.jaws.rules.allowance import HOW, MOVING, RESERVE, SPARED, SPENT, STOOD, How
from games.jaws.rules.forming import FORMING, check_forming, form, forming_choices
from games.jaws.rules.march import rested
from games.jaws.rules.movement import carry_out, check_move, check_room, movable, move_choices, relief
from games.jaws.rules.reserves import beside_enemy


def in_reserve(table: Table, side: str) -> list[str]:
    """Those with a Reserve marker on the map."""
    here = table.position.hex_of
    return [u for u in marked(table, RESERVE) if table.unit(u).side == side and here(u) is not None]


def reserve_movement(table: Table, side: str) -> Procedure:
    """9.7: until the mover says that it is over; then who has come to no enemy loses the marker."""
    while in_reserve(table, side):
        order = yield _ask(table, side)
        if isinstance(order, FORMING):
            yield from form(table, side, order)
            continue
        if isinstance(order, Ford):
            yield from fords.look(table, side, order)
            continue
        if isinstance(order, Flip):
            yield from flipping.flip(order)
            continue
        if isinstance(order, Top):
            yield from top.lay(table, table.grid.hex(order.at), side, order.unit, "11.3-1")
            continue
        if isinstance(order, Storm):
            yield from storming.storm(table, order.units, order.at, order.foot)
            yield from storming.met_on_the_way(table, order.units)
            continue
        if not isinstance(order, Move):
            break
        yield from carry_out(table, side, order, how_of(order))
        if side == SOVIET:
            yield from storming.met_on_the_way(table, order.units)
    yield from rested(table)
    yield from wipe(table, (SPENT, STOOD, SPARED, HOW, MOVING, flipping.VISITED), "9.7")
    yield from _stood_down(table, side)


def how_of(order: Move) -> How:
    return "reserve on foot" if order.foot else "reserve"


def _stood_down(table: Table, side: str) -> Iterator[Fact]:
    """9.7-x"""
    for unit in in_reserve(table, side):
        if not beside_enemy(table, side, unit):
            yield Marked(subject=unit, mark=RESERVE, value=None, because="9.7-x")


def _check(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, FORMING):
        check_forming(table, side, order, "reserve")
        return
    if isinstance(order, Ford):
        fords.check_look(table, side, order)
        return
    if isinstance(order, Flip):
        flipping.check_flip(table, order)
        return
    if isinstance(order, Top):
        top.check_top(table, side, order)
        return
    if isinstance(order, Storm):
        storming.check_storm(table, order.units, order.at, order.foot)
        return
    if not isinstance(order, Move):
        check_room(table, side, "reserve")
        return
    if order.strategic:
        raise Illegal("9.6-3", "reserves move tactically only", unit=order.units[0], instead="Leave out `strategic`")
    check_move(table, side, order, how_of(order))


def _choices(table: Table, side: str) -> list[Choice]:
    moves = move_choices(table, side, "reserve") + forming_choices(table, side, "reserve")
    moves += map(whole, fords.looks(table, side))
    moves += top.choices(table, side)
    moves += flipping.flips(table) if side == GERMAN else storming.storms(table, movable(table, side, "reserve"))
    return moves if relief(table, side, "reserve") is not None else [Choice(End), *moves]


def _ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    return Ask(
        side=side,
        name="reserves",
        subject=side,
        prompt=f"{', '.join(in_reserve(table, side))} may move as reserves; `end` closes the Reserve Movement Segment",
        verbs=(
            Move,
            *FORMING,
            *((Ford,) if table.data.switch["fords"] else ()),
            Flip if side == GERMAN else Storm,
            Top,
            End,
        ),
        check=partial(_check, seen, side),
        offers=partial(_choices, seen, side),
        default=lambda: relief(seen, side, "reserve") or End(),
        case="9.7",
        top=True,
        onward=(Declare,),
    )
