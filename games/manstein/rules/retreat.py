"""Retreats (10.6): the ways that the rules leave a unit, and its owner's choice among them."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from typing import Any

from engine import hexset
from engine.asks import Ask, Option, Step
from engine.facts import Moved
from engine.hexes import Hex
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.ground import crosses, held, number, path_numbers, place
from engine.rules.retreat import Way, best_ways
from engine.rules.terrain import hexsides
from engine.table import Table
from games.manstein.orders import Retreat
from games.manstein.rules.crossings import entered
from games.manstein.rules.ground import enemy_zoc, has_room, is_hq, touches
from games.manstein.rules.headquarters import headquarters, must_relocate
from games.manstein.rules.lines import sources
from games.manstein.rules.losses import eliminate, lose_step


def may_step(table: Table, side: str, here: Hex, there: Hex, *, first: bool) -> bool:
    """10.6.6, 10.6.8: whether a retreat may go from one hex into the next."""
    if not touches(table, here, there) or not table.data.passable >> there & 1:
        return False
    if held(table, table.enemy(side)) >> there & 1:
        return False
    if not first and crosses(table, table.data.unbridged_major, here, there):
        return False
    zones = enemy_zoc(table, side)
    both = zones >> here & 1 and zones >> there & 1
    return not (both and crosses(table, hexsides(table.board, "major"), here, there))


def _onward(table: Table, side: str, way: Way, steps: int) -> Iterator[Way]:
    if steps == 0:
        yield way
        return
    for there in table.grid.neighbours(way[-1]):
        if there not in way and may_step(table, side, way[-1], there, first=len(way) == 1):
            yield from _onward(table, side, (*way, there), steps - 1)


def ways(table: Table, unit: str, begun: Way, steps: int) -> list[Way]:
    """10.6.2: the ways so many hexes onward that enter the fewest enemy zones, then lead home, then find room."""
    side = table.unit(unit).side
    zones = enemy_zoc(table, side)
    ends = list(hexset.members(sources(table, side)))

    def faults(way: Way) -> tuple[int, ...]:
        new = way[len(begun) - 1 :]
        hurt = sum(1 for h in new[1:] if zones >> h & 1)
        return hurt, int(not _homeward(table, new, ends)), int(not has_room(table, side, way[-1], [unit]))

    return best_ways(list(_onward(table, side, begun, steps)), faults)


def _homeward(table: Table, way: Way, ends: Sequence[Hex]) -> bool:
    """10.6.2-b: every hex is closer to one and the same source than the one before."""
    far = table.grid.distance
    return any(all(far(b, end) < far(a, end) for a, b in pairwise(way)) for end in ends)


def retreat(table: Table, side: str, units: Sequence[str], length: int, *, active: bool) -> Generator[Step, Any, None]:
    """10.6: every unit by itself, HQs last."""
    for unit in sorted(units, key=lambda u: is_hq(table, u)):
        if table.position.hex_of(unit) is not None:
            yield from _one(table, side, unit, length, active)


def _one(table: Table, side: str, unit: str, length: int, active: bool) -> Generator[Step, Any, None]:
    way: Way = (place(table, unit),)
    steps = length
    while steps:
        found = ways(table, unit, way, steps)
        if not found:  # 10.6.8; an HQ has no elimination rule
            if is_hq(table, unit):
                yield from must_relocate(table, unit, "10.6.8")
            else:
                yield from eliminate(table, unit, "10.6.8")
            return
        if len(found) == 1:
            way = found[0]
        else:
            order = yield _ask(table, side, unit, found, active)
            way = _chosen(table, unit, found, order)
        steps = 0 if has_room(table, side, way[-1], [unit]) else 1  # 10.6.4
    zones = enemy_zoc(table, side)
    hurt = sum(1 for h in way[1:] if zones >> h & 1)
    yield Moved(unit=unit, path=path_numbers(table, way), how="retreat", because="10.6")
    yield from entered(table, unit, way[1:])
    if hurt:
        yield from lose_step(table, unit, hurt, "10.6.3")


def _ask(table: Table, side: str, unit: str, found: list[Way], active: bool) -> Ask:
    seen = table.seen_by(side)
    spot = number(table, place(table, unit))
    return Ask(
        side=side,
        name="retreat",
        subject=spot,
        prompt=f"{unit} retreats from {spot}: which way",
        verbs=(Retreat,),
        check=lambda order: _check(seen, unit, found, order),
        options=lambda so_far: [Option(f"retreat {unit} {_said(table, way)}") for way in found],
        default=lambda: Retreat(paths=((unit, path_numbers(seen, _safest(seen, unit, found)[1:])),)),
        case="10.6.2-b",
        reaction=not active,
        passable=True,
        units=(unit,),
    )


def _said(table: Table, way: Way) -> str:
    return " ".join(path_numbers(table, way[1:]))


def _check(table: Table, unit: str, found: list[Way], order: Order) -> None:
    assert isinstance(order, Retreat)
    for named, _ in order.paths:
        if named != unit:
            raise Illegal("10.6", f"it is {unit} that retreats, not {named}", unit=named)
    _chosen(table, unit, found, order)


def _chosen(table: Table, unit: str, found: list[Way], order: Retreat) -> Way:
    """The legal way that the named hexes mean: all of them, or only the last. Raises Illegal."""
    named = next((hexes for who, hexes in order.paths if who == unit), ())
    if not named:
        return _safest(table, unit, found)
    steps = tuple(table.grid.hex(h) for h in named)
    for way in found:
        if way[1:] == steps or (len(steps) == 1 and way[-1] == steps[0]):
            return way
    raise Illegal(
        "10.6.2-a", f"{unit} may not retreat by {' '.join(named)}", unit=unit, at=named[-1],
        instead="Legal retreats", alternatives=[_said(table, way) for way in found],
    )  # fmt: skip


def _safest(table: Table, unit: str, found: Sequence[Way]) -> Way:
    """Away from the enemy, toward the nearest HQ of the side."""
    side = table.unit(unit).side
    enemy = held(table, table.enemy(side))
    hqs = [place(table, hq) for hq in headquarters(table, side)]

    def badness(way: Way) -> tuple[int, int, str]:
        end = way[-1]
        near = (hexset.within(table.grid, 1 << end, 2) & enemy).bit_count()
        return near, min((table.grid.distance(end, hq) for hq in hqs), default=0), _said(table, way)

    return min(found, key=badness)
