"""Units that their owner puts on the map: at set-up (18.1), into the pocket (13.2), an HQ that returns (1.5-f)."""

from collections.abc import Callable, Sequence
from functools import partial

from engine.asks import Ask
from engine.hexset import HexSet
from engine.orders.choice import pick
from engine.refusals import Illegal
from games.korsun_vv.data import Table
from games.korsun_vv.orders import Place


def place_ask(
    table: Table,
    side: str,
    name: str,
    units: Sequence[str],
    prompt: str,
    *,
    room: Callable[[Table, str], HexSet],
    spots: Callable[[Table, str], list[str]],  # those of the room that are offered, the best first
    rule: str,  # what is said of a unit that cannot go to a hex
    case: str,
    by: str = "",  # the case of that rule, if it is another
) -> Ask:
    """One unit after another is put where its rule allows, by what the side sees."""
    seen = table.seen_by(side)

    def check(order: Place) -> None:
        for unit in order.units:
            if unit not in units:
                raise Illegal(case, f"{unit} is not yours to place now", unit=unit, instead="To be placed",
                              alternatives=units)  # fmt: skip
            if not room(seen, unit) >> table.grid.hex(order.at) & 1:
                raise Illegal(by or case, f"{unit} {rule}, not in {order.at}", unit=unit, at=order.at,
                              instead="For instance", alternatives=spots(seen, unit))  # fmt: skip

    return Ask(
        side=side,
        name=name,
        subject=units[0] if len(units) == 1 else side,
        prompt=prompt,
        verbs=(Place,),
        check=check,
        offers=lambda: [pick(Place, "at", partial(spots, seen, unit), units=(unit,)) for unit in units],
        default=lambda: Place(units=(units[0],), at=spots(seen, units[0])[0]),
        case=case,
        top=True,
        units=tuple(units),
    )
