"""Infantry on trucks (18.5, an option)."""

from collections.abc import Iterator

from engine.facts import Fact, Noted
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, place
from games.jaws.data import GERMAN, Table
from games.jaws.orders.optional import Truck
from games.jaws.rules.allowance import RESERVE, SPENT, TRUCK, check_ever_moves
from games.jaws.rules.depots import command_of, fed, patrons, sdms, supply_range
from games.jaws.rules.spending import points, spend
from games.jaws.rules.supply import traces
from games.jaws.rules.units import OOS, going, levels

LENT = "lent"  # 18.5.2: an SDM's mark: it has paid for its truck move of this turn


def _korps_sdm(table: Table, sdm: str) -> bool:
    return sdm in sdms(table, GERMAN) and levels(table, command_of(table, sdm))[0].kind == "korps"


def in_range(table: Table, sdm: str, unit: str) -> bool:
    """18.5.1: whether a supply path within range leads from a unit to an SDM of its own that is in supply."""
    at = table.position.hex_of(sdm)
    if at is None or sdm not in patrons(table, unit) or not traces(table, sdm):
        return False
    return bool(fed(table, GERMAN, 1 << at, supply_range(table, GERMAN)) >> place(table, unit) & 1)


def check_truck(table: Table, order: Truck) -> None:
    """Raises Illegal."""
    unit, sdm, row = order.unit, order.sdm, table.data.tables["options"]["trucks"]
    check_ever_moves(table, GERMAN, unit)
    if not is_a(table, unit, "infantry") or going(table, unit) != "foot":
        raise Illegal("18.5.2", f"{unit} is no infantry on foot", unit=unit)
    if table.position.mark(unit, RESERVE) is not None:
        raise Illegal("9.6", f"{unit} is in Reserve and moves in the Reserve Movement Segment", unit=unit)
    if table.position.mark(unit, SPENT) is not None:
        raise Illegal("18.5.2", f"{unit} has begun its move without trucks", unit=unit)
    if table.position.mark(unit, TRUCK) is not None:
        raise Illegal("18.5.2", f"{unit} is on trucks already", unit=unit)
    if table.position.mark(unit, OOS) is not None:
        raise Illegal("18.5.1", f"{unit} is out of supply", unit=unit)
    able = [name for name in patrons(table, unit) if _korps_sdm(table, name) and in_range(table, name, unit)]
    if sdm not in able:
        raise Illegal("18.5.1", f"{sdm} is no korps SDM in supply that {unit} has a path to in range", unit=unit,
                      instead="These are", alternatives=able)  # fmt: skip
    if table.position.mark(sdm, LENT) is not None:
        raise Illegal("18.5.2", f"{sdm} has lent its trucks this turn", unit=sdm)
    if points(table, sdm) < row["price"]:
        raise Illegal("18.5.1", f"{sdm} has {points(table, sdm)} SPs, and {row['price']} is needed", unit=sdm)


def load(table: Table, order: Truck) -> Iterator[Fact]:
    """18.5.1: an SP of the korps, and the unit moves as a motorized one in this phase."""
    yield from spend(table, order.sdm, table.data.tables["options"]["trucks"]["price"], "18.5.1")
    yield Noted(subject=order.sdm, mark=LENT, because="18.5.2")
    yield Noted(subject=order.unit, mark=TRUCK, because="18.5.1")


def loads(table: Table) -> Iterator[Truck]:
    """Every unit that trucks may carry now, with who pays."""
    if not table.data.switch["trucks"]:
        return
    for sdm in sdms(table, GERMAN):
        ready = table.position.hex_of(sdm) is not None and table.position.mark(sdm, LENT) is None
        if ready and _korps_sdm(table, sdm) and points(table, sdm):
            orders = (Truck(unit=unit, sdm=sdm) for unit in table.position.on_map(GERMAN))
            yield from (order for order in orders if passes(check_truck, table, order))
