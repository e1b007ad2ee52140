"""The stacking convention (11.3): which counter of a stack lies on top, and what lies on them all."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine.facts import Fact, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice, pick
from engine.refusals import Illegal
from engine.rules.ground import is_a, number
from engine.view import view
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.sight import Top
from games.jaws.rules.ground import POSITION
from games.jaws.rules.mines import FIELD
from games.jaws.rules.units import makes_zoc, units_in

TOP = "top"  # a hex's mark, its owner's secret: the counter on top of the stack
COVERS = {GERMAN: POSITION, SOVIET: FIELD}  # 11.3-4: the markers that lie on everybody


def covered(table: Table, h: Hex, side: str) -> bool:
    """11.3-4: whether a marker hides all of a side's units in a hex."""
    return table.position.mark(f"@{number(table, h)}", COVERS[side]) is not None


def fitting(table: Table, units: Sequence[str]) -> tuple[str, list[str]]:
    """11.3-1, 11.3-2: who may lie on top of a stack, and by which case."""
    if makes_zoc(table, units):
        return "11.3-1", [unit for unit in units if is_a(table, unit, "infantry")] or list(units)
    tanks = [unit for unit in units if any(is_a(table, unit, kind) for kind in ("armor", "antiarmor", "antiair"))]
    return "11.3-2", tanks or list(units)


def usual_top(table: Table, h: Hex, side: str) -> str:
    """Who lies on top unless the owner says otherwise: one whom the enemy has seen there, then the largest."""
    known, spot = view(table.position, table.enemy(side)), number(table, h)
    able = fitting(table, units_in(table, h, side))[1]
    return min(able, key=lambda unit: (known.where.get(unit) != spot, -len(table.unit(unit).steps), able.index(unit)))


def top_of(table: Table, h: Hex, side: str) -> str:
    """The counter on top of a side's stack: as it was laid, as long as it is there."""
    units, laid = units_in(table, h, side), table.position.mark(f"@{number(table, h)}", TOP)
    return str(laid) if laid in units else usual_top(table, h, side)


def lay(table: Table, h: Hex, side: str, unit: str, case: str) -> Iterator[Fact]:
    """A counter is laid on top of its stack; which one is nobody's business but its owner's, until it is looked at."""
    yield Noted(subject=f"@{number(table, h)}", mark=TOP, value=unit, because=case, only=(side,))


def put_right(table: Table, h: Hex, side: str) -> Iterator[Fact]:
    """11.3: at the end of its owner's phases a stack that breaks the convention is laid anew."""
    units = units_in(table, h, side)
    case, able = fitting(table, units)
    if len(units) > 1 and top_of(table, h, side) not in able:
        yield from lay(table, h, side, usual_top(table, h, side), case)


# The order


def check_top(table: Table, side: str, order: Top) -> None:
    """Raises Illegal."""
    units = units_in(table, table.grid.hex(order.at), side)
    if order.unit not in units:
        raise Illegal("11.3-1", f"{order.unit} is none of your units in {order.at}", unit=order.unit, at=order.at,
                      instead="There are", alternatives=units)  # fmt: skip
    case, able = fitting(table, units)
    if order.unit not in able:
        need = "an infantry unit, for it has a ZOC" if case == "11.3-1" else "armor or anti-armor, for it has no ZOC"
        raise Illegal(case, f"{order.unit} may not lie on top in {order.at}: that must be {need}", unit=order.unit,
                      at=order.at, instead="One of", alternatives=able)  # fmt: skip


def choices(table: Table, side: str) -> list[Choice]:
    """The stacks whose top their owner may change, with who might lie there instead."""
    found = []
    for h, stack in table.position.stacks():
        units = units_in(table, h, side) if table.unit(stack[0]).side == side else []
        if len(units) > 1 and (others := [u for u in fitting(table, units)[1] if u != top_of(table, h, side)]):
            found.append(pick(Top, "unit", partial(list, others), at=number(table, h)))
    return found
