"""Which SDM pays for a unit (14.3): the one that put it in supply, and where several could, its owner says which."""

from collections.abc import Iterator

from engine.facts import Fact, Noted
from engine.refusals import Illegal, passes
from engine.rules.marks import marked
from games.jaws.data import Table
from games.jaws.orders.supply import Assign, Resupply
from games.jaws.rules.allowance import SPENT
from games.jaws.rules.ammunition import FIRED, check_resupply
from games.jaws.rules.barrage.components import barrage_of
from games.jaws.rules.spending import FEEDERS, SUPPLIED, payer
from games.jaws.rules.units import is_sdm


def check_assign(table: Table, side: str, order: Assign) -> None:
    """14.3: among the staffs, or later in its owner's turn before it moves; of those that could put it in supply when
    that was determined, whatever the enemy has done since. Raises Illegal."""
    for unit in order.units:
        if table.unit(unit).side != side or table.position.hex_of(unit) is None or is_sdm(table, unit):
            raise Illegal("14.3", f"{unit} is no combat unit of yours on the map", unit=unit)
        if table.position.mark(unit, SPENT) is not None:
            raise Illegal("14.3", f"{unit} has moved from where it was fed", unit=unit)
        able = _payers(table, unit)
        if order.sdm not in able:
            raise Illegal("14.3", f"{order.sdm} does not put {unit} in supply", unit=unit, instead="These can",
                          alternatives=able)  # fmt: skip


def _payers(table: Table, unit: str) -> list[str]:
    """14.7, 14.6.4: nobody pays for whom no SDM has fed; 13.2.4: no SDM that has been taken off the map."""
    now = payer(table, unit)
    named = str(table.position.mark(unit, FEEDERS) or now).split("+") if now else []
    return [sdm for sdm in named if table.position.hex_of(sdm) is not None]


def assign(order: Assign) -> Iterator[Fact]:
    """14.3: the SDM that puts a unit in supply is the one that pays for it."""
    for unit in order.units:
        yield Noted(subject=unit, mark=SUPPLIED, value=order.sdm, because="14.3")


def rearmings(table: Table, side: str) -> list[Assign]:
    """14.4-c1: the guns that the SDM which pays for them cannot resupply, with those that could if they paid."""
    found = []
    for gun in marked(table, FIRED):
        if table.unit(gun).side != side or _resupplied(table, side, gun):
            continue
        site = barrage_of(table, gun) or gun
        for order in (Assign(units=(site,), sdm=sdm) for sdm in _payers(table, site)):
            if passes(check_assign, table, side, order) and _resupplied(table.suppose(list(assign(order))), side, gun):
                found.append(order)
    return found


def _resupplied(table: Table, side: str, gun: str) -> bool:
    orders = (Resupply(unit=gun, ammo=ammo) for ammo in (False, True))
    return any(passes(check_resupply, table, side, order) for order in orders)
