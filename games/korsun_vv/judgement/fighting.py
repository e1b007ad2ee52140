"""Is a fight worth it: attacks, what to lose, where to go."""

from collections.abc import Sequence
from math import sqrt

from engine.asks import Ask
from games.korsun_vv.data import Result, Table
from games.korsun_vv.judgement.moving import better, stand
from games.korsun_vv.judgement.worth import step_price, strength, weights
from games.korsun_vv.orders import Advance, Attack, Defend, Hold, PreparedAttack, Retreat
from games.korsun_vv.rules import markers
from games.korsun_vv.rules.forecast import prospect
from games.korsun_vv.rules.ground import fighters

GUARD = 0.6  # the columns that a defence is likely to add


def attack(table: Table, side: str, order: Attack) -> float:
    """What an attack promises, less what its means could do elsewhere."""
    found, prepared = prospect(table, side, order), isinstance(order, PreparedAttack)
    shifts = [shift for shift, _ in found.duels[1::3] or found.duels]  # a low and a high die
    total = 0.0
    for shift in shifts:
        for die in range(1, 7):
            result = table.data.result(int(found.column + shift - GUARD), die + found.quality + found.arms)
            total += _outcome(table, side, order.units, found.theirs.units, result, prepared)
    w = weights(side)
    cost = w["threshold"] + w["marker"] * len(found.own.supports) + (0.25 if prepared else 0.0)
    return total / (6 * len(shifts)) - cost - 0.02 * len(order.units)


def _outcome(
    table: Table, side: str, units: Sequence[str], there: Sequence[str], result: Result, prepared: bool
) -> float:
    w, value = weights(side), 0.0
    if result.defender:
        steps = sum(table.position.steps_left(unit) for unit in fighters(table, there) or there)
        if result.defender >= steps:
            value += w["step"] * _cheapest(table, there, steps) + w["ground"]
        else:
            hurt = 0.7 * _cheapest(table, there, min(result.defender, 1 + result.defender_star))
            value += w["step"] * hurt + w["retreat"] * (result.defender - 1) + w["ground"]
    if result.attacker:
        lost = result.attacker if prepared or result.attacker_star or result.defender == 0 else 1
        value -= w["caution"] * _cheapest(table, units, lost)
    return value + (1.0 if result.breakthrough else 0.0)


def _cheapest(table: Table, units: Sequence[str], steps: int) -> float:
    """What so many steps cost an owner who chooses well."""
    prices = sorted(step_price(table, unit) for unit in units for _ in range(table.position.steps_left(unit)))
    return sum(prices[:steps])


def hold(table: Table, order: Hold) -> float:
    """Better than nothing, the less it costs."""
    return 100.0 - _cost(table, order.losses) - (1.0 if order.stug else 0.0)


def _cost(table: Table, losses: Sequence[tuple[str, int]]) -> float:
    cost = 0.0
    for unit, steps in losses:
        cost += step_price(table, unit) * steps
        if steps >= table.position.steps_left(unit):
            cost += 0.8
    return cost


def fall_back(table: Table, ask: Ask, order: Retreat) -> float:
    """A retreat disorganizes and gives ground, but saves steps."""
    units = [unit for unit in ask.units if table.position.hex_of(unit) is not None]
    given = 0.35 * sqrt(sum(strength(table, unit) for unit in units)) + 0.9
    value = 100.0 - _cost(table, order.losses) - given - (1.0 if order.stug else 0.0)
    for unit, way in order.paths:
        value += 0.1 * stand(table, unit, table.grid.hex(way[-1]))
    return value


def advance(table: Table, order: Advance) -> float:
    """Each unit by the hex it ends in."""
    value = 0.4
    for unit, way in order.paths:
        if way:
            value += better(table, unit, table.grid.hex(way[-1]))
    return value if value > 0 else 0.01 + value / 100


def defend(table: Table, ask: Ask, order: Defend) -> float:
    """Support where a column may matter, quality always."""
    useful = 2 <= dict(ask.amounts).get("column", 0) <= 8
    gain = 0.5 * min(markers.shift(table, order.support), 2) if useful else 0.0
    return 1.0 + gain - 0.35 * len(order.support) - (0.3 if order.quality else 0.0)
