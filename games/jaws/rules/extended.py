"""Extended supply (14.7): units out of supply fed at twice the range, for an SP a hex."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Fact, Marked, Noted
from engine.orders.choice import Choice, Given, gather
from engine.refusals import Illegal
from engine.rules.ground import number, place
from games.jaws.data import Table
from games.jaws.orders.supply import Extend
from games.jaws.rules.depots import fed, sdms, serves, supply_range
from games.jaws.rules.extension import halves
from games.jaws.rules.spending import EXTENDED, SUPPLIED, points, spend
from games.jaws.rules.supply import traces
from games.jaws.rules.units import OOS, hungry, units_in


def extensions(table: Table, side: str) -> Iterator[tuple[str, str]]:
    """Every hex with units out of supply that an SDM with SPs reaches at twice the range."""
    row = table.data.tables["supply"]["extended"]
    out = hexset.of(place(table, unit) for unit in hungry(table, side))
    if not out:
        return
    for sdm in sdms(table, side):
        at = table.position.hex_of(sdm)
        if at is None or points(table, sdm) < row["price"] or not traces(table, sdm):
            continue
        reached = fed(table, side, 1 << at, row["times"] * supply_range(table, side)) & out
        for h in hexset.members(reached):
            if fed_there(table, side, sdm, number(table, h)):
                yield sdm, number(table, h)


def fed_there(table: Table, side: str, sdm: str, spot: str) -> list[str]:
    """The units out of supply in a hex that an SDM may feed."""
    there = units_in(table, table.grid.hex(spot), side)
    return [unit for unit in there if table.position.mark(unit, OOS) is not None and serves(table, sdm, unit)]


def check_extend(table: Table, side: str, order: Extend) -> None:
    """Raises Illegal."""
    if (order.sdm, order.at) not in set(extensions(table, side)):
        offers = [f"{at} by {sdm}" for sdm, at in extensions(table, side)]
        raise Illegal("14.7", f"{order.sdm} cannot feed units out of supply in {order.at}", unit=order.sdm, at=order.at,
                      instead="It can be", alternatives=offers)  # fmt: skip
    most, able = table.data.tables["supply"]["extended"]["units"], fed_there(table, side, order.sdm, order.at)
    for unit in order.units:
        if unit not in able:
            raise Illegal("14.7", f"{order.sdm} cannot feed {unit} in {order.at}", unit=unit, at=order.at,
                          instead="It can", alternatives=able)  # fmt: skip
    if len(order.units or able) > most:
        raise Illegal("14.7", f"an SP feeds {most} units, and {len(order.units or able)} are meant in {order.at}",
                      at=order.at, instead="Say for whom", alternatives=able)  # fmt: skip


def extend(table: Table, side: str, order: Extend) -> Iterator[Fact]:
    """14.7: an SP is spent, and those it was meant for are in supply."""
    yield from spend(table, order.sdm, table.data.tables["supply"]["extended"]["price"], "14.7")
    for unit in halves(table, order.units or fed_there(table, side, order.sdm, order.at)):  # 4.7.4
        yield Marked(subject=unit, mark=OOS, value=None, because="14.7")
        yield Noted(subject=unit, mark=SUPPLIED, value=EXTENDED, because="14.7")


def extend_choices(table: Table, side: str) -> list[Choice]:
    """By whom, where; and for whom, where there are too many."""
    most = table.data.tables["supply"]["extended"]["units"]
    found = []
    for sdm, spot in extensions(table, side):
        able = fed_there(table, side, sdm, spot)
        if len(able) <= most:
            found.append(Choice(Extend, {"at": spot, "sdm": sdm}))
            continue

        def more(given: Given, able: list[str] = able) -> list[str]:
            named = given.get("units", ())
            return [unit for unit in able if unit not in named] if len(named) < most else []

        found.append(gather(Extend, "units", more, at=spot, sdm=sdm))
    return found
