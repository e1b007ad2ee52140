"""The Mutual Supply Stage (3.2-C): SDMs sealed by both sides and opened together, SPs, supply, extended supply."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Procedure, Together
from engine.facts import Counted, Fact, Marked, Noted
from engine.orders.choice import Choice, Given, gather, pick, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import number, numbers, place
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.supply import Extend, Keep, Resupply, Sdm
from games.jaws.orders.turn import End
from games.jaws.rules.ammunition import check_resupply, resupplies, resupply
from games.jaws.rules.depots import (
    available,
    check_place,
    clients,
    default_places,
    fed,
    lay,
    legal_hexes,
    points,
    receive,
    sdms,
    sp_track,
    supply_range,
)
from games.jaws.rules.supply import SUPPLIED, determine, traces
from games.jaws.rules.units import OOS, units_in

SIDES = (SOVIET, GERMAN)
EXTENDED = "extended"  # 14.7: in supply by extended supply, which pays for nothing else


def supply_stage(table: Table) -> Procedure:
    """3.2-C1 to C3: both lay their SDMs unseen; then SPs are received and supply is determined."""
    answers = yield Together(tuple(_depot_ask(table, side) for side in SIDES))
    for side, order in zip(SIDES, answers, strict=True):
        named = {sdm: spot for sdm, (spot,) in order.places} if isinstance(order, Sdm) else {}
        yield from lay(table, side, {**named, **default_places(table, side, tuple(named))})
    for side in SIDES:
        yield from receive(table, side)
    for side in SIDES:
        yield from determine(table, side)


def _check_depots(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, Sdm):
        named = [sdm for sdm, _ in order.places]
        twice = next((sdm for sdm in named if named.count(sdm) > 1), "")
        if twice:
            raise Illegal("13.2.1", f"{twice} is placed twice", unit=twice)
        for sdm, (spot,) in order.places:
            check_place(table, side, sdm, table.grid.hex(spot))


def _joined(first: Any, second: Any) -> Order | None:
    """Two lines that place SDMs are one answer."""
    if isinstance(first, Sdm) and isinstance(second, Sdm):
        return Sdm(places=(*first.places, *second.places))
    return None


def _depot_ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)

    def candidates(given: Given) -> Iterator[tuple[str, tuple[str, ...]]]:
        named = {sdm for sdm, _ in given.get("places", ())}
        for sdm in available(seen, side):
            if sdm not in named:
                yield from ((sdm, (spot,)) for spot in numbers(seen, legal_hexes(seen, sdm)))

    return Ask(
        side=side,
        name="sdm",
        subject=side,
        prompt="where your supply distribution markers lie this turn; `keep` leaves them",
        verbs=(Sdm, Keep),
        check=partial(_check_depots, seen, side),
        offers=lambda: [Choice(Keep), gather(Sdm, "places", candidates)],
        default=Keep,
        case="13.2.1",
        top=True,
        hidden=True,
        join=_joined,
    )


# 3.2-C4


def staff_stage(table: Table, side: str) -> Procedure:
    """3.2-C4, C5: units out of supply are fed at twice the range, for an SP a hex; guns are resupplied."""
    while any(True for _ in _extensions(table, side)) or resupplies(table, side):
        order = yield _staff_ask(table, side)
        if isinstance(order, End):
            return
        yield from resupply(table, order) if isinstance(order, Resupply) else _extend(table, side, order)


def _extensions(table: Table, side: str) -> Iterator[tuple[str, str]]:
    """14.7: every hex with units out of supply that an SDM with SPs reaches at twice the range."""
    row = table.data.tables["supply"]["extended"]
    hungry = (unit for unit in table.position.on_map(side) if table.position.mark(unit, OOS) is not None)
    out = hexset.of(place(table, unit) for unit in hungry)
    if not out:
        return
    for sdm in sdms(table, side):
        at = table.position.hex_of(sdm)
        if at is None or points(table, sdm) < row["price"] or not traces(table, sdm):
            continue
        reached = fed(table, side, 1 << at, row["times"] * supply_range(table, side)) & out
        for h in hexset.members(reached):
            if _fed_there(table, side, sdm, number(table, h)):
                yield sdm, number(table, h)


def _fed_there(table: Table, side: str, sdm: str, spot: str) -> list[str]:
    """The units out of supply in a hex that an SDM may feed, no more than an SP feeds."""
    there = units_in(table, table.grid.hex(spot), side)
    out = [u for u in there if table.position.mark(u, OOS) is not None and u in clients(table, sdm)]
    return out[: table.data.tables["supply"]["extended"]["units"]]


def _extend(table: Table, side: str, order: Extend) -> Iterator[Fact]:
    price = table.data.tables["supply"]["extended"]["price"]
    yield Counted(track=sp_track(order.sdm), value=points(table, order.sdm) - price, because="14.7")
    for unit in _fed_there(table, side, order.sdm, order.at):
        yield Marked(subject=unit, mark=OOS, value=None, because="14.7")
        yield Noted(subject=unit, mark=SUPPLIED, value=EXTENDED, because="14.7")


def _check_staff(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, Resupply):
        check_resupply(table, side, order)
    if isinstance(order, Extend) and (order.sdm, order.at) not in set(_extensions(table, side)):
        offers = [f"{at} by {sdm}" for sdm, at in _extensions(table, side)]
        raise Illegal("14.7", f"{order.sdm} cannot feed units out of supply in {order.at}", unit=order.sdm, at=order.at,
                      instead="It can be", alternatives=offers)  # fmt: skip


def _staff_ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    reach: dict[str, list[str]] = {}
    for sdm, spot in _extensions(seen, side):
        reach.setdefault(spot, []).append(sdm)
    return Ask(
        side=side,
        name="staff",
        subject=side,
        prompt="extended supply for units out of supply, resupply for guns; `end` closes the stage",
        verbs=(Extend, Resupply, End),
        check=partial(_check_staff, seen, side),
        offers=lambda: [
            Choice(End),
            *(pick(Extend, "sdm", partial(list, by), at=at) for at, by in reach.items()),
            *map(whole, resupplies(seen, side)),
        ],
        default=End,
        case="14.7",
        top=True,
    )
