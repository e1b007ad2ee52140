"""Which SDM pays for a unit (14.3): the one that put it in supply, and where several could, its owner says which."""

from collections.abc import Iterator

from engine.facts import Fact, Noted
from engine.refusals import Illegal
from games.jaws.data import Table
from games.jaws.orders.supply import Assign
from games.jaws.rules.allowance import SPENT
from games.jaws.rules.spending import SUPPLIED, payer
from games.jaws.rules.supply import feeders
from games.jaws.rules.units import is_sdm


def check_assign(table: Table, side: str, order: Assign) -> None:
    """14.3: among the staffs, or later in its owner's turn, where it still stands as it was fed. Raises Illegal."""
    for unit in order.units:
        if table.unit(unit).side != side or table.position.hex_of(unit) is None or is_sdm(table, unit):
            raise Illegal("14.3", f"{unit} is no combat unit of yours on the map", unit=unit)
        if table.position.mark(unit, SPENT) is not None:
            raise Illegal("14.3", f"{unit} has moved from where it was fed", unit=unit)
        able = feeders(table, unit) if payer(table, unit) else []  # 14.7, 14.6.4: nobody pays for whom no SDM has fed
        if order.sdm not in able:
            raise Illegal("14.3", f"{order.sdm} does not put {unit} in supply", unit=unit, instead="These can",
                          alternatives=able)  # fmt: skip


def assign(order: Assign) -> Iterator[Fact]:
    """14.3: the SDM that puts a unit in supply is the one that pays for it."""
    for unit in order.units:
        yield Noted(subject=unit, mark=SUPPLIED, value=order.sdm, because="14.3")
