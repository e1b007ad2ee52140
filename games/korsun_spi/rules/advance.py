"""Advance after combat (9.8): along the path of retreat, or two hexes after an elimination."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from engine.asks import Ask, Procedure
from engine.facts import Moved, Noted
from engine.hexes import Hex
from engine.orders.order import Order
from engine.orders.usual import NoAdvance
from engine.refusals import Illegal
from engine.rules.advance import advance_ask, wrong_way
from engine.rules.ground import held, number, path_numbers, place, units_at
from engine.rules.retreat import Way
from engine.table import kept
from games.korsun_spi.data import Table
from games.korsun_spi.orders import Advance
from games.korsun_spi.rules.ground import (
    SOVIET,
    crosses_major,
    crowd,
    disrupted,
    enemy_zoc,
    is_hq,
    overstacked,
    touches,
)
from games.korsun_spi.rules.movement import passed_towns
from games.korsun_spi.rules.reach import river_closed


@dataclass(frozen=True)
class Opening:
    """Where the winner may go."""

    side: str
    units: tuple[str, ...]
    paths: tuple[Way, ...]  # the hexes each enemy left and passed, as far as one may follow (9.81, 9.85)
    emptied: tuple[Hex, ...]  # hexes in which everybody was eliminated (9.84)


def opening(
    table: Table,
    side: str,
    units: Sequence[str],
    hexes: Sequence[Hex],
    ways: Sequence[Way],
) -> Opening | None:
    """What is open to the winner; None if the enemy still holds every hex or nobody can go."""
    enemy = held(table, table.enemy(side))
    free = [h for h in dict.fromkeys(hexes) if not enemy >> h & 1]
    paths = tuple(dict.fromkeys(way[:-1] for way in ways if way[0] in free))
    emptied = tuple(h for h in free if not any(way[0] == h for way in ways))
    able = tuple(u for u in units if table.position.hex_of(u) is not None and not disrupted(table, u))
    found = Opening(side, able, paths, emptied)
    return found if free and any(_reach(table, found, unit) for unit in able) else None


@kept
def _reach(table: Table, found: Opening, unit: str) -> list[tuple[Hex, ...]]:
    """Every way a unit may advance by itself, stacking aside."""
    start = place(table, unit)
    zones = enemy_zoc(table, found.side)
    stops = found.side == SOVIET  # 9.82
    results: dict[tuple[Hex, ...], None] = {}
    enemy = held(table, table.enemy(found.side))
    for path in found.paths:
        for length in range(1, len(path) + 1):
            if enemy >> path[length - 1] & 1:  # the beaten units passed through friends of theirs
                break
            if touches(table, start, path[0]):
                results[path[:length]] = None
            if stops and zones >> path[length - 1] & 1:
                break
    for first in found.emptied:
        if not touches(table, start, first):
            continue
        results[(first,)] = None
        if not (stops and zones >> first & 1):
            for second in table.grid.neighbours(first):
                if _second_allowed(table, found, first, second):
                    results[first, second] = None
    return list(results)


def _second_allowed(table: Table, found: Opening, first: Hex, second: Hex) -> bool:
    """9.84: any vacant or friendly hex; not over a major river that an enemy on the bank covers (10.13-b)."""
    if not table.data.passable >> second & 1 or held(table, table.enemy(found.side)) >> second & 1:
        return False
    if not touches(table, first, second):
        return False
    direction = table.grid.direction(first, second)
    assert direction is not None
    return not river_closed(table, found.side)[direction] >> first & 1


def advance(table: Table, found: Opening) -> Procedure:
    """9.83: at once or never; whoever advances neither attacks nor is attacked again in this phase."""
    order = yield _ask(table, found)
    if isinstance(order, NoAdvance):
        return
    for unit, way in _chosen(table, found, order).items():
        path = (place(table, unit), *way)
        yield Moved(unit=unit, path=path_numbers(table, path), how="advance", because="9.8")
        yield Noted(subject=unit, mark="advanced", because="9.83")
        yield from passed_towns(table, found.side, way)


def _ask(table: Table, found: Opening) -> Ask:
    seen = table.seen_by(found.side)
    first = dict.fromkeys([path[0] for path in found.paths] + list(found.emptied))
    spots = " ".join(path_numbers(table, first))
    check, reach = partial(_check, seen, found), partial(_reach, seen, found)
    return advance_ask(seen, found.side, found.units, spots, (Advance, NoAdvance), reach, check, case="9.8")


def _chosen(table: Table, found: Opening, order: Advance) -> dict[str, tuple[Hex, ...]]:
    """Each unit's way; a unit named without one goes into the first hex."""
    chosen: dict[str, tuple[Hex, ...]] = {}
    for unit, named in order.paths:
        possible = _reach(table, found, unit) if unit in found.units else []
        hexes = tuple(table.grid.hex(h) for h in named)
        if not hexes and possible:
            hexes = possible[0]
        elif len(hexes) == 1 and hexes not in possible:
            hexes = next((way for way in possible if way[-1] == hexes[0]), hexes)
        chosen[unit] = hexes
    return chosen


def _check(table: Table, found: Opening, order: Order) -> None:
    if not isinstance(order, Advance):
        return
    chosen = _chosen(table, found, order)
    for unit, way in chosen.items():
        if unit not in found.units:
            raise Illegal("9.81", f"{unit} may not advance: it took no part, or it retreated", unit=unit,
                          instead="These may", alternatives=found.units)  # fmt: skip
        possible = _reach(table, found, unit)
        if way not in possible:
            raise _wrong_way(table, found, unit, way, possible)
    _check_stacks(table, found, chosen)


def _wrong_way(
    table: Table, found: Opening, unit: str, way: tuple[Hex, ...], possible: list[tuple[Hex, ...]]
) -> Illegal:
    zones = enemy_zoc(table, found.side)
    case = "9.81"
    if found.side == SOVIET and any(zones >> h & 1 for h in way[:-1]):
        case = "9.82"
    elif len(way) > max((len(p) for p in possible), default=0):
        case = "9.84" if found.emptied else "9.85"
    elif found.emptied and len(way) == 2 and crosses_major(table, way[0], way[1]):
        case = "10.13-b"
    return wrong_way(table, unit, way, possible, case)


def _check_stacks(table: Table, found: Opening, chosen: dict[str, tuple[Hex, ...]]) -> None:
    """7.0-c: the limit holds at every moment of a combat phase; 11.23 for HQs."""
    for h in {way[-1] for way in chosen.values()}:
        coming = [unit for unit, way in chosen.items() if way[-1] == h]
        staying = [u for u in units_at(table, h, found.side) if u not in chosen]
        if overstacked(table, [*staying, *coming]):
            spot = number(table, h)
            raise Illegal("7.0-c", crowd(table, h, [*staying, *coming]), at=spot)
        alone = all(is_hq(table, unit) for unit in [*staying, *coming])
        if alone and enemy_zoc(table, found.side) >> h & 1:
            spot = number(table, h)
            problem = f"an HQ enters an enemy zone of control only with a friendly unit: {spot}"
            raise Illegal("11.23", problem, unit=coming[0], at=spot)
