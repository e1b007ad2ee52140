"""The German Air Supply Stage (3.2-D, 14.6): drops are flown, then Korsun is; then next turn's missions are set."""

from collections.abc import Iterator
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure, Roll
from engine.facts import Counted, Fact, Marked, Noted, Told
from engine.hexset import HexSet
from engine.orders.choice import Choice, Given, gather, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import is_a, numbers, place
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.supply import Allocate, Drop, Feed, NoDrop
from games.jaws.rules.ammunition import FIRED
from games.jaws.rules.depots import sdms
from games.jaws.rules.ground import ground
from games.jaws.rules.korsun import DROPS, LIFT, TRACK, airfield_since, stock, town_lost
from games.jaws.rules.second_airfield import LIFT as FIELD_LIFT
from games.jaws.rules.second_airfield import lands
from games.jaws.rules.second_depot import drop_zone, dropped
from games.jaws.rules.spending import BY_AIR, DROPPED, SUPPLIED, points, sp_track
from games.jaws.rules.stores import FIELD, at_work, held, put, site
from games.jaws.rules.units import OOS, hungry


def airlift_stage(table: Table) -> Procedure:
    """3.2-D1 to D4."""
    while _left(table) and (targets(table) or markers(table) or drop_zone(table)):
        order = yield _drop_ask(table)
        if isinstance(order, NoDrop):
            break
        yield Counted(track=DROPS, value=_left(table) - 1, because="14.6.4")
        yield from _fly(table, order)
    if _left(table):
        yield Counted(track=DROPS, value=0, because="14.6.4-p6")
    yield from _lift(table, LIFT, "Korsun")
    yield from _lift(table, FIELD_LIFT, "Second airfield")
    order = yield _allocate_ask(table)
    yield Counted(track=DROPS, value=order.drops, because="14.6.1")
    if order.korsun:
        yield Counted(track=LIFT, value=order.korsun, because="14.6.2")
    if order.airfield:
        yield Counted(track=FIELD_LIFT, value=order.airfield, because="18.8-c3")


def _left(table: Table) -> int:
    """14.6.1: the Air-Drops that may still be flown this turn."""
    return table.position.tracks.get(DROPS, 0)


# 14.6.4


def targets(table: Table) -> list[str]:
    """14.6.4-p1: the hexes with a German unit out of supply."""
    return numbers(table, hexset.of(place(table, unit) for unit in hungry(table, GERMAN)))


def markers(table: Table) -> list[str]:
    """14.6.4-p1: the SDMs on the map that have room for an SP."""
    on_map = [sdm for sdm in sdms(table, GERMAN) if table.position.hex_of(sdm) is not None]
    return [sdm for sdm in on_map if _room(table, sdm) > 0]


def _room(table: Table, sdm: str) -> int:
    """14.6.4-p4a: how many SPs an SDM can still take; 14.5.1-b: what Korsun cannot give it takes up no room."""
    return table.unit(sdm).value("capacity") - points(table, sdm)


def _emptiest(table: Table) -> str:
    """The SDM that has the fewest SPs left."""
    return min(markers(table), key=lambda sdm: (points(table, sdm), sdm))


def fed_at(table: Table, spot: str) -> list[str]:
    """14.6.4-p4b: the units out of supply in or next to a hex."""
    near = hexset.within(table.grid, 1 << table.grid.hex(spot), 1)
    return [unit for unit in hungry(table, GERMAN) if near >> place(table, unit) & 1]


def _fly(table: Table, order: Drop) -> Procedure:
    """14.6.4-p2 to -p5: one die, no modifiers."""
    where = order.sdm or (drop_zone(table) if order.depot else order.at)
    row = table.data.tables["supply"]["airlift"]["drop"]
    die: int = yield Roll(f"Air-Drop, {where}")
    brought = (row["sdm"] if order.sdm else row["hex"])[die - 1]
    if not brought:
        yield Told(text=f"The Air-Drop to {where} brings nothing.", because="14.6.4-p5")
    elif order.depot:
        yield from dropped(table, brought)
    elif order.sdm:
        yield from _stored(table, order.sdm, brought)
    else:
        yield from _fed(table, order.at, brought)


def _stored(table: Table, sdm: str, brought: int) -> Iterator[Fact]:
    """14.6.4-p4a: as many as the SDM can show."""
    now, brought = table.position.tracks.get(sp_track(sdm), 0), min(brought, _room(table, sdm))
    shown = min(table.unit(sdm).value("capacity"), now + brought)
    if shown != now:
        yield Counted(track=sp_track(sdm), value=shown, because="14.6.4-p4a")
    else:
        yield Told(text=f"The Air-Drop brings {sdm} {brought} SPs of its own.", because="14.6.4-p4a")
    before = int(table.position.mark(sdm, DROPPED) or 0)
    yield Noted(subject=sdm, mark=DROPPED, value=before + brought, because="14.6.4-p4a")


def _fed(table: Table, spot: str, most: int) -> Procedure:
    """14.6.4-p4b: the owner says who, if not all can be fed."""
    units = fed_at(table, spot)
    if len(units) > most:
        order = yield _feed_ask(table, spot, most)
        units = list(order.units)
    for unit in units:
        yield Marked(subject=unit, mark=OOS, value=None, because="14.6.4-p4b")
        yield Noted(subject=unit, mark=SUPPLIED, value=BY_AIR, because="14.6.4-p4b")
        if table.position.mark(unit, FIRED) is not None:
            yield Marked(subject=unit, mark=FIRED, value=None, because="14.6.4-p4b")


def _check_drop(table: Table, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, Drop):
        return
    if order.depot and not drop_zone(table):
        raise Illegal("18.9-p4", "there is no second depot that was set up on an earlier turn")
    if [bool(order.sdm), bool(order.at), order.depot].count(True) != 1:
        raise Illegal("14.6.4-p1", "an Air-Drop goes to a hex or to an SDM", instead="Say one of",
                      alternatives=[*targets(table), *markers(table)])  # fmt: skip
    if order.at and order.at not in targets(table):
        raise Illegal("14.6.4-p1", f"no German unit in {order.at} is out of supply", at=order.at,
                      instead="There are in", alternatives=targets(table))  # fmt: skip
    if order.sdm and order.sdm not in markers(table):
        raise Illegal("14.6.4-p4a", f"{order.sdm} is no SDM of yours on the map with room for SPs", unit=order.sdm,
                      instead="These are", alternatives=markers(table))  # fmt: skip


def _drop_ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    spots = targets(seen)
    best = max(spots, key=lambda spot: len(fed_at(seen, spot)), default="")
    return Ask(
        side=GERMAN,
        name="drop",
        subject=GERMAN,
        prompt=f"Air-Drops left: {_left(table)}; where the next one goes, or `no drop`",
        verbs=(Drop, NoDrop),
        check=partial(_check_drop, seen),
        offers=lambda: [
            Choice(NoDrop),
            *(whole(Drop(at=spot)) for spot in spots),
            *(whole(Drop(sdm=sdm)) for sdm in markers(seen)),
            *([whole(Drop(depot=True))] if drop_zone(seen) else []),
        ],
        default=lambda: Drop(at=best) if best else Drop(sdm=_emptiest(seen)) if markers(seen) else Drop(depot=True),
        case="14.6.4-p1",
        reaction=True,
        passable=True,
    )


def _feed_ask(table: Table, spot: str, most: int) -> Ask:
    seen = table.seen_by(GERMAN)
    able = fed_at(seen, spot)

    def check(order: Order) -> None:
        assert isinstance(order, Feed)
        for unit in order.units:
            if unit not in able:
                raise Illegal("14.6.4-p4b", f"{unit} is not out of supply in or next to {spot}", unit=unit, at=spot,
                              instead="These are", alternatives=able)  # fmt: skip
        if len(order.units) > most:
            raise Illegal("14.6.4-p4b", f"the drop feeds {most} units, and {len(order.units)} are named", at=spot)

    def more(given: Given) -> list[str]:
        named = given.get("units", ())
        return [unit for unit in able if unit not in named] if len(named) < most else []

    return Ask(
        side=GERMAN,
        name="feed",
        subject=spot,
        prompt=f"the drop at {spot} feeds {most} of {', '.join(able)}: whom",
        verbs=(Feed,),
        check=check,
        offers=lambda: [gather(Feed, "units", more)],
        default=lambda: Feed(units=tuple(able[:most])),
        case="14.6.4-p4b",
        reaction=True,
        passable=True,
        units=tuple(able),
    )


# 14.6.3


def _lift(table: Table, missions: str, name: str) -> Procedure:
    """14.6.3: one die for all that was allocated; what is left comes to Korsun; 18.8-c2: or to the second airfield."""
    flown, second = table.position.tracks.get(missions, 0), missions == FIELD_LIFT
    if not flown:
        return
    if lands(table) if second else may_fly(table):
        field, track = (at_work(table, FIELD), FIELD) if second else (table.data.area("Korsun airfield"), TRACK)
        die: int = yield Roll(f"{name} air supply losses")
        rows = table.data.tables["supply"]["airlift"]["loss"]["points"]
        lost = min(flown, rows[max(0, min(die + loss_modifier(table, field), len(rows) - 1))])
        yield Told(text=f"{name} air supply: {flown} SPs flown, {lost} lost.", because="14.6.3-p4")
        yield from put(table, track, held(table, track) + flown - lost, "14.6.3-p5")
    yield Counted(track=missions, value=0, because="14.6.3-p6")


def may_fly(table: Table) -> bool:
    """14.5.1-d: from the second turn after the airfield was activated; 14.5.2-2: while the town is German."""
    since = airfield_since(table)
    return bool(since) and table.position.turn >= since + 2 and not town_lost(table)


def may_allocate(table: Table) -> bool:
    """14.5.1-c: from the turn after."""
    since = airfield_since(table)
    return bool(since) and table.position.turn > since and not town_lost(table)


def loss_modifier(table: Table, field: HexSet) -> int:
    """14.6.3-p2: for an airfield."""
    row = table.data.tables["supply"]["airlift"]["loss"]
    flak = hexset.within(table.grid, field, row["antiair_hexes"])
    guard = sum(is_a(table, u, "antiair") and flak >> place(table, u) & 1 for u in table.position.on_map(GERMAN))
    guns = sum(_shells(table, unit, field) for unit in table.position.on_map(SOVIET))
    fire = row["many_guns"] if guns >= row["many"] else row["guns"] if guns else 0
    return guard * row["antiair"] + fire + (row["mud"] if ground(table) == "mud" else 0)


def _shells(table: Table, gun: str, field: HexSet) -> bool:
    """14.6.3-p2: an artillery unit in supply, on its front side, that has the airfield in range."""
    if not is_a(table, gun, "artillery") or any(table.position.mark(gun, mark) is not None for mark in (OOS, FIRED)):
        return False
    far = table.unit(gun).value("range") if table.unit(gun).has("range") else 0
    return bool(far) and bool(hexset.within(table.grid, 1 << place(table, gun), far) & field)


# 14.6.1, 14.6.2


def _check_allocate(table: Table, order: Order) -> None:
    """Raises Illegal."""
    assert isinstance(order, Allocate)
    row = table.data.tables["supply"]["airlift"]
    if order.drops > row["drops"]:
        raise Illegal("14.6.1", f"at most {row['drops']} Air-Drops are flown a turn")
    if order.korsun and airfield_since(table) and town_lost(table):
        raise Illegal("14.5.2-2", "nothing is flown to Korsun while the town is Soviet", instead="Say only `drops`")
    if order.korsun and not may_allocate(table):
        raise Illegal("14.5.1-c", "nothing is flown to Korsun before the turn after its airfield was activated",
                      instead="Say only `drops`")  # fmt: skip
    most = table.data.tables["options"]["second_airfield"]["most"]
    if order.airfield and site(table, FIELD) is None:
        raise Illegal("18.8-p4", "there is no second airfield, and none under construction")
    if order.airfield > most:
        raise Illegal("18.8-c1", f"at most {most} SPs are flown to the second airfield in a turn")
    if order.airfield and order.drops + order.korsun + order.airfield > row["missions"]:
        raise Illegal("18.8-c3", f"Air-Drops and both airfields share {row['missions']} missions a turn")
    if order.drops + order.korsun > row["missions"]:
        raise Illegal("14.6.2", f"at most {row['missions']} missions are flown a turn, Air-Drops and Korsun together")


def allocation(table: Table) -> Allocate:
    """All that can fly: Air-Drops if anybody is out of supply or nothing flies to Korsun, the rest to Korsun."""
    row, lift = table.data.tables["supply"]["airlift"], may_allocate(table)
    second = site(table, FIELD) is not None
    drops = row["drops"] if hungry(table, GERMAN) or not (lift or second) else 0
    left = row["missions"] - drops
    if second and not lift:
        return Allocate(drops=drops, airfield=min(left, table.data.tables["options"]["second_airfield"]["most"]))
    return Allocate(drops=drops, korsun=left if lift else 0)


def _allocate_ask(table: Table) -> Ask:
    seen = table.seen_by(GERMAN)
    row, lift = table.data.tables["supply"]["airlift"], may_allocate(seen)

    def offers() -> list[Choice]:
        pairs = [(d, k) for d in range(row["drops"] + 1) for k in range((row["missions"] - d if lift else 0) + 1)]
        most = table.data.tables["options"]["second_airfield"]["most"] if site(seen, FIELD) is not None else 0
        shares = [(d, k, a) for d, k in pairs for a in range(min(most, row["missions"] - d - k) + 1)]
        return [whole(Allocate(drops=d, korsun=k, airfield=a)) for d, k, a in shares if d or k or a] + [
            Choice(Allocate)
        ]

    return Ask(
        side=GERMAN,
        name="allocate",
        subject=GERMAN,
        prompt="next turn's missions from Uman: Air-Drops, and SPs to Korsun",
        verbs=(Allocate,),
        check=partial(_check_allocate, seen),
        offers=offers,
        default=partial(allocation, seen),
        case="14.6.1",
        reaction=True,
        passable=True,
        amounts=(("korsun", stock(seen)),),
    )
