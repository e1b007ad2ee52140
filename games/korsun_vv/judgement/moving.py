"""Where a unit stands well."""

from __future__ import annotations

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import held, units_at
from engine.table import kept, kept_while_still
from games.korsun_vv.data import Table
from games.korsun_vv.judgement.worth import GOALS, defence_at, distance, far_from, strength, threat, uncovered, weights
from games.korsun_vv.rules.duty import binds
from games.korsun_vv.rules.ground import (
    DISORGANIZED,
    FATIGUED,
    FORMATION,
    GERMAN,
    RUSSIAN,
    SUPPLY,
    enemy_zoc,
    formation,
    is_hq,
    may_attack,
    members,
    stands,
)
from games.korsun_vv.rules.ranges import any_range, in_range
from games.korsun_vv.rules.supply import from_edge

FORCED = 1.0  # what an attack at bad odds costs that a move would oblige to


def better(table: Table, unit: str, to: Hex) -> float:
    """How much better a unit stands in a hex than where it is."""
    here = table.position.hex_of(unit)
    now = stand(table, unit, here) if here is not None else -5.0
    gain = stand(table, unit, to) - now
    if binds(table, table.unit(unit).side) >> to & 1:
        gain += _forced(table, unit, to)
    return gain


@kept
def stand(table: Table, unit: str, h: Hex) -> float:
    side = table.unit(unit).side
    w = weights(side)
    if is_hq(table, unit):
        return _headquarters(table, unit, h)
    friends = [other for other in units_at(table, h, side) if other != unit]
    value = -w["drive"] * min(distance(table, unit, h), GOALS["far"]) - w["crowd"] * len(friends)
    value += w["shelter"] * table.data.shifts[h]
    danger = threat(table, side).get(h, 0.0)
    if danger:
        own = strength(table, unit) + sum(strength(table, other) for other in friends)
        value -= w["risk"] * max(0.0, danger / max(1.0, own) - 1.5 - table.data.shifts[h])
        value += _contact(table, unit, h)
    if not from_edge(table, side) >> h & 1 and not enemy_zoc(table, side) >> h & 1:
        value -= w["hunger"]
    hq = formation(table, unit)
    if hq and stands(table, hq) and in_range(table, hq) >> h & 1:
        value += w["command"]
    elif side == GERMAN and any_range(table, side) >> h & 1:
        value += w["command"] / 2
    if h == table.data.airfield and not friends:
        value += 1.5
    if side == RUSSIAN:
        value += w["ring"] * (hexset.spread(table.grid, 1 << h) & uncovered(table, unit)).bit_count()
    return value


def _contact(table: Table, unit: str, h: Hex) -> float:
    """Enemies beside the hex that could be attacked well from here with those who are there already."""
    if not may_attack(table, unit):
        return 0.0
    side = table.unit(unit).side
    enemy = table.enemy(side)
    best = 0.0
    for near in table.grid.neighbours(h):
        if held(table, enemy) >> near & 1:
            power = strength(table, unit) + _joined(table, unit, near)
            odds = power / defence_at(table, near, enemy) - 0.7 * table.data.shifts[near]
            best = max(best, min(4.0, odds))
    return weights(side)["contact"] * best


def _joined(table: Table, unit: str, target: Hex) -> float:
    """The strength of friends next to an enemy hex."""
    side = table.unit(unit).side
    here = table.position.hex_of(unit)
    beside = here is not None and table.grid.direction(here, target) is not None
    return _around(table, side, target) - (strength(table, unit) if beside else 0.0)


@kept_while_still(FATIGUED, DISORGANIZED, SUPPLY)
def _around(table: Table, side: str, target: Hex) -> float:
    total = 0.0
    for h in table.grid.neighbours(target):
        if held(table, side) >> h & 1:
            total += sum(strength(table, other) for other in units_at(table, h, side) if may_attack(table, other))
    return total


def _forced(table: Table, unit: str, to: Hex) -> float:
    """A move that obliges to attack is good only where the attack is."""
    side = table.unit(unit).side
    enemy = table.enemy(side)
    best = 0.0
    for near in table.grid.neighbours(to):
        if held(table, enemy) >> near & 1:
            power = strength(table, unit) + _joined(table, unit, near)
            best = max(best, power / defence_at(table, near, enemy) - 0.8 * table.data.shifts[near])
    return 0.25 * min(best, 4.0) - FORCED if best < 3.0 else 0.3


@kept_while_still(FORMATION)
def _formation_hexes(table: Table, hq: str) -> HexSet:
    """Where an HQ's units stand."""
    return hexset.of(h for unit in members(table, hq) if (h := table.position.hex_of(unit)) is not None)


def _headquarters(table: Table, unit: str, h: Hex) -> float:
    """Behind the line, out of the enemy's zones, with its formation in range."""
    side = table.unit(unit).side
    reach = hexset.within(table.grid, 1 << h, table.data.reach[side])
    own = _formation_hexes(table, unit)
    value = 0.4 * (reach & own).bit_count()
    if enemy_zoc(table, side) >> h & 1:
        value -= 4.0
    enemy = held(table, table.enemy(side))
    far = far_from(table.grid, table.data.land, enemy).get(h, 20)
    value -= 0.2 * abs(far - 4)
    if not from_edge(table, side) >> h & 1:
        value -= 3.0
    if units_at(table, h, side):
        value += 0.3
    return value
