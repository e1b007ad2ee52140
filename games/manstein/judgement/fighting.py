"""Is a fight worth it: attacks, which segment first, what to lose, where to go, when to fly."""

from collections.abc import Sequence

from engine.asks import Ask
from engine.hexes import Hex
from engine.rules.ground import place, units_at
from engine.table import kept
from games.manstein.data import Table
from games.manstein.judgement.moving import better, stand
from games.manstein.judgement.outlook import FOOT, TRACKS, to_enemy
from games.manstein.judgement.worth import prize, step_price, weights
from games.manstein.orders import Advance, Air, Attack, Lose, Mode, Retreat
from games.manstein.rules import odds as reckoning
from games.manstein.rules.air import kind_of, marker_of
from games.manstein.rules.combat import attackers_of, harm, targets
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import AXIS, activated, is_mech
from games.manstein.rules.retreat import ways, zones_entered

PURSUIT = 0.25  # what following a beaten enemy is worth by itself
EFFORT = 0.004  # a point of strength that could fight elsewhere
MARKER = 0.4  # an air marker that could be used elsewhere
DICE = range(1, 7)


def attack(table: Table, side: str, order: Attack) -> float:
    """What an attack promises, less what the units could do elsewhere."""
    kind = kind_of(table, marker_of(table, order.air)) if order.air else ""
    return _promise(table, side, order.units, table.grid.hex(order.target), kind)


def _promise(table: Table, side: str, units: tuple[str, ...], target: Hex, kind: str) -> float:
    found = reckoning.odds(table, units, target)
    if found.column < 0:
        return -1.0
    column = reckoning.with_air(table, found.column, kind)
    results = [table.data.result(column, die) for die in DICE]
    losses = [int(result[1:]) for result in results if result.startswith("A")]
    mean = -weights(side)["caution"] * sum(_cheapest(table, units, lost) for lost in losses) / len(DICE)
    mean += sum(_gain(table, side, target, result) for result in results) / len(DICE)
    used = reckoning.total(table, units, "attack")
    return mean - weights(side)["threshold"] - EFFORT * used - (MARKER if kind else 0.0)


@kept
def _gain(table: Table, side: str, target: Hex, result: str) -> float:
    """What a result does to the defenders of a hex."""
    if result.startswith("A") or result == "-":
        return 0.0
    enemy = table.enemy(side)
    there = units_at(table, target, enemy)
    lost, hexes = harm(table, target, enemy, result)
    value = _cheapest(table, there, lost)
    if lost >= sum(table.position.steps_left(unit) for unit in there):
        return value + prize(table, side, target)
    if hexes:
        value += weights(side)["retreat"] * hexes + prize(table, side, target)
        value += sum(_rout(table, unit, target, hexes) for unit in there)
    return value


@kept
def _rout(table: Table, unit: str, target: Hex, hexes: int) -> float:
    """What a retreat costs by itself: a step for every enemy zone on the way, all of them where there is none."""
    found = ways(table, unit, (target,), hexes)
    left = table.position.steps_left(unit)
    return step_price(table, unit) * min(left, zones_entered(table, unit, found[0]) if found else left)


def _cheapest(table: Table, units: Sequence[str], steps: int) -> float:
    """What so many steps cost an owner who chooses well."""
    prices = sorted(step_price(table, unit) for unit in units for _ in range(table.position.steps_left(unit)))
    return sum(prices[:steps])


def mode(table: Table, side: str, order: Mode) -> float:
    """Fight first where most of the strength that could come is in contact and has something to gain by it."""
    if order.mode != "CM":
        return 1.0
    near = able = 0
    for unit in activated(table, side):
        far = to_enemy(table, side, place(table, unit))
        power = reckoning.strength(table, unit, "attack")
        near += power if far == 1 else 0
        able += power if far <= (TRACKS if is_mech(table, unit) else FOOT) else 0
    ripe = near >= weights("staff")["mode"] * able
    return 1.5 if ripe and _at_once(table, side) > 0 else 0.5


def _at_once(table: Table, side: str) -> float:
    """What attacks promise from where everybody stands, each unit used once."""
    total, used = 0.0, set[str]()
    for target in targets(table, side):
        units = tuple(unit for unit in attackers_of(table, side, target) if unit not in used)
        worth = _promise(table, side, units, target, "") if units else 0.0
        if worth > 0:
            total += worth
            used |= set(units)
    return total


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
