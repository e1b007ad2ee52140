"""Is a fight worth it: attacks, overruns, what to lose, where to go, when to fly."""

from collections.abc import Sequence

from engine.asks import Ask
from engine.hexes import Hex
from engine.rules.ground import is_a, place, units_at
from engine.table import kept_while_still
from games.korsun_spi.data import Table
from games.korsun_spi.judgement.lines import relief
from games.korsun_spi.judgement.worth import price, step_price, strength, weights
from games.korsun_spi.orders import Attack, Lose, Overrun, Retreat
from games.korsun_spi.rules import odds as reckoning
from games.korsun_spi.rules import retreat
from games.korsun_spi.rules.combat import air_points
from games.korsun_spi.rules.ground import GERMAN, is_hq
from games.korsun_spi.rules.strength import attack_total, overrun_total
from games.korsun_spi.rules.supply import cut_off


def attack(table: Table, side: str, order: Attack) -> float:
    """What an attack promises, less what the defender's air would spoil and what the units could do elsewhere."""
    targets = [table.grid.hex(spot) for spot in order.targets]
    if _unknown(table, order.units, targets):
        return 0.0
    found = reckoning.odds(table, attack_total(table, order.units), targets, order.units, (1,) if order.air else ())
    promise = _promise(table, side, found.column, order.units, targets)
    used = sum(strength(table, unit, "attack") for unit in order.units)
    spare = 0.8 if order.air else 0.0
    return promise - weights(side)["threshold"] - 0.005 * used - spare


def overrun(table: Table, side: str, order: Overrun) -> float:
    target = table.grid.hex(order.target)
    if _unknown(table, order.units, [target]):
        return 0.0
    found = reckoning.odds(table, overrun_total(table, order.units), [target], order.units)
    return _promise(table, side, found.column, order.units, [target]) - weights(side)["threshold"] - 0.2


def _unknown(table: Table, units: Sequence[str], targets: Sequence[Hex]) -> bool:
    """Untried units are a gamble that the sensible player leaves to others."""
    there = [unit for target in targets for unit in table.position.at(target)]
    return any(is_a(table, unit, "untried") for unit in [*units, *there])


def _promise(table: Table, side: str, column: int, units: Sequence[str], targets: Sequence[Hex]) -> float:
    """The mean over the die of the harm done less the harm suffered."""
    enemy = table.enemy(side)
    there = [unit for target in targets for unit in units_at(table, target, enemy)]
    fighters = [unit for unit in units if not is_hq(table, unit)]
    stuck = cornered(table, targets)
    ground = weights(side)["ground"] + weights(side)["cut"] * max(relief(table, target) for target in targets)
    mean = 0.0
    for die in range(1, 7):
        ours, theirs = reckoning.halves(table.data.result(column, die))
        mean += _harm(table, there, theirs, stuck) + (ground if theirs not in ("-", "eng") else 0.0)
        mean -= weights(side)["caution"] * _harm(table, fighters, ours, False)
    return mean / 6


def _harm(table: Table, units: Sequence[str], result: str, stuck: bool) -> float:
    """What a result costs its owner: the cheaper of steps and hexes."""
    if result == "-" or not units:
        return 0.0
    if result == "E":
        return sum(price(table, unit) for unit in units)
    if result == "eng":
        return min(step_price(table, unit) for unit in units)
    number = int(result)
    steps = sorted(step_price(table, unit) for unit in units for _ in range(table.position.steps_left(unit)))
    lost = sum(steps[:number])
    if stuck:
        return lost
    return min(lost, weights(table.unit(units[0]).side)["retreat"] * number)


def cornered(table: Table, targets: Sequence[Hex]) -> bool:
    """Whether somebody in the attacked hexes has no hex to fall back to."""
    return any(_cornered(table, target) for target in targets)


@kept_while_still()
def _cornered(table: Table, target: Hex) -> bool:
    stack = table.position.at(target)
    return any(not retreat.ways(table, unit, stack, 1) for unit in stack)


# What the rules ask in the middle of a fight.


def lose(table: Table, order: Lose) -> float:
    """Better than nothing, the less it costs."""
    cost = 0.0
    for unit, steps in order.losses:
        last = steps >= table.position.steps_left(unit)
        cost += price(table, unit) if last else step_price(table, unit) * steps
        cost += 2.0 if is_hq(table, unit) else 0.0
    return 100.0 - cost


def fall_back(table: Table, ask: Ask, order: Retreat) -> float:
    """A retreat costs hexes; whoever has no way is lost."""
    named = {unit: table.grid.hex(hexes[-1]) for unit, hexes in order.paths if hexes}
    length = max([dict(ask.amounts).get("losses", 1), *(len(hexes) for _, hexes in order.paths)])
    rest = [unit for unit in ask.units if unit not in named]
    ways = retreat.choose(table, rest, length, {}) if rest else {}
    cost = sum(_exposure(table, unit, h) for unit, h in named.items())
    for unit, way in ways.items():
        cost += price(table, unit) if way is None else _exposure(table, unit, way[-1])
    holding = 0.5 * (table.data.shelter[place(table, ask.units[0])] - 1)
    return 100.0 - cost - weights(table.unit(ask.units[0]).side)["retreat"] * length - holding


def _exposure(table: Table, unit: str, h: Hex) -> float:
    side = table.unit(unit).side
    near = sum(1 for n in table.grid.neighbours(h) if units_at(table, n, table.enemy(side)))
    return 0.15 * near


def defensive_air(table: Table, ask: Ask) -> float:
    """A point for a threatened stack; the Germans keep one for the pocket."""
    side = ask.side
    pocket = side == GERMAN and any(cut_off(table, unit) for unit in table.position.on_map(GERMAN))
    if air_points(table, side) <= (1 if pocket else 0):
        return -1.0
    return 0.2 * sum(price(table, unit) for unit in ask.units) - 1.0
