"""SDMs that serve another as a source in mud (18.14, an option)."""

from collections.abc import Iterator

from engine import hexset
from engine.facts import Counted, Fact, Marked, Noted
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, whole
from engine.refusals import Illegal, passes
from engine.rules.ground import number, numbers
from engine.rules.marks import marked
from games.jaws.data import Table
from games.jaws.orders.supply import Sdm
from games.jaws.rules.depots import (
    RELAYED,
    available,
    check_place,
    command_of,
    distance,
    farthest,
    increment,
    legal_hexes,
    road_layers,
)
from games.jaws.rules.ground import ground
from games.jaws.rules.spending import sp_track
from games.jaws.rules.units import levels

BEFORE = "relayed before"  # an SDM's mark while SDMs are laid: its relay of the turn before


def source_by_relay(table: Table, user: str, at: Hex) -> HexSet:
    """18.14-p2: where an SDM may lie that has the one in a hex as its source."""
    side = table.unit(user).side
    return hexset.union(road_layers(table, side, 1 << at)[: farthest(table, user) + 1]) & table.data.road_hexes


def check_relays(table: Table, side: str, order: Sdm) -> None:
    """18.14-p1, -p2. Raises Illegal."""
    places = {sdm: table.grid.hex(spot) for sdm, (spot,) in order.places}
    if order.relays and ground(table) != "mud":
        raise Illegal("18.14-p1", "SDMs are relays on mud turns only")
    named = [sdm for pair in order.relays for sdm in pair]
    for relay, user in order.relays:
        for sdm in (relay, user):
            if named.count(sdm) > 1:
                raise Illegal("18.14-p2", f"{sdm} is named twice: one SDM is a relay for one other", unit=sdm)
            if sdm not in places:
                raise Illegal("18.14-p1", f"say where {sdm} lies", unit=sdm, instead=f"`sdm {sdm} HEX, ... relay ...`")
            if sdm not in available(table, side):
                raise Illegal("13.2.1", f"{sdm} is not yours to place now", unit=sdm)
        _check_pair(table, relay, user)
        _check_spots(table, side, (relay, places[relay]), (user, places[user]))
    commands = [command_of(table, relay) for relay, _ in order.relays]
    twice = next((name for name in commands if commands.count(name) > 1), "")
    if twice:
        raise Illegal("18.14-p1", f"{twice} may have one relay")


def _check_pair(table: Table, relay: str, user: str) -> None:
    name = command_of(table, relay)
    if levels(table, name)[0].kind not in ("army", "korps"):
        raise Illegal("18.14-p1", f"{relay} is no SDM of an army or a korps", unit=relay)
    if name not in [body.id for body in levels(table, command_of(table, user))]:
        raise Illegal("18.14-p2", f"{user} is no SDM of {name} or of one of its corps or divisions", unit=user)


def _check_spots(table: Table, side: str, relay: tuple[str, Hex], user: tuple[str, Hex]) -> None:
    check_place(table, side, *relay)
    far, most = distance(table, *relay) or 0, increment(table, relay[0])
    if far > most:
        spot = number(table, relay[1])
        raise Illegal("18.14-p1", f"{spot} is {far} hexes from the source, and a relay lies within {most}",
                      unit=relay[0], at=spot)  # fmt: skip
    able = source_by_relay(table, user[0], relay[1])
    if not able >> user[1] & 1:
        spot, near = number(table, user[1]), hexset.within(table.grid, 1 << user[1], 4)
        raise Illegal("18.14-p2", f"{user[0]} in {spot} is not in reach of {relay[0]}", unit=user[0], at=spot,
                      instead="Near it", alternatives=numbers(table, able & near))  # fmt: skip


# The stage


def opened(table: Table) -> Iterator[Fact]:
    """Before SDMs are laid the relays of the turn before are none, and remembered."""
    for user in marked(table, RELAYED):
        yield Noted(subject=user, mark=BEFORE, value=table.position.mark(user, RELAYED), because="18.14-p1")
        yield Marked(subject=user, mark=RELAYED, value=None, because="18.14-p1")


def _places(table: Table, order: Sdm | None) -> dict[str, str]:
    return {sdm: spot for sdm, (spot,) in order.places} if order is not None else {}


def agreed(table: Table, side: str, order: Sdm | None) -> Sdm:
    """The order with the relays of the turn before that go on: of SDMs that nobody named, while they still can."""
    places = _places(table, order)
    pairs = list(order.relays) if order is not None else []
    for user in marked(table, BEFORE):
        relay = str(table.position.mark(user, BEFORE))
        here = {sdm: table.position.where.get(sdm, "") for sdm in (relay, user)}
        if table.unit(user).side != side or places.keys() & here.keys():
            continue
        more = Sdm(places=tuple((sdm, (spot,)) for sdm, spot in here.items()), relays=((relay, user),))
        taken = command_of(table, relay) in [command_of(table, other) for other, _ in pairs]
        on_map = all(table.grid.has(spot) for spot in here.values())
        if on_map and not taken and passes(check_relays, table, side, more):
            places |= here
            pairs.append((relay, user))
    return Sdm(places=tuple((sdm, (spot,)) for sdm, spot in places.items()), relays=tuple(pairs))


def relayed(table: Table, order: Sdm) -> Iterator[Fact]:
    """18.14-p2: who has whom as a source."""
    for relay, user in order.relays:
        yield Marked(subject=user, mark=RELAYED, value=relay, because="18.14-p2")


def emptied(table: Table) -> Iterator[Fact]:
    """18.14-p1: a relay has no SPs to give."""
    for user in marked(table, RELAYED):
        track = sp_track(str(table.position.mark(user, RELAYED)))
        if table.position.tracks.get(track, 0):
            yield Counted(track=track, value=0, because="18.14-p1")
    for user in marked(table, BEFORE):
        yield Noted(subject=user, mark=BEFORE, value=None, because="18.14-p1")


def relay_choices(table: Table, side: str) -> Iterator[Choice]:
    """For each army or korps one relay as far out as it may lie, and its other SDM as far as that reaches."""
    if not table.data.switch["relay"] or ground(table) != "mud":
        return
    done: set[str] = set()
    for relay in available(table, side):
        name = command_of(table, relay)
        if name in done or levels(table, name)[0].kind not in ("army", "korps"):
            continue
        users = [u for u in available(table, side) if u != relay and passes(_check_pair, table, relay, u)]
        near = [h for h in hexset.members(legal_hexes(table, relay)) if _within(table, relay, h)]
        if users and near:
            done.add(name)
            at = max(near, key=lambda h: (distance(table, relay, h) or 0, h))
            able = hexset.members(source_by_relay(table, users[0], at))
            to = max(able, key=lambda h: (table.grid.distance(at, h), h))
            spots = ((relay, (number(table, at),)), (users[0], (number(table, to),)))
            order = Sdm(places=spots, relays=((relay, users[0]),))
            if passes(check_relays, table, side, order):
                yield whole(order)


def _within(table: Table, relay: str, h: Hex) -> bool:
    far = distance(table, relay, h)
    return far is not None and far <= increment(table, relay)
