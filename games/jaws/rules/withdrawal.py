"""The German Night Withdrawal Segment (9.8): armor goes back a hex, out of every Soviet zone."""

from collections.abc import Iterator
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure
from engine.facts import Moved, Noted
from engine.orders.choice import Choice, pick
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import is_a, number, numbers, path_numbers, place
from engine.table import kept
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.reserves import PullBack
from games.jaws.orders.sight import Top
from games.jaws.orders.turn import End
from games.jaws.rules import top
from games.jaws.rules.collapse import as_far
from games.jaws.rules.combat.battle import BROKE_OUT, could_step
from games.jaws.rules.ground import passed
from games.jaws.rules.march import arrived
from games.jaws.rules.mines import crossed
from games.jaws.rules.stacking import breach
from games.jaws.rules.units import on_map_of, standing, units_in, upset
from games.jaws.rules.zones import controlled

WITHDREW = "withdrew"  # a unit that has made its one hex


def withdrawal_segment(table: Table) -> Procedure:
    """9.8: one unit after another, as long as somebody may and wants to."""
    while any(open_to(table, unit) for unit in _able(table)):
        order = yield _ask(table)
        if isinstance(order, Top):
            yield from top.lay(table, table.grid.hex(order.at), GERMAN, order.unit, "11.3-1")
            continue
        if not isinstance(order, PullBack):
            break
        path = yield from as_far(table, (order.unit,), (place(table, order.unit), table.grid.hex(order.to)))
        if len(path) < 2:
            continue
        yield Moved(unit=order.unit, path=path_numbers(table, path), how="withdrawal", because="9.8")
        yield Noted(subject=order.unit, mark=WITHDREW, because="9.8")
        yield from passed(table, GERMAN, path)
        yield from crossed(table, (order.unit,), *path)
        yield from arrived(table, GERMAN, path[-1])


@kept
def withdrawals(table: Table) -> dict[str, list[str]]:
    """The armor that may still go back, and where to."""
    return {unit: spots for unit in _able(table) if (spots := open_to(table, unit))}


def _able(table: Table) -> Iterator[str]:
    """The armor that may still go back, if it has a hex to go to."""
    there = on_map_of(table, GERMAN, "armor")
    return (unit for unit in there if _barred(table, unit) is None)


def _barred(table: Table, unit: str) -> Illegal | None:
    """Why a unit may not withdraw at all; None if it may."""
    if table.unit(unit).side != GERMAN or not is_a(table, unit, "armor"):
        return Illegal("9.8", f"{unit} is no German armor unit", unit=unit)
    if table.position.hex_of(unit) is None:
        return Illegal("9.8", f"{unit} is not on the map", unit=unit)
    if upset(table, unit):
        return Illegal("12.17.2-10", f"{unit} is Disorganized or in Regroup", unit=unit)
    if table.position.mark(unit, BROKE_OUT) is not None:
        return Illegal("9.8", f"{unit} moved or attacked in the Breakthrough Segment", unit=unit)
    if table.position.mark(unit, WITHDREW) is not None:
        return Illegal("9.8", f"{unit} has made its one hex", unit=unit)
    return None


def open_to(table: Table, unit: str) -> list[str]:
    """9.8: next to it, in no Soviet zone, by terrain and stacking."""
    start, shut = place(table, unit), standing(table, SOVIET) | controlled(table, SOVIET)
    near = [h for h in table.grid.neighbours(start) if not shut >> h & 1 and could_step(table, unit, start, h)]
    free = [h for h in near if breach(table, GERMAN, [*units_in(table, h, GERMAN), unit], h) is None]
    return numbers(table, hexset.of(free))


def _check(table: Table, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, Top):
        top.check_top(table, GERMAN, order)
    if not isinstance(order, PullBack):
        return
    if (barred := _barred(table, order.unit)) is not None:
        raise barred
    spots = open_to(table, order.unit)
    if order.to not in spots:
        raise Illegal("9.8", f"{order.unit} may not withdraw from {number(table, place(table, order.unit))} to "
                      f"{order.to}: one hex, by terrain and stacking, and in no Soviet zone", unit=order.unit,
                      at=order.to, instead="It may go to", alternatives=spots)  # fmt: skip


def _ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    able = withdrawals(seen)
    return Ask(
        side=GERMAN,
        name="withdrawal",
        subject=GERMAN,
        prompt="which armor goes back a hex in the night; `end` closes the segment",
        verbs=(PullBack, Top, End),
        check=partial(_check, seen),
        offers=lambda: [
            Choice(End),
            *(pick(PullBack, "to", partial(list, hexes), unit=unit) for unit, hexes in able.items()),
            *top.choices(seen, GERMAN),
        ],
        default=End,
        case="9.8",
        top=True,
        units=tuple(able),
    )
