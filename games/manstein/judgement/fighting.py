"""Is a fight worth it: attacks, what to lose, where to go, when to fly."""

from __future__ import annotations

from collections.abc import Sequence

from engine.asks import Ask
from engine.hexes import Hex
from engine.rules.ground import units_at
from engine.table import Table
from games.manstein.judgement.moving import better, stand
from games.manstein.judgement.worth import step_price, weights
from games.manstein.orders import Advance, Air, Attack, Lose, Retreat
from games.manstein.rules import odds as reckoning
from games.manstein.rules.air import kind_of
from games.manstein.rules.combat import harm
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import AXIS, SOVIET
from games.manstein.rules.retreat import ways

PURSUIT = 0.25  # what following a beaten enemy is worth by itself


def attack(table: Table, side: str, order: Attack) -> float:
    """What an attack promises, less what the units could do elsewhere."""
    target = table.grid.hex(order.target)
    found = reckoning.odds(table, order.units, target)
    kind = kind_of(table, order.air)
    column = reckoning.with_air(table, found.column, kind)
    if column < 0:
        return -1.0
    mean = sum(_outcome(table, side, order.units, target, table.data.result(column, die)) for die in range(1, 7)) / 6
    used = sum(reckoning.strength(table, unit, "attack") for unit in order.units)
    return mean - weights(side)["threshold"] - 0.004 * used - (0.5 if kind else 0.0)


def _outcome(table: Table, side: str, units: Sequence[str], target: Hex, result: str) -> float:
    w = weights(side)
    if result.startswith("A"):
        return -w["caution"] * _cheapest(table, units, int(result[1:]))
    if result == "-":
        return 0.0
    enemy = table.enemy(side)
    there = units_at(table, target, enemy)
    lost, hexes = harm(table, target, enemy, result)
    value = _cheapest(table, there, lost)
    if lost >= sum(table.position.steps_left(unit) for unit in there):
        return value + _ground(table, side, target)
    if hexes:
        value += w["retreat"] * hexes + _ground(table, side, target)
        value += sum(step_price(table, unit) for unit in there if not ways(table, unit, (target,), hexes))
    return value


def _ground(table: Table, side: str, target: Hex) -> float:
    """What an emptied hex is worth."""
    if table.data.cities >> target & 1 and side == SOVIET:
        return 60.0 if under_order(table, target) else 8.0
    if target in table.data.crossings:
        return 1.5
    return weights(side)["ground"]


def _cheapest(table: Table, units: Sequence[str], steps: int) -> float:
    """What so many steps cost an owner who chooses well."""
    prices = sorted(step_price(table, unit) for unit in units for _ in range(table.position.steps_left(unit)))
    return sum(prices[:steps])


def lose(table: Table, order: Lose) -> float:
    """Better than nothing, the less it costs."""
    cost = 0.0
    for unit, steps in order.losses:
        cost += step_price(table, unit) * steps
        if steps >= table.position.steps_left(unit):
            cost += 0.5
    return 100.0 - cost


def fall_back(table: Table, order: Retreat) -> float:
    """Where the unit stands best afterwards."""
    value = 50.0
    for unit, way in order.paths:
        if way:
            value += stand(table, unit, table.grid.hex(way[-1]))
    return value


def advance(table: Table, order: Advance) -> float:
    """Each unit by the hex it ends in."""
    value = PURSUIT
    for unit, way in order.paths:
        if way:
            value += better(table, unit, table.grid.hex(way[-1]))
    return value


def defensive_air(table: Table, ask: Ask, order: Air) -> float:
    """An ace for an ordered city, or against good odds."""
    spot = table.grid.hex(ask.subject)
    good = dict(ask.amounts).get("odds", 0)
    dear = sum(step_price(table, unit) for unit in units_at(table, spot, AXIS))
    return (4.0 if under_order(table, spot) else 0.0) + 0.2 * good + 0.3 * dear - 2.0
