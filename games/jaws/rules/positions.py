"""German improved positions (15.1): who builds them, where, and what they are worth."""

from collections.abc import Iterator

from engine.facts import Fact, Marked
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, place
from engine.rules.marks import marked
from games.jaws.data import GERMAN, Table
from games.jaws.orders.engineering import Fortify, Level
from games.jaws.rules.ground import POSITION, has_position
from games.jaws.rules.minelaying import check_own
from games.jaws.rules.spending import check_pays, payer, spend
from games.jaws.rules.units import STORMED, on_map_of


def check_fortify(table: Table, order: Fortify) -> None:
    """15.1.1. Raises Illegal."""
    unit = order.unit
    check_own(table, GERMAN, unit, "15.1.1-a")
    h = place(table, unit)
    spot = number(table, h)
    if not is_a(table, unit, "engineer"):
        raise Illegal("15.1.1-a", f"{unit} is no engineer", unit=unit)
    if table.position.mark(unit, STORMED) is not None:
        raise Illegal("15.1.1-a", f"{unit} has attacked this turn", unit=unit)
    if table.board.kinds.get(h, "clear") != "clear" or (table.data.towns | table.data.villages) >> h & 1:
        raise Illegal("15.1.1-c", f"{spot} is not clear, or has a village", unit=unit, at=spot)
    if has_position(table, h):
        raise Illegal("15.1.1-c", f"{spot} has an improved position", unit=unit, at=spot)
    check_pays(table, unit, table.data.tables["positions"]["price"], "15.1.1-b")


def fortifiers(table: Table) -> list[str]:
    """The engineers that may build a position now."""
    engineers = on_map_of(table, GERMAN, "engineer")
    return [unit for unit in engineers if passes(check_fortify, table, Fortify(unit=unit))]


def fortify(table: Table, order: Fortify) -> Iterator[Fact]:
    """15.1.1-b: an SP, and the marker in the engineer's hex."""
    yield from spend(table, payer(table, order.unit), table.data.tables["positions"]["price"], "15.1.1-b")
    yield Marked(subject=f"@{number(table, place(table, order.unit))}", mark=POSITION, because="15.1.1-a")


def check_level(table: Table, order: Level) -> None:
    """15.1.3. Raises Illegal."""
    if table.position.mark(f"@{order.at}", POSITION) is None:
        spots = [spot[1:] for spot in marked(table, POSITION)]
        raise Illegal("15.1.3", f"there is no improved position in {order.at}", at=order.at, instead="There are in",
                      alternatives=spots)  # fmt: skip


def level(order: Level) -> Iterator[Fact]:
    yield Marked(subject=f"@{order.at}", mark=POSITION, value=None, because="15.1.3")
