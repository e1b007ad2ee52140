"""Supply distribution markers (13.2, 14.2): where they may lie, what reaches them, and how far they reach."""

from collections.abc import Iterator, Sequence

from engine import hexset
from engine.facts import Counted, Fact, Placed, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import number, numbers, place
from engine.table import kept, kept_for_good, kept_while_still
from games.jaws.data import GERMAN, Table
from games.jaws.rules.ground import BRIDGE, ground, open_to, owner, river_steps, supply_sides, way_sides
from games.jaws.rules.units import army, is_sdm, levels, standing

BOX = "supply"  # where SDMs lie that are not on the map and may be placed
KORSUN = "SDM-Korsun"
CUT = "rail cut"  # 13.1.2: a hex's mark


def sp_track(sdm: str) -> str:
    """14.1: how many SPs an SDM has left."""
    return f"sp {sdm}"


def points(table: Table, sdm: str) -> int:
    return table.position.tracks.get(sp_track(sdm), 0)


@kept_for_good
def command_of(table: Table, sdm: str) -> str:
    """13.2.2, 13.2.3: the formation that an SDM serves."""
    return sdm.removeprefix("SDM-").partition("-")[0]


@kept_for_good
def sdms(table: Table, side: str) -> tuple[str, ...]:
    """All of a side's, the divisions' and corps' own first: what they do not feed is left to those above."""
    found = [unit.id for unit in table.roster.by_side(side) if "sdm" in unit.classes]
    upper = ("korps", "army")
    return tuple(sorted(found, key=lambda sdm: any(f.kind in upper for f in levels(table, command_of(table, sdm))[:1])))


def available(table: Table, side: str) -> list[str]:
    """13.2.1: those that are placed in this Supply Marker Phase."""
    where = table.position.where
    return [s for s in sdms(table, side) if where.get(s) == BOX or table.position.hex_of(s) is not None]


# Sources (13.1)


def terminals(table: Table) -> HexSet:
    """13.1.1: the rail terminals with an uninterrupted line to a German map-edge source."""
    return _terminals(table, open_to(table, GERMAN))


@kept_while_still(BRIDGE, CUT, owners=True)
def _terminals(table: Table, free: HexSet) -> HexSet:
    cut = hexset.of(table.grid.hex(s[1:]) for s, marks in table.position.marks.items() if CUT in marks)
    open_ = free & ~cut
    starts = table.data.sources("8A") | table.data.sources("1PzA") | _border(table, GERMAN, "rail")
    linked = hexset.flood(table.grid, starts, open_, way_sides(table, BRIDGE, True))
    return linked & table.data.area("rail terminals")


@kept_while_still(owners=True)
def _border(table: Table, side: str, kind: str) -> HexSet:
    """21.3: the ways to the other sheet that a side holds."""
    return hexset.of(h for h in hexset.members(table.data.border[kind]) if owner(table, h) == side)


def printed_sources(table: Table, side: str, command: str) -> HexSet:
    """13.1: the sources of an army or armee, on the other sheet the roads that lead there (21.3).

    All Germans have sources there: the rail terminals serve them all.
    """
    beyond = side == GERMAN or command in table.data.elsewhere
    return table.data.sources(command) | (_border(table, side, "road") if beyond else 0)


@kept
def sources_of(table: Table, side: str, command: str) -> HexSet:
    """All that a formation may trace to: its army's or armee's sources; for every German the rail terminals."""
    also = table.data.tables["supply"]["sources"].get(command)
    names = also if isinstance(also, list) else [f.id for f in levels(table, command) if f.kind in ("army", "armee")]
    found = hexset.union(printed_sources(table, side, name) for name in names)
    return found | terminals(table) if side == GERMAN else found


# Placing (13.2.1)


def road_layers(table: Table, side: str, sources: HexSet) -> list[HexSet]:
    """13.2.1-b: by distance, the hexes that a path along roads and railroads leads to from these sources."""
    return _road_layers(table, sources, open_to(table, side))


@kept_while_still(BRIDGE)
def _road_layers(table: Table, sources: HexSet, open_: HexSet) -> list[HexSet]:
    """What is open is given, so that nothing else that closes a hex is forgotten."""
    return hexset.distance_layers(table.grid, sources, open_, sides=way_sides(table, BRIDGE, False))


def far_along(table: Table, side: str, sources: HexSet) -> dict[Hex, int]:
    """How many hexes of way lie between each hex and the nearest of these sources."""
    return _far_along(table, sources, open_to(table, side))


@kept_while_still(BRIDGE)
def _far_along(table: Table, sources: HexSet, open_: HexSet) -> dict[Hex, int]:
    return {h: d for d, layer in enumerate(_road_layers(table, sources, open_)) for h in hexset.members(layer)}


def increment(table: Table, sdm: str) -> int:
    """14.2-p2"""
    return table.unit(sdm).value(ground(table))


def distance(table: Table, sdm: str, h: Hex) -> int | None:
    """How many hexes of way lie between a hex and the SDM's nearest source; None if no path leads there."""
    side = table.unit(sdm).side
    return far_along(table, side, sources_of(table, side, command_of(table, sdm))).get(h)


def received(table: Table, sdm: str, far: int) -> int:
    """14.2-p3: the capacity, less one for each increment beyond the first."""
    beyond = max(1, -(-far // increment(table, sdm))) - 1
    return max(0, table.unit(sdm).value("capacity") - beyond)


def farthest(table: Table, sdm: str) -> int:
    """14.2-p4: one increment beyond its capacity."""
    return (table.unit(sdm).value("capacity") + 1) * increment(table, sdm)


@kept
def legal_hexes(table: Table, sdm: str) -> HexSet:
    """13.2.1: where an SDM may be placed."""
    side = table.unit(sdm).side
    layers = road_layers(table, side, sources_of(table, side, command_of(table, sdm)))
    return hexset.union(layers[: farthest(table, sdm) + 1]) & table.data.road_hexes


def check_place(table: Table, side: str, sdm: str, h: Hex) -> None:
    """Raises Illegal."""
    spot = number(table, h)
    if sdm not in available(table, side):
        raise Illegal("13.2.1", f"{sdm} is not yours to place now", unit=sdm, alternatives=available(table, side),
                      instead="These are")  # fmt: skip
    if legal_hexes(table, sdm) >> h & 1:
        return
    near = numbers(table, legal_hexes(table, sdm) & hexset.within(table.grid, 1 << h, 4))
    if not table.data.road_hexes >> h & 1:
        raise Illegal("13.2.1-a", f"{spot} is no road hex", unit=sdm, at=spot, instead="Near it", alternatives=near)
    far = distance(table, sdm, h)
    if far is None:
        raise Illegal("13.2.1-b", f"no road leads from a source of {command_of(table, sdm)} to {spot} past the enemy",
                      unit=sdm, at=spot, instead="Near it", alternatives=near)  # fmt: skip
    raise Illegal("13.2.1-c", f"{spot} is {far} hexes from the source, and {sdm} reaches {farthest(table, sdm)}",
                  unit=sdm, at=spot, instead="Near it", alternatives=near)  # fmt: skip


# What an SDM feeds (13.3)


def fed(table: Table, side: str, start: HexSet, far: int) -> HexSet:
    """13.3: the hexes whose units have a supply path of at most so many hexes to one of the start's."""
    return _fed(table, side, start, far, open_to(table, side))


@kept_while_still(BRIDGE)
def _fed(table: Table, side: str, start: HexSet, far: int, open_: HexSet) -> HexSet:
    layers = hexset.distance_layers(table.grid, start, open_, limit=far, sides=supply_sides(table, BRIDGE))
    near = hexset.union(layers[:far])
    return hexset.union(layers) | hexset.across(table.grid, near, river_steps(table)) & standing(table, side)


def supply_range(table: Table, side: str) -> int:
    """13.4.1-a"""
    row = table.data.tables["supply"]["range"]
    return (row["german"] if side == GERMAN else row["soviet"])[ground(table)]


@kept_for_good
def clients(table: Table, sdm: str) -> frozenset[str]:
    """13.2.2, 13.2.3: the units that an SDM may feed."""
    side, command = table.unit(sdm).side, command_of(table, sdm)
    if sdm == KORSUN:
        return frozenset(unit.id for unit in table.roster.by_side(side))
    own = {unit.id for unit in table.roster.by_formation(command)}
    body = levels(table, command)
    if body[0].kind == "army":  # units without an army's name may use any army's SDM of their Front
        loose = [u for u in table.roster.by_formation(body[-1].id) if not army(table, u)]
        own |= {unit.id for unit in loose}
    return frozenset(own)


@kept_for_good
def patrons(table: Table, unit: str) -> list[str]:
    """The SDMs that may feed a unit, its own division's or corps' first."""
    return [sdm for sdm in sdms(table, table.unit(unit).side) if unit in clients(table, sdm)]


# By default (13.2.1)


def default_places(table: Table, side: str, named: Sequence[str] = ()) -> dict[str, str]:
    """Where SDMs go that nobody names: where they lie; else the nearest legal hex; new ones where they feed most."""
    found: dict[str, str] = {}
    hungry = frozenset(u for u in table.position.on_map(side) if not is_sdm(table, u))
    new: dict[str, list[str]] = {}
    for sdm in available(table, side):
        here, legal = table.position.hex_of(sdm), legal_hexes(table, sdm)
        if sdm in named:
            continue
        if not legal:
            found[sdm] = BOX
        elif here is None:
            new.setdefault(command_of(table, sdm), []).append(sdm)
        else:
            found[sdm] = number(table, here if legal >> here & 1 else _nearest(table, sdm, here, legal))
            hungry -= _fed_from(table, sdm, table.grid.hex(found[sdm]), hungry)
    for group in new.values():
        for sdm, h in zip(group, _best(table, group, hungry), strict=True):
            found[sdm] = number(table, h)
            hungry -= _fed_from(table, sdm, h, hungry)
    return found


def _feeders(table: Table, side: str, h: Hex) -> HexSet:
    """13.3: the hexes from which units in a hex would be fed: `fed` from the other end."""
    far, open_, sides = supply_range(table, side), open_to(table, side), supply_sides(table, BRIDGE)
    banks = hexset.across(table.grid, 1 << h, river_steps(table))
    own = hexset.distance_layers(table.grid, 1 << h, open_, limit=far, sides=sides)
    over = hexset.distance_layers(table.grid, banks, open_, limit=far - 1, sides=sides)
    return hexset.union(own) | hexset.union(over)


def _fed_from(table: Table, sdm: str, h: Hex, hungry: frozenset[str]) -> frozenset[str]:
    """Who of these an SDM would feed from a hex."""
    side = table.unit(sdm).side
    covered = fed(table, side, 1 << h, supply_range(table, side))
    return frozenset(u for u in hungry & clients(table, sdm) if covered >> (table.position.hex_of(u) or 0) & 1)


def _nearest(table: Table, sdm: str, here: Hex, legal: HexSet) -> Hex:
    return min(hexset.members(legal), key=lambda h: (table.grid.distance(here, h), distance(table, sdm, h) or 0, h))


def _best(table: Table, group: Sequence[str], hungry: frozenset[str]) -> list[Hex]:
    """The hexes from which the one or two SDMs of a command feed most of its hungry units, then with the most SPs."""
    sdm = group[0]
    order = sorted(hungry & clients(table, sdm))
    feeders = {h: _feeders(table, table.unit(sdm).side, h) for h in {place(table, unit) for unit in order}}
    near = [feeders[place(table, unit)] for unit in order]
    worth: dict[int, tuple[int, int, Hex]] = {}  # by who is fed, the best hex for it
    for h in hexset.members(legal_hexes(table, sdm)):
        bits = hexset.of(n for n, hexes in enumerate(near) if hexes >> h & 1)
        rank = (received(table, sdm, distance(table, sdm, h) or 0), -h, h)
        worth[bits] = max(worth.get(bits, rank), rank)

    def value(*chosen: int) -> tuple[int, ...]:
        return hexset.union(chosen).bit_count(), sum(worth[bits][0] for bits in chosen), *(worth[b][1] for b in chosen)

    if len(group) == 1:
        return [worth[max(worth, key=value)][2]]
    pairs = ((one, two) for one in worth for two in worth)
    return [worth[bits][2] for bits in max(pairs, key=lambda pair: value(*pair))]


def lay(table: Table, side: str, places: dict[str, str]) -> Iterator[Fact]:
    """13.2.1: the SDMs are placed; those that had to move of themselves are told of."""
    for sdm, spot in places.items():
        if table.position.where[sdm] != spot:
            yield Placed(unit=sdm, at=spot, because="13.2.1")


def receive(table: Table, side: str) -> Iterator[Fact]:
    """14.2: every SDM has the SPs that its distance leaves it; none are saved (14.2-c2)."""
    for sdm in sdms(table, side):
        here = table.position.hex_of(sdm)
        far = None if here is None else distance(table, sdm, here)
        value = 0 if far is None else received(table, sdm, far)
        if points(table, sdm) != value:
            yield Counted(track=sp_track(sdm), value=value, because="14.2")


# Enemies beside it (13.2.4)


def exposed(table: Table, side: str, h: Hex) -> list[str]:
    """The SDMs of a side next to a hex, with none of its combat units in theirs."""
    near = hexset.spread(table.grid, 1 << h) & ~standing(table, side)
    return [s for s in sdms(table, side) if (at := table.position.hex_of(s)) is not None and near >> at & 1]


def refuge(table: Table, sdm: str, far: int) -> str:
    """13.2.4: so many hexes along the road toward its source, through zones but through no enemy; BOX if it cannot."""
    side, here = table.unit(sdm).side, table.position.hex_of(sdm)
    assert here is not None
    open_ = table.data.land & ~standing(table, table.enemy(side))
    sources = sources_of(table, side, command_of(table, sdm)) | hexset.union(
        printed_sources(table, side, f.id) for f in levels(table, command_of(table, sdm)) if f.kind in ("army", "armee")
    )
    layers = hexset.distance_layers(table.grid, sources, open_, sides=way_sides(table, BRIDGE, False))
    away = next((d for d, layer in enumerate(layers) if layer >> here & 1), None)
    if not away:
        return BOX
    at = here
    for step in range(1, min(far, away) + 1):
        ways = way_sides(table, BRIDGE, False)
        at = next(hexset.members(hexset.across(table.grid, 1 << at, ways) & layers[away - step]))
    return number(table, at)


def displaced(table: Table, side: str, h: Hex) -> Iterator[Fact]:
    """13.2.4: an enemy of that side came next to its SDMs: each goes two hexes back, or off the map."""
    for sdm in exposed(table, side, h):
        spot = refuge(table, sdm, 2)
        yield Placed(unit=sdm, at=spot, because="13.2.4")
        said = f"to {spot}" if spot != BOX else "off the map until next turn"
        yield Told(text=f"{sdm} is displaced {said}.", because="13.2.4")
