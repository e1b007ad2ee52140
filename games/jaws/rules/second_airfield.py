"""A second airfield near Korsun (18.8, an option)."""

from collections.abc import Iterator

from engine.facts import Counted, Fact, Marked
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, number, place
from games.jaws.data import GERMAN, Table
from games.jaws.orders.optional import LayOut
from games.jaws.rules.korsun import TRACK
from games.jaws.rules.minelaying import check_own
from games.jaws.rules.stores import BUILDING, FIELD, at_work, held, near_korsun, put, site
from games.jaws.rules.units import OOS, upset

LIFT = "airfield missions"  # 18.8-c3: what is flown to it, of the missions from Uman


def check_engineer(table: Table, unit: str, case: str) -> None:
    """A korps engineer that can work. Raises Illegal."""
    check_own(table, GERMAN, unit, case)
    if not is_a(table, unit, "engineer") or not is_a(table, unit, "korps"):
        raise Illegal(case, f"{unit} is no engineer of the korps level", unit=unit)
    if upset(table, unit):
        raise Illegal("12.17.2-7", f"{unit} is Disorganized or in Regroup", unit=unit)
    if table.position.mark(unit, OOS) is not None:
        raise Illegal("13.5.1-a", f"{unit} is out of supply, and gets no SPs", unit=unit)


def check_lay_out(table: Table, order: LayOut) -> None:
    """Raises Illegal."""
    row, unit = table.data.tables["options"]["second_airfield"], order.unit
    check_engineer(table, unit, "18.8")
    h = place(table, unit)
    spot = number(table, h)
    if (found := site(table, FIELD)) is not None:
        raise Illegal("18.8", f"there is a second airfield in {number(table, found[0])}", unit=unit)
    if not table.data.road_hexes >> h & table.data.fields_of_fire >> h & 1:
        raise Illegal("18.8", f"{spot} is no road hex in clear terrain", unit=unit, at=spot)
    if not near_korsun(table, h, row["hexes"]):
        raise Illegal("18.8", f"{spot} is more than {row['hexes']} hexes from Korsun", unit=unit, at=spot)
    if held(table, TRACK) < row["price"]:
        raise Illegal("18.8-p1", f"Korsun has {held(table, TRACK)} SPs, and {row['price']} are needed", unit=unit)


def lay_out(table: Table, order: LayOut) -> Iterator[Fact]:
    """18.8-p1, -p2: two SPs of Korsun, and the marker on its construction side."""
    price = table.data.tables["options"]["second_airfield"]["price"]
    yield from put(table, TRACK, held(table, TRACK) - price, "18.8-p1")
    yield Marked(subject=f"@{number(table, place(table, order.unit))}", mark=FIELD, value=BUILDING, because="18.8-p2")


def layouts(table: Table) -> Iterator[LayOut]:
    units = table.position.on_map(GERMAN) if table.data.switch["second_airfield"] else ()
    orders = (LayOut(unit=unit) for unit in units)
    return (order for order in orders if passes(check_lay_out, table, order))


def finished(table: Table) -> Iterator[Fact]:
    """18.8-p3: what was begun in the Engineering Phase before is done, and empty."""
    found = site(table, FIELD)
    if found is not None and found[1] == BUILDING:
        spot = f"@{number(table, found[0])}"
        yield Marked(subject=spot, mark=FIELD, value=table.position.turn, because="18.8-p3")
        yield Counted(track=FIELD, value=0, because="18.8-p3")


def lands(table: Table) -> bool:
    """18.8-p4: from the turn after it was done."""
    return bool(at_work(table, FIELD))
