"""The Mutual Supply Stage (3.2-C): SDMs sealed by both sides and opened together, SPs, supply; then the staffs."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from engine.asks import Ask, Procedure, Together
from engine.orders.choice import Choice, Given, gather, pick, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import numbers
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.optional import Haul
from games.jaws.orders.supply import Assign, Drop, Extend, Keep, Resupply, Sdm, Transfer
from games.jaws.orders.turn import End
from games.jaws.rules import panzer_24, rail_capacity, relays, second_depot, soviet_drops
from games.jaws.rules.ammunition import check_resupply, resupplies, resupply
from games.jaws.rules.assigning import assign, check_assign, rearmings
from games.jaws.rules.depots import BOX, available, check_place, legal_hexes, receive
from games.jaws.rules.extended import check_extend, extend, extend_choices, extensions
from games.jaws.rules.isolation import restored, trickle
from games.jaws.rules.laying import check_korsun, default_places, drawn, laid_by_default, lay
from games.jaws.rules.supply import determine
from games.jaws.rules.transfers import check_transfer, transfer, transferable

SIDES = (SOVIET, GERMAN)


def supply_stage(table: Table) -> Procedure:
    """3.2-C1 to C3: both lay their SDMs unseen; then SPs are received and supply is determined."""
    yield from restored(table)
    yield from panzer_24.depot(table)
    yield from relays.opened(table)
    yield from rail_capacity.shortage(table)
    answers = yield Together(tuple(_depot_ask(table, side) for side in SIDES))
    for side, order in zip(SIDES, answers, strict=True):
        meant = relays.agreed(table, side, order if isinstance(order, Sdm) else None)
        named = {sdm: spot for sdm, (spot,) in meant.places}
        yield from lay(table, named)
        yield from drawn(table, order if isinstance(order, Sdm) else None)
        yield from laid_by_default(table, default_places(table, side, tuple(named)))
        yield from relays.relayed(table, meant)
    for side in SIDES:
        yield from receive(table, side)
    yield from relays.emptied(table)
    yield from rail_capacity.shortened(table)
    yield from trickle(table)
    for side in SIDES:
        yield from determine(table, side)


def _check_depots(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, Sdm):
        named = [sdm for sdm, _ in order.places]
        twice = next((sdm for sdm in named if named.count(sdm) > 1), "")
        if twice:
            raise Illegal("13.2.1", f"{twice} is placed twice", unit=twice)
        if order.relays and not table.data.switch["relay"]:
            raise Illegal("18.14-p1", "relays are an option that is not played with")
        relays.check_relays(table, side, order)
        fed_by_relay = [user for _, user in order.relays]
        for sdm, (spot,) in order.places:
            if sdm not in fed_by_relay:
                check_place(table, side, sdm, table.grid.hex(spot))
        check_korsun(table, side, order)


def _joined(first: Any, second: Any) -> Order | None:
    """Two lines that place SDMs are one answer."""
    if isinstance(first, Sdm) and isinstance(second, Sdm):
        return Sdm(
            places=(*first.places, *second.places),
            relays=(*first.relays, *second.relays),
            draws=(*first.draws, *second.draws),
        )
    return None


def _anew(table: Table, side: str) -> list[Choice]:
    """All of them where they feed most, in one order, unless they lie so already."""
    places = default_places(table, side, (), True)
    named = tuple((sdm, (spot,)) for sdm, spot in places.items() if spot != BOX)
    return [whole(Sdm(places=named))] if named and places != default_places(table, side) else []


def _depot_ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)

    def candidates(given: Given) -> Iterator[tuple[str, tuple[str, ...]]]:
        named = {sdm for sdm, _ in given.get("places", ())}
        for sdm in available(seen, side):
            if sdm not in named:
                yield from ((sdm, (spot,)) for spot in numbers(seen, legal_hexes(seen, sdm)))

    return Ask(
        side=side,
        name="supply",
        subject=side,
        prompt="where your supply distribution markers lie this turn; `keep` leaves them",
        verbs=(Sdm, Keep),
        check=partial(_check_depots, seen, side),
        offers=lambda: [
            Choice(Keep),
            *_anew(seen, side),
            *relays.relay_choices(seen, side),
            gather(Sdm, "places", candidates),
        ],
        default=Keep,
        case="13.2.1",
        top=True,
        hidden=True,
        join=_joined,
    )


# 3.2-C3 to C6


def staff_stage(table: Table, side: str) -> Procedure:
    """3.2-C3 to C6: transfers are named, units fed at twice the range, guns resupplied; the Soviets drop supply."""
    while _anything(table, side):
        order = yield _staff_ask(table, side)
        if isinstance(order, End):
            break
        yield from _done(table, side, order)
    yield from soviet_drops.over(table)
    yield from second_depot.hauled(table)


def _anything(table: Table, side: str) -> bool:
    if soviet_drops.targets(table, side):
        return True
    if soviet_drops.begun(table):
        return False
    if side == GERMAN and second_depot.hauls(table):
        return True
    if next(extensions(table, side), None) is not None or resupplies(table, side) or rearmings(table, side):
        return True
    return bool(transferable(table, side))


def _done(table: Table, side: str, order: Order) -> Procedure:
    if isinstance(order, Resupply):
        yield from resupply(table, order)
    elif isinstance(order, Extend):
        yield from extend(table, side, order)
    elif isinstance(order, Assign):
        yield from assign(order)
    elif isinstance(order, Transfer):
        yield from transfer(table, order)
    elif isinstance(order, Drop):
        yield from soviet_drops.drop(table, order)
    elif isinstance(order, Haul):
        yield from second_depot.haul(table, order)


def _check_staff(table: Table, side: str, order: Order) -> None:
    """Raises Illegal."""
    if isinstance(order, Drop):
        soviet_drops.check_drop(table, side, order)
    elif not isinstance(order, End) and soviet_drops.begun(table):
        raise Illegal("3.2-C6", "the Air-Drop Phase comes last, and it has begun", instead="Say `drop` or `end`")
    elif isinstance(order, Resupply):
        check_resupply(table, side, order)
    elif isinstance(order, Extend):
        check_extend(table, side, order)
    elif isinstance(order, Assign):
        check_assign(table, side, order)
    elif isinstance(order, Transfer):
        check_transfer(table, side, order)
    elif isinstance(order, Haul):
        second_depot.check_haul(table, order)


def _offers(table: Table, side: str) -> list[Choice]:
    drops = [whole(Drop(at=spot)) for spot in soviet_drops.targets(table, side)]
    if soviet_drops.begun(table):
        return [Choice(End), *drops]
    return [
        Choice(End),
        *extend_choices(table, side),
        *map(whole, resupplies(table, side)),
        *map(whole, rearmings(table, side)),
        *(pick(Transfer, "command", partial(list, to), units=(u,)) for u, to in transferable(table, side).items()),
        *drops,
        *map(whole, second_depot.hauls(table) if side == GERMAN else []),
    ]


def _own(table: Table, side: str) -> tuple[type[Order], ...]:
    """The orders that only one side has."""
    return (Drop,) if side == SOVIET else (Haul,) if table.data.switch["second_depot"] else ()


def _staff_ask(table: Table, side: str) -> Ask:
    seen = table.seen_by(side)
    drops = ", Air-Drops" if soviet_drops.targets(seen, side) else ""
    return Ask(
        side=side,
        name="staff",
        subject=side,
        prompt=f"extended supply, resupply for guns, transfers{drops}; `end` closes the stage",
        verbs=(Extend, Resupply, Assign, Transfer, *_own(table, side), End),
        check=partial(_check_staff, seen, side),
        offers=partial(_offers, seen, side),
        default=lambda: soviet_drops.usual(seen, side) or End(),
        case="14.7",
        top=True,
    )
