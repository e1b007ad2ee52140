"""Supply distribution markers (13.2, 14.2): where they may lie, what reaches them, and how far they reach."""

from collections.abc import Iterator
from functools import lru_cache

from engine import hexset
from engine.facts import Counted, Fact, Noted
from engine.hexes import Hex
from engine.hexset import HexSet, Sides
from engine.refusals import Illegal
from engine.rules.ground import number, numbers
from engine.table import kept, kept_for_good, kept_while_still
from games.jaws.data import GERMAN, Data, Table, without
from games.jaws.rules.ground import (
    BRIDGE,
    CUT,
    MINES,
    cut_rails,
    ground,
    marked_sides,
    open_fords,
    open_to,
    owner,
    rail_sides,
    river_steps,
    supply_sides,
    way_sides,
)
from games.jaws.rules.korsun import TRACK, town
from games.jaws.rules.spending import DROPPED, FROM_KORSUN, sp_track, stored
from games.jaws.rules.stores import stores
from games.jaws.rules.units import army, front, levels, standing

BOX = "supply"  # where SDMs lie that are not on the map and may be placed
KORSUN = "SDM-Korsun"
PENDING = "transfer"  # 13.4.3-1: a unit's mark: to whom it goes in the next Supply Determination Phase
ATTACHED = "attached"  # 13.4.3-3: a unit's mark: the army or korps that feeds it
RELAYED = "relayed"  # 18.14-p2: an SDM's mark: the SDM that is its source
DRAWS = "draws on korsun"  # 14.5.1-b: an SDM's mark: said by its owner, who has another source
RELOCATED = "relocated"  # 16.2-p1: an SDM's mark
ANY_LENGTH = 1000  # hexes: farther than any path
PATHS_KEPT = 256  # as they were worked out for what is open now, or was a while ago


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
    """13.2.1: those that are placed in this Supply Marker Phase; 16.2-p2: not those of an isolated korps."""
    where = table.position.where
    found = [s for s in sdms(table, side) if where.get(s) == BOX or table.position.hex_of(s) is not None]
    return [sdm for sdm in found if not relocated(table, sdm)]


def relocated(table: Table, sdm: str) -> bool:
    """16.2-p2: whether an SDM stands where an isolated korps put it, and is its own source."""
    return table.position.mark(sdm, RELOCATED) is not None


def draws(table: Table, sdm: str) -> bool:
    """14.5.1-b: whether its owner has said that an SDM draws on Korsun, though another source feeds it too."""
    return table.position.mark(sdm, DRAWS) is not None


# Sources (13.1)


def terminals(table: Table) -> HexSet:
    """13.1.1: the rail terminals with an uninterrupted line to a German map-edge source."""
    return _terminals(table, open_to(table, GERMAN))


@kept_while_still(BRIDGE, CUT, MINES, owners=True)
def _terminals(table: Table, free: HexSet) -> HexSet:
    open_ = free & ~cut_rails(table, CUT)
    starts = table.data.sources("8A") | table.data.sources("1PzA") | _border(table, GERMAN, "rail")
    linked = hexset.flood(table.grid, starts, open_, without(rail_sides(table, BRIDGE), marked_sides(table, MINES)))
    return linked & table.data.area("rail terminals")


@kept_while_still(owners=True)
def _border(table: Table, side: str, kind: str) -> HexSet:
    """21.3: the ways to the other sheet that a side holds."""
    inside = table.data.scenario["state"]["korsun"]["inside"] if side == GERMAN else []  # roads within the pocket
    ways = [h for h in hexset.members(table.data.border[kind]) if number(table, h) not in inside]
    return hexset.of(h for h in ways if owner(table, h) == side)


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
    return _road_layers(table, side, sources, open_to(table, side))


@kept_while_still(BRIDGE, CUT, MINES)
def _road_layers(table: Table, side: str, sources: HexSet, open_: HexSet) -> list[HexSet]:
    """What is open is given, so that nothing else that closes a hex is forgotten."""
    return _layers(table.data, sources, open_, way_sides(table, side))


@lru_cache(maxsize=PATHS_KEPT)
def _layers(data: Data, sources: HexSet, open_: HexSet, sides: Sides) -> list[HexSet]:
    """Most moves open and close nothing: the same paths are asked for again and again."""
    return hexset.distance_layers(data.board.grid, sources, open_, sides=sides)


def far_along(table: Table, side: str, sources: HexSet) -> dict[Hex, int]:
    """How many hexes of way lie between each hex and the nearest of these sources."""
    return _far_along(table, side, sources, open_to(table, side))


@kept_while_still(BRIDGE, CUT, MINES)
def _far_along(table: Table, side: str, sources: HexSet, open_: HexSet) -> dict[Hex, int]:
    return _lengths(table.data, sources, open_, way_sides(table, side))


@lru_cache(maxsize=PATHS_KEPT)
def _lengths(data: Data, sources: HexSet, open_: HexSet, sides: Sides) -> dict[Hex, int]:
    layers = _layers(data, sources, open_, sides)
    return {h: d for d, layer in enumerate(layers) for h in hexset.members(layer)}


def increment(table: Table, sdm: str) -> int:
    """14.2-p2"""
    return table.unit(sdm).value(ground(table))


@kept
def lines(table: Table, sdm: str) -> list[tuple[str, HexSet]]:
    """What leads to an SDM: its army's or armee's sources first; then Korsun's depot (14.5.1-b), which alone serves the
    Korsun SDM (13.2.3), and those of options (18.8, 18.9). Says the track of the depot, if it is one."""
    side, special = table.unit(sdm).side, stores(table) if table.unit(sdm).side == GERMAN else {}
    if sdm == KORSUN:
        linked = terminals(table) & 1 << town(table)
        return [("", linked)] if linked else [(TRACK, special.get(TRACK, 0))]
    own = [("", sources_of(table, side, command_of(table, sdm))), *special.items()]
    own = [*own[1:], own[0]] if draws(table, sdm) else own
    relay = table.position.hex_of(str(table.position.mark(sdm, RELAYED) or ""))
    return own if relay is None else [("", 1 << relay), *own]  # 18.14-p2


def line_to(table: Table, sdm: str, h: Hex) -> tuple[str, HexSet, int] | None:
    """The line by which an SDM is fed in a hex: from which depot of the pocket, if any, which sources, and how far, of
    several depots the nearest; one that is too long only if there is no other; None if no path leads there."""
    side = table.unit(sdm).side
    found = [
        (store, sources, far)
        for store, sources in lines(table, sdm)
        if (far := far_along(table, side, sources).get(h)) is not None
    ]
    found.sort(key=lambda line: (bool(line[0]) != draws(table, sdm), line[2] if line[0] else 0))
    return next((line for line in found if line[2] <= farthest(table, sdm)), found[0] if found else None)


@kept
def distances(table: Table, sdm: str) -> dict[Hex, int]:
    """The length of the line to every hex that a path leads to."""
    side, most, found = table.unit(sdm).side, farthest(table, sdm), dict[Hex, int]()
    for _, sources in reversed(lines(table, sdm)):
        for h, far in far_along(table, side, sources).items():
            if far <= most or found.get(h, most + 1) > most:
                found[h] = far
    return found


def distance(table: Table, sdm: str, h: Hex) -> int | None:
    """How many hexes of way lie between a hex and the SDM's nearest source; None if no path leads there."""
    return distances(table, sdm).get(h)


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
    side, far = table.unit(sdm).side, farthest(table, sdm) + 1
    reached = (hexset.union(road_layers(table, side, sources)[:far]) for _, sources in lines(table, sdm))
    return hexset.union(reached) & table.data.road_hexes


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


def fed(table: Table, side: str, start: HexSet, far: int, *, banks: bool = True) -> HexSet:
    """13.3: the hexes whose units have a supply path of at most so many hexes to one of the start's; `banks`: also over
    a river beside them, as leads to an SDM and to nothing else."""
    return _fed(table, side, start, far, open_to(table, side), open_fords(table, side), banks)


@kept_while_still(BRIDGE, MINES)
def _fed(table: Table, side: str, start: HexSet, far: int, open_: HexSet, fords: Sides, banks: bool) -> HexSet:
    within, over = _within(table.data, start, far, open_, supply_sides(table, side), river_steps(table, side))
    return within | over & standing(table, side) if banks else within


@lru_cache(maxsize=4 * PATHS_KEPT)
def _within(data: Data, start: HexSet, far: int, open_: HexSet, sides: Sides, rivers: Sides) -> tuple[HexSet, HexSet]:
    """The hexes on such paths, and those a last step over a river away."""
    layers = hexset.distance_layers(data.board.grid, start, open_, limit=far, sides=sides)
    return hexset.union(layers), hexset.across(data.board.grid, hexset.union(layers[:far]), rivers)


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
        own |= {u.id for u in table.roster.by_side(side) if not army(table, u) and front(table, u) == body[-1].id}
    return frozenset(own)


def serves(table: Table, sdm: str, unit: str) -> bool:
    """13.4.3-3: whether an SDM may feed a unit: its own, or one that was transferred to its army or korps."""
    said = table.position.mark(unit, ATTACHED)
    return unit in clients(table, sdm) or (said is not None and said == command_of(table, sdm))


def patrons(table: Table, unit: str) -> list[str]:
    """The SDMs that may feed a unit, its own division's or corps' first."""
    side, said = table.unit(unit).side, table.position.mark(unit, ATTACHED)
    return list(_patrons(table, side, unit, None if said is None else str(said)))


@kept_for_good
def _patrons(table: Table, side: str, unit: str, attached: str | None) -> tuple[str, ...]:
    return tuple(s for s in sdms(table, side) if unit in clients(table, s) or attached == command_of(table, s))


# 14.2


def receive(table: Table, side: str) -> Iterator[Fact]:
    """14.2: every SDM has the SPs that its distance leaves it; none are saved (14.2-c2), but for those of an isolated
    korps (16.2-p3)."""
    for sdm in sdms(table, side):
        if relocated(table, sdm):
            continue
        here = table.position.hex_of(sdm)
        line = None if here is None else line_to(table, sdm, here)
        value = 0 if line is None else received(table, sdm, line[2])
        if stored(table, sdm):  # 8.6.4-p3
            value = min(table.unit(sdm).value("capacity"), value + stored(table, sdm))
        store = line[0] if line is not None else ""
        korsun = 1 if store == TRACK else store or None
        if table.position.mark(sdm, FROM_KORSUN) != korsun:
            yield Noted(subject=sdm, mark=FROM_KORSUN, value=korsun, because="14.5.1-b")
        if table.position.mark(sdm, DROPPED) is not None:
            yield Noted(subject=sdm, mark=DROPPED, value=None, because="14.2-c2")
        if table.position.tracks.get(sp_track(sdm), 0) != value:
            yield Counted(track=sp_track(sdm), value=value, because="14.2")
