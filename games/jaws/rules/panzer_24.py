"""The 24th Panzer Division (18.7, an option): it comes unit by unit, as the dice let it."""

from collections.abc import Iterator
from functools import partial

from engine.asks import Ask, Procedure, Roll
from engine.facts import Fact, Placed, Told
from engine.orders.choice import Given, gather
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import is_a
from engine.rules.reinforcement import waiting_box
from games.jaws.data import GERMAN, Table
from games.jaws.orders.optional import Send
from games.jaws.rules.depots import BOX
from games.jaws.rules.parts import UNUSED

DIVISION, DEPOT = "24Pz", "SDM-24Pz"


def away(table: Table) -> list[str]:
    """The units that have not come yet, those that fight best first."""
    units = [u for u in table.roster.by_formation(DIVISION) if not u.of and table.position.where.get(u.id) == UNUSED]
    rank = ("armor", "infantry", "antiair")
    return sorted((u.id for u in units), key=lambda u: next((n for n, c in enumerate(rank) if is_a(table, u, c)), 3))


def sent(table: Table, side: str) -> Procedure:
    """18.7-p1 to -p4: five units are named, and a die says of each whether it has come."""
    row, left = table.data.tables["options"]["panzer_24"], away(table) if table.data.switch["panzer_24"] else []
    there = table.data.land >> table.grid.hex(row["hex"]) & 1
    if side != GERMAN or not left or not there or table.position.turn < row["turn"]:
        return
    order = (yield _ask(table)) if len(left) > row["units"] else Send(units=tuple(left))
    for unit in order.units:
        die: int = yield Roll(f"24th Panzer Division, {unit}")
        if die <= row["arrives"]:
            lost = table.data.start["lost"].get(unit)
            yield Placed(unit=unit, at=waiting_box(table.position.turn, row["hex"]), lost=lost, because="18.7-p3")
        else:
            yield Told(text=f"{unit} has not come yet.", because="18.7-p3")


def depot(table: Table) -> Iterator[Fact]:
    """18.7-p4: its SDM is laid with the others once four of its units have come onto the map."""
    if not table.data.switch["panzer_24"] or table.position.where.get(DEPOT) != UNUSED:
        return
    where = [table.position.where.get(u.id, UNUSED) for u in table.roster.by_formation(DIVISION) if not u.of]
    come = [at for at in where if at != UNUSED and not at.startswith("turn ")]
    if len(come) >= table.data.tables["options"]["panzer_24"]["depot"]:
        yield Placed(unit=DEPOT, at=BOX, because="18.7-p4")


def _check(table: Table, order: Order) -> None:
    """Raises Illegal."""
    assert isinstance(order, Send)
    count, left = table.data.tables["options"]["panzer_24"]["units"], away(table)
    for unit in order.units:
        if unit not in left:
            raise Illegal("18.7-p1", f"{unit} is no unit of the 24th Panzer Division that has still to come", unit=unit,
                          instead="These are", alternatives=left)  # fmt: skip
    if len(set(order.units)) != count:
        raise Illegal("18.7-p1", f"name {count} units", instead="Of these", alternatives=left)


def _ask(table: Table) -> Ask:
    seen, count = table.seen_by(GERMAN), table.data.tables["options"]["panzer_24"]["units"]
    left = away(seen)

    def more(given: Given) -> list[str]:
        named = given.get("units", ())
        return [unit for unit in left if unit not in named] if len(named) < count else []

    return Ask(
        side=GERMAN,
        name="send",
        subject=DIVISION,
        prompt=f"the 24th Panzer Division: for which {count} of {', '.join(left)} are the dice cast",
        verbs=(Send,),
        check=partial(_check, seen),
        offers=lambda: [gather(Send, "units", more, partial(_check, seen))],
        default=lambda: Send(units=tuple(left[:count])),
        case="18.7-p1",
        passable=True,
        units=tuple(left),
    )
