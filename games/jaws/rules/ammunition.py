"""Artillery resupply (14.4): guns that have fired are turned to their front side again, for SPs."""

from collections.abc import Iterator

from engine.facts import Fact, Marked
from engine.refusals import Illegal, passes
from engine.rules.ground import is_a, place
from engine.rules.marks import marked
from games.jaws.data import Table
from games.jaws.orders.supply import Resupply
from games.jaws.rules.barrage.components import barrage_of, held, is_barrage
from games.jaws.rules.depots import fed, supply_range
from games.jaws.rules.spending import payer, points, spend
from games.jaws.rules.units import OOS

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
    """17.1.4: the range of components in a Holding Box is their Barrage unit's. Raises Illegal."""
    gun = order.unit
    if is_barrage(table, gun):
        raise Illegal("17.1.4", f"{gun} itself is not resupplied, only its components", unit=gun,
                      alternatives=held(table, gun))  # fmt: skip
    site = barrage_of(table, gun) or gun
    if table.unit(gun).side != side or table.position.hex_of(site) is None:
        raise Illegal("14.4", f"{gun} is not yours on the map", unit=gun)
    state = table.position.mark(gun, FIRED)
    if state is None:
        raise Illegal("14.4", f"{gun} has not fired", unit=gun)
    if order.ammo and not (is_regiment(table, gun) and state == EMPTY):
        raise Illegal("14.4-c1", f"{gun} is no German regiment that is out of ammunition", unit=gun)
    if table.position.mark(site, OOS) is not None:
        raise Illegal("13.5.1-a", f"{site} is out of supply, and gets no SPs", unit=site)
    sdm = payer(table, site)
    at = table.position.hex_of(sdm) if sdm else None
    if at is None or not fed(table, side, 1 << at, supply_range(table, side)) >> place(table, site) & 1:
        raise Illegal("14.4-c1", f"{gun} is in the supply range of no SDM that feeds it", unit=gun)
    if points(table, sdm) < price(table, order):
        raise Illegal("14.4-c1", f"{sdm} has {points(table, sdm)} SPs, and {price(table, order)} are needed", unit=gun)


def resupplies(table: Table, side: str) -> list[Resupply]:
    """Every resupply that is possible."""
    guns = [gun for gun in marked(table, FIRED) if table.unit(gun).side == side]
    orders = [Resupply(unit=gun, ammo=ammo) for gun in guns for ammo in (False, True)]
    return [order for order in orders if passes(check_resupply, table, side, order)]


def resupply(table: Table, order: Resupply) -> Iterator[Fact]:
    site = barrage_of(table, order.unit) or order.unit
    yield from spend(table, payer(table, site), price(table, order), "14.4-c1")
    yield Marked(subject=order.unit, mark=FIRED, value=BACK if order.ammo else None, because="14.4")
