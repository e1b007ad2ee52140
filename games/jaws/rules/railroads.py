"""Repair of cut railroads (15.2.5)."""

from collections.abc import Iterator

from engine.facts import Fact, Marked, Noted
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, place
from games.jaws.data import GERMAN, Table
from games.jaws.orders.engineering import Mend
from games.jaws.rules.bridges import TRIED
from games.jaws.rules.ground import CUT
from games.jaws.rules.minelaying import check_own
from games.jaws.rules.spending import check_pays, payer, spend
from games.jaws.rules.units import on_map_of

REPAIR = "repair"  # 15.2.5-p1: the back of the Rail Cut marker


def check_mend(table: Table, order: Mend) -> None:
    """Raises Illegal."""
    unit = order.unit
    check_own(table, GERMAN, unit, "15.2.5")
    spot = number(table, place(table, unit))
    if not is_a(table, unit, "construction"):
        raise Illegal("15.2.5", f"{unit} is no construction engineer", unit=unit)
    if table.position.mark(f"@{spot}", CUT) is None:
        raise Illegal("15.2.5", f"no railroad is cut in {spot}", unit=unit, at=spot)
    if table.position.mark(f"@{spot}", TRIED) is not None:
        raise Illegal("15.2.5-p2", f"the railroad in {spot} was worked on in this phase", unit=unit, at=spot)
    check_pays(table, unit, table.data.tables["rail_repair"]["price"], "15.2.5-p1")


def mend(table: Table, order: Mend) -> Iterator[Fact]:
    """15.2.5-p1, -p2: an SP turns the marker over; in a later phase another takes it off."""
    spot = f"@{number(table, place(table, order.unit))}"
    begun = table.position.mark(spot, CUT) == REPAIR
    case = "15.2.5-p2" if begun else "15.2.5-p1"
    yield from spend(table, payer(table, order.unit), table.data.tables["rail_repair"]["price"], case)
    yield Marked(subject=spot, mark=CUT, value=None if begun else REPAIR, because=case)
    yield Noted(subject=spot, mark=TRIED, because=case)


def menders(table: Table) -> list[str]:
    """Those that may work on a railroad now."""
    workers = on_map_of(table, GERMAN, "construction")
    return [unit for unit in workers if passes(check_mend, table, Mend(unit=unit))]
