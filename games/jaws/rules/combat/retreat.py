"""Retreats (12.13, 12.16): every way that the conditions leave, and what it does to who goes."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from engine import hexset
from engine.asks import Ask, Step
from engine.facts import Fact, Marked, Moved, Noted
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, whole
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import crosses, is_a, number, path_numbers, place
from engine.rules.retreat import Way, best_ways
from engine.table import kept
from games.jaws.data import GERMAN, SOVIET, Table, joined
from games.jaws.orders.combat import Drive, Retreat
from games.jaws.rules.barrage.batteries import broken_up
from games.jaws.rules.barrage.markers import SHELTERED, under_fire
from games.jaws.rules.collapse import fell
from games.jaws.rules.combat.battle import DECLARED, FELL_BACK, OPEN, alive, could_step
from games.jaws.rules.combat.halves import beside, closed_up
from games.jaws.rules.combat.map_edge import driven_off, edges_at
from games.jaws.rules.depots import patrons, relocated
from games.jaws.rules.escorts import escort
from games.jaws.rules.extension import twin
from games.jaws.rules.ground import open_to, passed, river_steps, supply_sides
from games.jaws.rules.losses import disorganize, lose
from games.jaws.rules.sight import identified
from games.jaws.rules.spending import points
from games.jaws.rules.stacking import breach, crowded_by_retreat
from games.jaws.rules.stores import stores
from games.jaws.rules.supply import sources
from games.jaws.rules.units import DISORGANIZED, REGROUP, attack_capable, going, standing, units_in, upset
from games.jaws.rules.wading import waded
from games.jaws.rules.zones import zones


@dataclass(frozen=True)
class Flight:
    """Units that must go back so many hexes, away from what was attacked; the attacker leads them in a breakthrough."""

    side: str
    units: tuple[str, ...]
    hexes: int
    away: tuple[Hex, ...]
    by: str  # who says which way
    active: bool  # whether that is the phasing side
    left: frozenset[Hex] = frozenset()  # hexes that must be left themselves


def _feeding(table: Table, unit: str) -> HexSet:
    """12.13.1-5: where a unit's supply may come from: its sources, the pocket's depots (14.5.1-b), and the SDMs of an
    isolated korps while they have SPs (16.2-p3)."""
    here = table.position.hex_of
    own = [here(sdm) for sdm in patrons(table, unit) if relocated(table, sdm) and points(table, sdm)]
    depots = stores(table).values() if table.unit(unit).side == GERMAN else ()
    return sources(table, unit) | hexset.union(depots) | hexset.of(h for h in own if h is not None)


@kept
def _fed(table: Table, side: str, starts: HexSet, left: Hex) -> HexSet:
    """12.13.1-5: the hexes from which a supply path of any length leads there, not through the hex that is left; no
    enemy zone in a unit's own hex bars it (13.3), and no river beside it."""
    sides, free = supply_sides(table, side), table.data.land & ~standing(table, table.enemy(side))
    linked = hexset.flood(table.grid, starts & free, open_to(table, side) & ~(1 << left), sides)
    return linked | hexset.across(table.grid, linked, joined(sides, river_steps(table, side))) & free


def _paths(table: Table, unit: str, way: Way, length: int) -> Iterator[Way]:
    if length == 0:
        yield way
        return
    enemy = standing(table, table.enemy(table.unit(unit).side))
    for there in table.grid.neighbours(way[-1]):
        if there not in way and not enemy >> there & 1 and could_step(table, unit, way[-1], there):
            yield from _paths(table, unit, (*way, there), length - 1)


@kept
def ways(table: Table, unit: str, hexes: int, away: tuple[Hex, ...], left: frozenset[Hex]) -> list[Way]:
    """12.13.1-5: into no hex that must be left if there is another; in supply if it can be, then as far as can be, of
    two hexes attacked as one from both, then past the fewest ZOC and ZOI hexes; as many hexes as there is room for
    (12.13.1-7). The safest comes first."""
    side, start = table.unit(unit).side, place(table, unit)
    fed = _fed(table, side, _feeding(table, unit), start)
    strong, weak = zones(table, table.enemy(side))

    def faults(way: Way) -> tuple[int, ...]:
        met = [sum(zone >> h & 1 for h in way[1:]) for zone in (strong, weak)]
        far = sorted(table.grid.distance(h, way[-1]) for h in away)
        return int(way[-1] in left), int(not fed >> way[-1] & 1), *(-d for d in far), *met

    mate = escort(table, unit)
    for length in range(hexes, 0, -1):
        able = beside(table, unit, list(_paths(table, unit, (start,), length)))
        if mate:  # 4.5.4: by the same way, or each for itself if there is none
            both = set(beside(table, mate, list(_paths(table, mate, (start,), length))))
            able = [way for way in able if way in both] or able
        if found := best_ways(able, faults):
            return sorted(found, key=lambda way: _dear(table, unit, way, strong))
    return []


def _ways(table: Table, flight: Flight, unit: str) -> list[Way]:
    return ways(table, unit, flight.hexes, flight.away, flight.left)


def _named(table: Table, flight: Flight, order: Retreat | Drive) -> Mapping[str, Way]:
    """Everybody's way, by the order or the first that is left. Raises Illegal."""
    said, found = dict(order.paths), dict[str, Way]()
    for unit in said:
        if unit not in flight.units:
            raise Illegal("12.13.1-1", f"{unit} does not retreat", unit=unit, instead="These do",
                          alternatives=flight.units)  # fmt: skip
    for unit in alive(table, flight.units):
        able, mate = _ways(table, flight, unit), escort(table, unit)
        steps = tuple(table.grid.hex(h) for h in said.get(unit, said.get(mate, ())))
        meant = [way for way in able if not steps or way[1:] == steps or way[-1:] == steps]
        if unit in said and not meant:
            legal = [" ".join(path_numbers(table, way[1:])) for way in able]
            raise Illegal("12.13.1-5", f"{unit} may not retreat by {' '.join(said[unit])}", unit=unit,
                          at=said[unit][-1], instead="Legal retreats", alternatives=legal)  # fmt: skip
        if mate in found and found[mate] in able:
            found[unit] = found[mate]  # 4.5.4
        elif able:
            found[unit] = next(iter(meant or able))  # it may have no way to follow
    return found


def retreat(table: Table, flight: Flight) -> Generator[Step, Any, tuple[Way, ...]]:
    """12.13: all go, one after another, and lose a step for every hex they cannot; gives the ways taken."""
    flight = replace(flight, units=(yield from broken_up(table, alive(table, flight.units))))
    units = alive(table, flight.units)
    if not units:
        return ()
    chosen = yield from _chosen(table, flight, units)
    while (yield from fell(table, chosen)):  # 18.3: over a bridge that broke nobody goes
        chosen = yield from _chosen(table, flight, units)
    strong, off = zones(table, table.enemy(flight.side))[0], list[Way]()
    for unit in units:
        way = chosen.get(unit)
        start = place(table, unit)
        if way is not None:
            yield from _go(table, unit, way, strong)
            yield from closed_up(table, (unit,), "4.7-p4")
        short = flight.hexes - (len(way) - 1 if way else 0)
        if short:
            yield from _stuck(table, unit, short, gone=way is not None)
            if way is None and table.position.hex_of(unit) is None and table.position.alive(unit):
                off.append((start,))  # 12.16.1: it has left the map, and was not eliminated
    for h in dict.fromkeys(way[-1] for way in chosen.values()):
        yield from crowded_by_retreat(table, flight.side, h)
    return tuple(dict.fromkeys([*chosen.values(), *off]))


def _chosen(table: Table, flight: Flight, units: Sequence[str]) -> Generator[Step, Any, Mapping[str, Way]]:
    """12.13.1-1: who leads them says which way, where there is a choice; 12.13.2: the enemy sees whom he leads, parts
    that have just broken down (4.6-6) and who stood with the other half (4.7.2-7) too."""
    order: Order = _kind(flight)()
    if flight.by != flight.side:
        seen = table.seen_by(flight.by).position
        yield from identified(table, [u for u in units if seen.hex_of(u) != place(table, u)], flight.by)
    if any(len(_ways(table, flight, unit)) > 1 for unit in units):
        order = yield _ask(table, flight)
    assert isinstance(order, Retreat | Drive)
    return _named(table, flight, order)


def _stuck(table: Table, unit: str, short: int, *, gone: bool) -> Iterator[Fact]:
    """12.13.1-7: a step for every hex that is wanting; 12.16.1: at the map edge the unit leaves the map instead."""
    here, side = table.position.hex_of(unit), table.unit(unit).side
    if here is not None and edges_at(table, side, here) and not twin(table, unit):  # no half of a division leaves
        if is_a(table, unit, "artillery"):
            yield from disorganize(table, unit, "12.13.3-c")
        if not gone:  # else it has paid on its way
            yield from _worn(table, unit)
        if table.position.hex_of(unit) is not None:
            yield from driven_off(table, unit, here)
    elif here is not None:
        yield from lose(table, unit, short, "12.13.1-7")


def _kind(flight: Flight) -> type[Retreat | Drive]:
    return Retreat if flight.by == flight.side else Drive


def _go(table: Table, unit: str, way: Way, strong: HexSet) -> Iterator[Fact]:
    yield Moved(unit=unit, path=path_numbers(table, way), how="retreat", because="12.13")
    yield Noted(subject=unit, mark=FELL_BACK, because="12.3.1-2")
    if under_fire(table, way[-1:]):
        yield Noted(subject=unit, mark=SHELTERED, because="17.1.3-9")
    yield from passed(table, table.unit(unit).side, way)
    yield from waded(table, unit, way)
    yield from _shaken(table, unit, way, strong)
    yield from _worn(table, unit)


def _worn(table: Table, unit: str) -> Iterator[Fact]:
    """12.13.3-d: engineers with a strength in brackets lose a step wherever they retreat to."""
    if is_a(table, unit, "engineer") and not attack_capable(table, unit):
        yield from lose(table, unit, 1, "12.13.3-d")


def _shaken(table: Table, unit: str, way: Way, strong: HexSet) -> Iterator[Fact]:
    mark, case = _worst(table, unit, way, strong)
    if mark == DISORGANIZED:
        yield from disorganize(table, unit, case)
    elif mark:
        yield Marked(subject=unit, mark=mark, because=case)


def _worst(table: Table, unit: str, way: Way, strong: HexSet) -> tuple[str, str]:
    """12.13.3-c, 12.13.4, 12.16.3, 12.16.5: the worst that a way does, and by which case; a ZOC or a river does
    nothing to who is in Regroup already."""
    data, steps = table.data, list(pairwise(way))
    river = any(crosses(table, data.sides("river"), a, b) for a, b in steps)
    swamp = any(crosses(table, data.sides("swamp"), a, b) for a, b in steps)
    zoc = any(strong >> h & 1 for h in way[1:])
    if is_a(table, unit, "artillery"):
        return DISORGANIZED, "12.13.3-c"
    if swamp and going(table, unit) != "foot":
        return DISORGANIZED, "12.16.5"
    if upset(table, unit):
        return "", ""
    if zoc and table.unit(unit).side == SOVIET:
        return DISORGANIZED, "12.13.4"
    if zoc or river or swamp:
        return REGROUP, "12.13.4" if zoc else "12.16.3" if river else "12.16.5"
    return "", ""


def _dear(table: Table, unit: str, way: Way, strong: HexSet) -> tuple[bool, ...]:
    """What a careful player shuns where the rules leave several ways: disorder, Regroup, a hex that is to be attacked
    itself, and one that would be too full."""
    mark, end, side = _worst(table, unit, way, strong)[0], way[-1], table.unit(unit).side
    declared = table.position.mark(f"@{number(table, end)}", DECLARED) == OPEN
    full = breach(table, side, [*units_in(table, end, side), unit], end) is not None
    return mark == DISORGANIZED, mark == REGROUP, declared, full


# The ask


def _ask(table: Table, flight: Flight) -> Ask:
    seen, kind = table.seen_by(flight.by), _kind(flight)
    units = alive(table, flight.units)
    far = "1 hex" if flight.hexes == 1 else f"{flight.hexes} hexes"
    drive = kind is Drive
    return Ask(
        side=flight.by,
        name="drive" if drive else "retreat",
        subject=number(table, place(table, units[0])),
        prompt=f"{', '.join(units)} {'are driven' if drive else 'retreat'} {far}: which way",
        verbs=(kind,),
        check=lambda order: _check(seen, flight, order),
        offers=lambda: _choices(seen, flight, kind),
        default=kind,
        case="12.13.2" if drive else "12.13.1-1",
        passable=flight.active,
        units=tuple(units),
        amounts=(("hexes", flight.hexes),),
    )


def _check(table: Table, flight: Flight, order: Order) -> None:
    assert isinstance(order, Retreat | Drive)
    _named(table, flight, order)


def _choices(table: Table, flight: Flight, kind: type[Retreat | Drive]) -> list[Choice]:
    """All by the safest ways, or one by another."""
    found: list[Order] = [kind()]
    for unit in alive(table, flight.units):
        others: Sequence[Way] = _ways(table, flight, unit)[1:4]
        found += [kind(paths=((unit, path_numbers(table, way[1:])),)) for way in others]
    return [whole(order) for order in found]
