"""Units that their owner puts on the map: at set-up (18.1), into the pocket (13.2), an HQ that returns (1.5-f)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from engine.asks import Ask
from engine.hexset import HexSet
from engine.orders.choice import pick
from engine.refusals import Illegal
from games.korsun_vv.data import Table
from games.korsun_vv.orders import Place


@dataclass(frozen=True)
class Placing:
    """Who is to be placed, where each may go, and where it is offered to go, the best hex first."""

    side: str
    name: str
    subject: str
    units: Sequence[str]
    room: Callable[[Table, str], HexSet]
    spots: Callable[[Table, str], list[str]]
    prompt: str
    rule: str  # what is said of a unit that cannot go there
    case: str
    by: str = ""  # the case that says where it may go, if it is another


def place_ask(table: Table, placing: Placing) -> Ask:
    """A top ask, answered from what the side sees."""
    seen, units, case = table.seen_by(placing.side), placing.units, placing.case

    def check(order: Place) -> None:
        for unit in order.units:
            if unit not in units:
                raise Illegal(case, f"{unit} is not yours to place now", unit=unit, instead="To be placed",
                              alternatives=units)  # fmt: skip
            if not placing.room(seen, unit) >> table.grid.hex(order.at) & 1:
                raise Illegal(placing.by or case, f"{unit} {placing.rule}, not in {order.at}", unit=unit, at=order.at,
                              instead="For instance", alternatives=placing.spots(seen, unit))  # fmt: skip

    return Ask(
        side=placing.side,
        name=placing.name,
        subject=placing.subject,
        prompt=placing.prompt,
        verbs=(Place,),
        check=check,
        offers=lambda: [pick(Place, "at", partial(placing.spots, seen, unit), units=(unit,)) for unit in units],
        default=lambda: Place(units=(units[0],), at=placing.spots(seen, units[0])[0]),
        case=case,
        top=True,
        units=tuple(units),
    )
