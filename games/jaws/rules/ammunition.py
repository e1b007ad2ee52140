"""Artillery resupply (14.4): guns that have fired are turned to their front side again, for SPs."""

from collections.abc import Iterator

from engine.facts import Counted, Fact, Marked
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, place
from engine.rules.marks import marked
from games.jaws.data import Table
from games.jaws.orders.supply import Resupply
from games.jaws.rules.depots import fed, points, sp_track, supply_range
from games.jaws.rules.supply import SUPPLIED

FIRED = "fired"  # 12.10.2-3: 1 on its back side, 2 out of ammunition
BACK, EMPTY = 1, 2


def is_regiment(table: Table, gun: str) -> bool:
    """12.10.5: a German divisional regiment, whose back side has a value."""
    return is_a(table, gun, "artillery") and bool(table.unit(gun).value("back"))


def price(table: Table, order: Resupply) -> int:
    """14.4-c1"""
    row = table.data.tables["supply"]["resupply"]
    if order.ammo:
        return row["ammo"]
    both = is_regiment(table, order.unit) and table.position.mark(order.unit, FIRED) == EMPTY
    return row["both"] if both else row["front"]


def check_resupply(table: Table, side: str, order: Resupply) -> None:
    """Raises Illegal."""
    gun = order.unit
    if table.unit(gun).side != side or table.position.hex_of(gun) is None:
        raise Illegal("14.4", f"{gun} is not yours on the map", unit=gun)
    state = table.position.mark(gun, FIRED)
    if state is None:
        raise Illegal("14.4", f"{gun} has not fired", unit=gun)
    if order.ammo and not (is_regiment(table, gun) and state == EMPTY):
        raise Illegal("14.4-c1", f"{gun} is no German regiment that is out of ammunition", unit=gun)
    sdm = str(table.position.mark(gun, SUPPLIED) or "")
    at = table.position.hex_of(sdm) if sdm in table.roster else None
    if at is None or not fed(table, side, 1 << at, supply_range(table, side)) >> place(table, gun) & 1:
        raise Illegal("14.4-c1", f"{gun} is in the supply range of no SDM that feeds it", unit=gun)
    if points(table, sdm) < price(table, order):
        raise Illegal("14.4-c1", f"{sdm} has {points(table, sdm)} SPs, and {price(table, order)} are needed", unit=gun)


def resupplies(table: Table, side: str) -> list[Resupply]:
    """Every resupply that is possible."""
    guns = [gun for gun in marked(table, FIRED) if table.unit(gun).side == side]
    orders = [Resupply(unit=gun, ammo=ammo) for gun in guns for ammo in (False, True)]
    return [order for order in orders if passes(check_resupply, table, side, order)]


def resupply(table: Table, order: Resupply) -> Iterator[Fact]:
    sdm = str(table.position.mark(order.unit, SUPPLIED))
    yield Counted(track=sp_track(sdm), value=points(table, sdm) - price(table, order), because="14.4-c1")
    yield Marked(subject=order.unit, mark=FIRED, value=BACK if order.ammo else None, because="14.4")
