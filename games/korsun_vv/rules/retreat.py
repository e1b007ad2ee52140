"""Retreats (7.7.1): the ways that the rules leave a unit, and their price."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from engine import hexset
from engine.asks import Step
from engine.facts import Moved
from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.ground import crosses, held, number, path_numbers, place
from engine.rules.retreat import Way, best_ways
from engine.rules.retreat import ways as straight_ways
from engine.table import kept
from games.korsun_vv.data import Table, far_from_edge
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import alive, barred_to, enemy_zoc, fighters, formation, has_room, is_mobile, open_to
from games.korsun_vv.rules.losses import eliminate, lose, loss_ask
from games.korsun_vv.rules.movement import shaken, took

Paths = tuple[tuple[str, tuple[str, ...]], ...]  # units and the hexes that an order names
Ends = Mapping[Hex, list[str]]  # by hex, who comes there
FAR = 6  # no further does one look for the enemy


Flight = Mapping[str, Way | None]  # where every unit goes; None: it cannot, and is eliminated (7.7.1-h)


def _open(table: Table, unit: str, fought: Hex) -> Callable[[Hex, Hex], bool]:
    """7.7.1-b: which steps the unit may take at all; into the hex that was fought for leads an advance only."""
    side = table.unit(unit).side
    shut = held(table, table.enemy(side)) | barred_to(table, unit) | 1 << fought
    ground = open_to(table, unit)
    return lambda here, there: not shut >> there & 1 and crosses(table, ground, here, there)


def _all_ways(table: Table, unit: str, length: int, fought: Hex) -> Iterator[list[Way]]:
    """Those straight away, and any without a hex twice: these only if none of the others will do."""
    yield _straight(table, unit, length, fought)
    yield _any_ways(table, unit, length, fought)


@kept
def _straight(table: Table, unit: str, length: int, fought: Hex) -> list[Way]:
    return list(straight_ways(table.grid, place(table, unit), length, table.data.land, _open(table, unit, fought)))


@kept
def _any_ways(table: Table, unit: str, length: int, fought: Hex) -> list[Way]:
    return list(_winding(table, (place(table, unit),), length, _open(table, unit, fought)))


def _winding(table: Table, way: Way, length: int, allowed: Callable[[Hex, Hex], bool]) -> Iterator[Way]:
    if length == 0:
        yield way
        return
    for there in table.grid.neighbours(way[-1]):
        if there not in way and allowed(way[-1], there):
            yield from _winding(table, (*way, there), length - 1, allowed)


def hurt(table: Table, side: str, way: Way) -> int:
    """7.7.1-c: the enemy zones on the way without a friend in them."""
    bad = enemy_zoc(table, side) & ~held(table, side)
    return sum(1 for h in way[1:] if bad >> h & 1)


def _strays(table: Table, unit: str, way: Way) -> int:
    """7.7.1-d: the steps that lead neither toward a friendly edge nor toward the unit's HQ."""
    side, hq = table.unit(unit).side, formation(table, unit)
    edge = far_from_edge(table.data, side)
    pocketed = hq == chief(table)
    home = table.position.hex_of(hq)
    count = 0
    for a, b in pairwise(way):
        near_edge = not pocketed and edge[b] <= edge[a]
        near_hq = home is not None and table.grid.distance(b, home) <= table.grid.distance(a, home)
        count += not (near_edge or near_hq)
    return count


def _nearest(table: Table, side: str, h: Hex) -> int:
    enemy, near = held(table, table.enemy(side)), 1 << h
    for far in range(1, FAR):
        near = hexset.spread(table.grid, near)
        if near & enemy:
            return far
    return FAR


def _roomy(table: Table, unit: str, end: Hex, coming: Ends, leaving: Sequence[str]) -> bool:
    before = coming.get(end, ())
    if table.data.difficult_roads >> end & 1 and sum(is_mobile(table, u) for u in (*before, unit)) > 1:
        return False  # 6.2-c
    return has_room(table, table.unit(unit).side, end, [*before, unit], leaving=leaving)


def ways(table: Table, unit: str, length: int, fought: Hex, coming: Ends, leaving: Sequence[str]) -> list[Way]:
    """The ways with room at their end that keep best to the priorities."""
    for found in _all_ways(table, unit, length, fought):
        able = [way for way in found if _roomy(table, unit, way[-1], coming, leaving)]
        if able:
            return best_ways(able, lambda way: _faults(table, unit, way))
    return []


def _faults(table: Table, unit: str, way: Way) -> tuple[int, ...]:
    side = table.unit(unit).side
    return hurt(table, side, way), _strays(table, unit, way), -_nearest(table, side, way[-1])


def stranded(table: Table, units: Sequence[str], length: int, fought: Hex) -> list[str]:
    """7.7.1-h: who of them has no way of that length at all; 1.5-e: an HQ has that of a unit with it."""
    lost = [unit for unit in units if not any(_all_ways(table, unit, length, fought))]
    return fighters(table, lost) if set(fighters(table, units)) - set(lost) else lost


@kept
def flight(table: Table, units: tuple[str, ...], length: int, fought: Hex, paths: Paths) -> Flight:
    """7.7.1: everybody's way, by the order or the best that the others leave him. Raises Illegal."""
    lost, named = stranded(table, units, length, fought), dict(paths)
    if len(lost) == len(units):
        raise Illegal("7.7.1-h", f"{', '.join(units)} cannot retreat {length} hexes", instead="Write `hold`")
    going = [unit for unit in units if unit not in lost]
    carried = [hq for hq in going if not any(_all_ways(table, hq, length, fought))]
    going = [unit for unit in going if unit not in carried]
    said = {unit: _said(table, unit, length, fought, named[unit], going) for unit in going if unit in named}
    found = _in_turn(table, going, length, fought, said)
    for unit, way in said.items():
        able = ways(table, unit, length, fought, _ends(found, but=unit), going)
        if way not in able:
            raise _astray(table, unit, named[unit], able)
    for hq in carried:
        able = [found[unit] for unit in fighters(table, going)]
        meant = [way for way in able if _means(table, way, named.get(hq, path_numbers(table, way[1:])))]
        if not meant:
            raise _astray(table, hq, named[hq], able)
        found[hq] = meant[0]
    return {unit: found.get(unit) for unit in units}


def _means(table: Table, way: Way, named: tuple[str, ...]) -> bool:
    """Whether an order that names these hexes can mean the way: by all its hexes, or by its end."""
    steps = tuple(table.grid.hex(h) for h in named)
    return way[1:] == steps or way[-1:] == steps


def _said(table: Table, unit: str, length: int, fought: Hex, named: tuple[str, ...], leaving: Sequence[str]) -> Way:
    """The best way that the order can mean. Raises Illegal."""
    for found in _all_ways(table, unit, length, fought):
        meant = [way for way in found if _means(table, way, named)]
        if meant:
            return min(meant, key=lambda way: _faults(table, unit, way))
    raise _astray(table, unit, named, ways(table, unit, length, fought, {}, leaving))


def _astray(table: Table, unit: str, named: tuple[str, ...], able: Sequence[Way]) -> Illegal:
    legal = [" ".join(path_numbers(table, way[1:])) for way in able]
    return Illegal("7.7.1-d", f"{unit} may not retreat by {' '.join(named)}", unit=unit, at=named[-1],
                   instead="Legal retreats", alternatives=legal)  # fmt: skip


def _in_turn(table: Table, units: Sequence[str], length: int, fought: Hex, said: Mapping[str, Way]) -> dict[str, Way]:
    """Each by the first of the best ways that those before him leave; whoever finds no room goes before them."""
    order, tried = tuple(unit for unit in units if unit not in said), set[tuple[str, ...]]()
    while True:
        tried.add(order)
        found, late = dict(said), ""
        for unit in order:
            able = ways(table, unit, length, fought, _ends(found), units)
            if not able:
                late = unit
                break
            found[unit] = able[0]
        if not late:
            return found
        order = (late, *(unit for unit in order if unit != late))
        if order in tried:
            problem = f"{late} has no room to retreat {length} hexes, so the result is taken in steps"
            raise Illegal("7.7.1-e", problem, unit=late, instead="Write `hold`")


def _ends(found: Mapping[str, Way], but: str = "") -> Ends:
    """Who comes where."""
    ends: dict[Hex, list[str]] = {}
    for unit, way in found.items():
        if unit != but:
            ends.setdefault(way[-1], []).append(unit)
    return ends


# Going


def go(table: Table, side: str, chosen: Flight) -> Generator[Step, Any, None]:
    """Whoever cannot go is eliminated; each stack pays for the zones on its way; all are disorganized."""
    for unit, way in chosen.items():
        if way is None:
            yield from eliminate(table, unit, "7.7.1-h")
    stacks: dict[Way, list[str]] = {}
    for unit, way in chosen.items():
        if way is not None:
            stacks.setdefault(way, []).append(unit)
    prices = {way: hurt(table, side, way) for way in stacks}
    for way, units in stacks.items():
        for unit in units:
            yield Moved(unit=unit, path=path_numbers(table, way), how="retreat", because="7.7.1-a")
            yield from shaken(table, unit)
            yield from took(table, side, way[1:])
        yield from _pay(table, side, units, fighters(table, chosen), prices[way])


def _pay(table: Table, side: str, units: list[str], mates: list[str], price: int) -> Generator[Step, Any, None]:
    """4.3-e: one step of the stack for every hex of an enemy zone; 1.5-e: for an HQ its stack's units pay."""
    for _ in range(price):
        left = alive(table, units)
        able = (fighters(table, left) or alive(table, mates) or left) if left else []
        if not able:
            return
        payer = max(able, key=lambda unit: (table.position.steps_left(unit), unit))
        if len(able) > 1:
            spot = number(table, place(table, able[0]))
            prompt = f"the retreat to {spot} through an enemy zone of control costs a step: whose"
            order = yield loss_ask(side, "toll", spot, prompt, able, payer, "4.3-e", reaction=False)
            payer = order.losses[0][0]
        yield from lose(table, payer, 1, "4.3-e")
