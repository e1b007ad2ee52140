"""The pocket (13.0): the ring, Gruppe Stemmermann, formations made anew, and supply by air."""

from collections.abc import Generator, Iterator
from typing import Any

from engine import hexset
from engine.asks import Roll, Step
from engine.facts import Counted, Fact, Marked, Placed, Told
from engine.hexset import HexSet
from engine.rules.ground import held, number, place
from engine.rules.marks import game_mark, set_game
from engine.rules.pools import pour
from engine.table import kept
from games.korsun_vv.data import MUD, Table
from games.korsun_vv.names import BY_AIR, FORMATION, GERMAN, HELD, POCKET, REMOVED, RUSSIAN, SUPPLY
from games.korsun_vv.rules.formations import chief, join_nearest, orphaned
from games.korsun_vv.rules.ground import formation, is_hq, weather
from games.korsun_vv.rules.markers import available, used
from games.korsun_vv.rules.movement import took
from games.korsun_vv.rules.placing import place_ask
from games.korsun_vv.rules.reinforcements import pocket_closed
from games.korsun_vv.rules.supply import from_edge

NORTH, SOUTH = 0, 3  # directions

# The ring (13.1)


def enclosed(table: Table) -> HexSet:
    """13.1: what German supply does not reach north of a ring from edge to edge, free of Germans; or nothing."""
    grid, edges = table.grid, table.board.edges
    fed, germans = from_edge(table, GERMAN), held(table, GERMAN)
    # A ring passes nowhere south of a German who is supplied; through country where one could be it may.
    free = table.data.land & ~germans & ~_column(table, germans & fed, SOUTH)
    from_east = hexset.flood(grid, edges["east"] & free, free)
    ring = hexset.flood(grid, edges["west"] & from_east, free)
    return _column(table, ring, NORTH) & table.data.land & ~fed


def _column(table: Table, hexes: HexSet, way: int) -> HexSet:
    """These hexes, and whatever of their columns lies north or south of them."""
    every = table.grid.everything
    return hexset.flood(table.grid, hexes, every, [every if d == way else 0 for d in range(6)])


def ring_closed(table: Table) -> bool:
    """13.1-b: whether there is such a ring, around somebody who can fight, and as usually played around Korsun too."""
    if table.data.switch["pocket_ring"] == "korsun cut off" and not enclosed(table) >> table.data.airfield & 1:
        return False
    return any(not is_hq(table, unit) for unit in cut_off(table))


def cut_off(table: Table) -> list[str]:
    """The German units inside the ring."""
    area = enclosed(table)
    return [unit for unit in table.position.on_map(GERMAN) if area >> place(table, unit) & 1]


def close(table: Table) -> Iterator[Fact]:
    """13.2-a, -b: everything inside becomes one formation; the HQs there go."""
    inside = cut_off(table)
    fighting = [unit for unit in inside if not is_hq(table, unit)]
    yield from set_game(table, POCKET, str(table.position.turn), "13.1-b")
    yield Counted(track=HELD, value=len(fighting), because="18.3-b")
    yield Told(text=f"The pocket has formed: {len(fighting)} German units are in it.", because="13.1-b")
    for unit in fighting:
        yield Marked(subject=unit, mark=FORMATION, value=chief(table), because="13.2-a")
    for hq in inside:
        if is_hq(table, hq):
            for box, taker in ((available(hq), available(chief(table))), (used(hq), used(chief(table)))):
                yield from pour(table, box, taker, "13.2-b")
            for mark in sorted(table.position.marks.get(hq, {})):
                yield Marked(subject=hq, mark=mark, value=None, because="13.2-a")
            yield Placed(unit=hq, at=REMOVED, because="13.2-a")
    yield from pocket_closed(table)


def gather(table: Table) -> Generator[Step, Any, None]:
    """13.2: HQ Stemmermann comes, and orphans find a new HQ; whoever waits off the map goes to the pocket's."""
    order = yield place_ask(
        table,
        GERMAN,
        "pocket",
        (chief(table),),
        f"the pocket has formed: place {chief(table)} in it",
        room=room,
        spots=_spots,
        rule="is placed inside the pocket",
        case="13.2-a",
    )
    yield Placed(unit=chief(table), at=order.at, because="13.2-a")
    yield from took(table, GERMAN, [table.grid.hex(order.at)])
    for unit in [unit for unit in table.position.on_map(GERMAN) if orphaned(table, unit)]:
        yield from join_nearest(table, unit)


@kept
def room(table: Table, hq: str) -> HexSet:
    """13.2-a: hexes that units of the pocket could reach without meeting an enemy, beyond supply."""
    inside = hexset.of(place(table, unit) for unit in _members(table))
    beyond = table.data.land & ~held(table, RUSSIAN) & ~from_edge(table, GERMAN)
    # In fog the units know that they are cut off, if not by whom.
    return inside | hexset.flood(table.grid, inside, beyond)


def _members(table: Table) -> list[str]:
    return [unit for unit in table.position.on_map(GERMAN) if formation(table, unit) == chief(table)]


def _spots(table: Table, hq: str) -> list[str]:
    """With its units: on the airfield if one is there, or else in the midst of them."""
    spots = sorted({number(table, place(table, unit)) for unit in _members(table)})
    airfield = number(table, table.data.airfield)
    best = airfield if airfield in spots else spots[len(spots) // 2]
    return sorted(spots, key=lambda spot: spot != best)


# By air (13.4)


def air_supply(table: Table) -> Generator[Step, Any, None]:
    """13.4-b: a roll for the turn if HQ Stemmermann lives by the airfield."""
    if table.position.mark(chief(table), SUPPLY) != BY_AIR:
        return
    rows = table.data.tables["air_supply"]
    die = yield Roll("air supply")
    total = die + (rows["mud"] if weather(table) == MUD else 0)
    row = next(row for row in rows["rolls"] if total <= row["most"])
    yield Told(
        text=f"Air supply: {die}, {row['mobile']} action points for mobile units and {row['foot']} for others.",
        because="13.4-b",
    )
    for track, value in (("air mobile", row["mobile"]), ("air foot", row["foot"]), ("air fate", row["fate"])):
        if table.position.tracks.get(track) != value:
            yield Counted(track=track, value=value, because="13.4-b")


def formed(table: Table) -> bool:
    return bool(game_mark(table, POCKET))
