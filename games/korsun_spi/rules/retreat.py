"""Retreats (9.7): where each unit of a group may go."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice
from engine.refusals import Illegal
from engine.rules import retreat
from engine.rules.ground import held, held_without, is_a, number, path_numbers, place, units_at
from engine.rules.retreat import Way
from engine.table import kept_while_still
from games.korsun_spi.data import Table
from games.korsun_spi.orders import Retreat
from games.korsun_spi.rules.ground import crosses_major, crowd, enemy_zoc, open_to, overstacked, touches, zoc
from games.korsun_spi.rules.supply import lines


def shut_in_split(table: Table, side: str, before: HexSet) -> HexSet:
    """9.77: what attackers may not enter after the defender has gone, unless a friend stays there (8.25)."""
    enemy = table.enemy(side)
    return before | zoc(table, enemy) | held(table, enemy)


def ways(table: Table, unit: str, group: Sequence[str], length: int, shut: HexSet = 0) -> list[Way]:
    """All legal ways for one unit of a group that retreats together."""
    return _ways(table, unit, tuple(group), length, shut, ())


@kept_while_still()
def _ways(
    table: Table, unit: str, group: tuple[str, ...], length: int, shut: HexSet, gone: tuple[tuple[Hex, str], ...]
) -> list[Way]:
    """The ways that are open once others of the group have gone where they have."""
    side = table.unit(unit).side
    friends = held_without(table, side, group)
    open_ = open_to(table, side, without=group) & ~(shut & ~friends)

    start = place(table, unit)

    def fits(here: Hex, there: Hex) -> bool:
        stack = [u for u in units_at(table, there, side) if u not in group]
        if table.grid.distance(start, there) == length:  # 9.75: who only passes meets nobody of the group
            stack += [u for h, u in gone if h == there]
        return touches(table, here, there) and not overstacked(table, [*stack, unit])

    found = list(retreat.ways(table.grid, start, length, open_, fits))

    def faults(way: Way) -> tuple[int, ...]:
        crossed = any(crosses_major(table, a, b) for a, b in pairwise(way))  # 9.78
        return int(crossed), sum(1 for h in way[1:] if friends >> h & 1)  # 9.74

    return retreat.best_ways(found, faults)


def safest(table: Table, unit: str, found: Sequence[Way]) -> Way:
    """The way a unit takes when nobody names one: into supply, away from the enemy."""
    side = table.unit(unit).side
    network = lines(table, side)
    fed = network.ground
    for reach in network.radius.values():
        fed |= reach
    zones = enemy_zoc(table, side)
    enemy = held(table, table.enemy(side))

    def badness(way: Way) -> tuple[int, int, int, str]:
        end = way[-1]
        near = sum(1 for h in table.grid.neighbours(end) if enemy >> h & 1)
        return (0 if fed >> end & 1 else 1), (1 if zones >> end & 1 else 0), near, number(table, end)

    return min(found, key=badness)


def choose(
    table: Table,
    group: Sequence[str],
    length: int,
    asked: Mapping[str, Sequence[Hex]],
    shut: HexSet = 0,
) -> dict[str, Way | None]:
    """A way for every unit of the group, as its owner named it or the safest; None where there is none.

    Raises Illegal for a way that was named and is not legal.
    """
    gone: tuple[tuple[Hex, str], ...] = ()
    chosen: dict[str, Way | None] = {}
    room = {unit: len(ways(table, unit, group, length, shut)) for unit in group}
    # Who has the fewest ways goes before the others, so that nobody takes another's only one.
    for unit in sorted(group, key=lambda u: (u not in asked, room[u])):
        found = _ways(table, unit, tuple(group), length, shut, gone)
        way: Way | None = None
        if asked.get(unit):
            way = _named(table, unit, found, asked[unit], Limits(group, length, shut))
        elif found:
            way = safest(table, unit, found)
        chosen[unit] = way
        if way is not None:
            gone = (*gone, (way[-1], unit))
    return {unit: chosen[unit] for unit in group}


def ordered(table: Table, group: Sequence[str], length: int, order: Retreat, shut: HexSet = 0) -> dict[str, Way | None]:
    """The ways that an order names, and the safest for everybody else. Raises Illegal."""
    return choose(table, group, length, {u: [table.grid.hex(h) for h in hexes] for u, hexes in order.paths}, shut)


def choice(table: Table, group: Sequence[str], length: int, shut: HexSet = 0) -> Choice:
    """All together by the safest ways; one alone by any way that is open to it."""
    if len(group) > 1:
        return Choice(Retreat)
    unit = group[0]
    return Choice(
        Retreat,
        field="paths",
        reach=lambda: [(unit, path_numbers(table, way[1:])) for way in ways(table, unit, group, length, shut)],
    )


@dataclass(frozen=True)
class Limits:
    """What a retreat must observe: who goes together, how far, and what is shut to all of them."""

    group: Sequence[str]
    length: int
    shut: HexSet


def _named(table: Table, unit: str, found: Sequence[Way], hexes: Sequence[Hex], limits: Limits) -> Way:
    """The legal way that the named hexes mean: all of them, or only the last."""
    start = place(table, unit)
    steps = tuple(h for h in hexes if h != start)
    for way in found:
        if way[1:] == steps or (len(steps) == 1 and way[-1] == steps[0]):
            return way
    legal = [" ".join(path_numbers(table, way[1:])) for way in found]
    said = " ".join(path_numbers(table, steps))
    if not legal:
        far = "a hex" if limits.length == 1 else f"{limits.length} hexes"
        raise Illegal("9.71", f"{unit} has no way to retreat {far}", unit=unit,
                      at=number(table, start), instead="Name no way for it, or lose steps")  # fmt: skip
    case, why = _fault(table, unit, (start, *steps), limits)
    spot = number(table, start)
    raise Illegal(case, f"{unit} may not retreat from {spot} by {said}: {why}", unit=unit, at=spot,
                  instead="Legal retreats", alternatives=legal)  # fmt: skip


def _fault(table: Table, unit: str, way: Way, limits: Limits) -> tuple[str, str]:
    """The case that a way which was named breaks, and in what."""
    side, start = table.unit(unit).side, way[0]
    friends = held_without(table, side, limits.group)
    open_ = open_to(table, side, without=limits.group)
    for h in way[1:]:
        spot = number(table, h)
        if held(table, table.enemy(side)) >> h & 1:
            return "9.71", f"the enemy is in {spot}"
        if not open_ >> h & 1:
            return "9.71", f"the enemy controls {spot} and no friend holds it"
        if (limits.shut & ~friends) >> h & 1:
            return "9.77", f"the enemy held or controlled {spot} in this combat"
        staying = [u for u in units_at(table, h, side) if u not in limits.group]
        if overstacked(table, [*staying, unit]):
            corps = any(is_a(table, u, "corps") for u in [*staying, unit])
            return "24.12" if corps else "9.74", crowd(table, h, [*staying, unit])
    if table.grid.distance(start, way[-1]) != limits.length or len(way) - 1 not in (1, limits.length):
        return "9.73", f"it must end {limits.length} hexes away"
    if any(crosses_major(table, a, b) for a, b in pairwise(way)):
        return "9.78", "a major river is crossed only where no other way is open"
    return "9.74", "vacant hexes come first, and there must be room"
