"""Retreats (9.7): where each unit of a group may go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules import retreat
from engine.rules.retreat import Way
from engine.table import Table
from games.korsun_spi.rules.ground import (
    crosses_major,
    enemy_zoc,
    friends_without,
    held,
    number,
    open_to,
    overstacked,
    place,
    touches,
    units_at,
    zoc,
)
from games.korsun_spi.rules.supply import lines


def shut_in_split(table: Table, side: str, before: HexSet) -> HexSet:
    """9.77: what attackers may not enter after the defender has gone, where no friend stands (8.25)."""
    enemy = table.enemy(side)
    return (before | zoc(table, enemy) | held(table, enemy)) & ~held(table, side)


def ways(
    table: Table,
    unit: str,
    group: Sequence[str],
    length: int,
    shut: HexSet = 0,
    taken: Mapping[Hex, Sequence[str]] | None = None,
) -> list[Way]:
    """All legal ways for one unit of a group that retreats together; `taken` is where the others have gone."""
    side = table.unit(unit).side
    friends = friends_without(table, side, group)
    open_ = open_to(table, side, without=group) & ~(shut & ~friends)
    lifted = set(group)

    def fits(here: Hex, there: Hex) -> bool:
        stack = [u for u in units_at(table, there, side) if u not in lifted]
        stack += (taken or {}).get(there, ())
        return touches(table, here, there) and not overstacked(table, [*stack, unit])

    found = list(retreat.ways(table.grid, place(table, unit), length, open_, fits))

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
    taken: dict[Hex, list[str]] = {}
    chosen: dict[str, Way | None] = {}
    for unit in sorted(group, key=lambda u: u not in asked):
        found = ways(table, unit, group, length, shut, taken)
        way: Way | None = None
        if asked.get(unit):
            way = _named(table, unit, found, length, asked[unit])
        elif found:
            way = safest(table, unit, found)
        chosen[unit] = way
        if way is not None:
            taken.setdefault(way[-1], []).append(unit)
    return {unit: chosen[unit] for unit in group}


def _named(table: Table, unit: str, found: Sequence[Way], length: int, hexes: Sequence[Hex]) -> Way:
    """The legal way that the named hexes mean: all of them, or only the last."""
    start = place(table, unit)
    steps = tuple(h for h in hexes if h != start)
    for way in found:
        if way[1:] == steps or (len(steps) == 1 and way[-1] == steps[0]):
            return way
    legal = [" ".join(number(table, h) for h in way[1:]) for way in found]
    said = " ".join(number(table, h) for h in steps)
    if not legal:
        raise Illegal("9.71", f"{unit} has no way to retreat {length} hexes", unit=unit, at=number(table, start))
    raise Illegal("9.74" if len(steps) in (1, length) else "9.73", f"{unit} may not retreat by {said}", unit=unit,
                  at=number(table, start), instead="Legal retreats", alternatives=legal)  # fmt: skip
