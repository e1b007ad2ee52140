"""Where a unit stands well: the Soviets forward and together, the Axis in a line that holds."""

from __future__ import annotations

from engine import hexset
from engine.hexes import Hex
from engine.rules.ground import held, units_at
from engine.table import Table
from games.manstein.judgement.worth import defence_at, far_from, objectives, price, threat, weights
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import AXIS, SOVIET, enemy_zoc, excess, is_hq, zoc
from games.manstein.rules.lines import lines, sources
from games.manstein.rules.odds import over_river, strength

FAR = 60
CROWD = -50.0  # nobody pushes another out of a hex


def better(table: Table, unit: str, to: Hex) -> float:
    """How much better a unit stands in a hex than where it is."""
    here = table.position.hex_of(unit)
    return stand(table, unit, to) - (stand(table, unit, here) if here is not None else 0.0)


def stand(table: Table, unit: str, h: Hex) -> float:
    return table.keep(("stand", unit, h), lambda: _stand(table, unit, h))


def _stand(table: Table, unit: str, h: Hex) -> float:
    side = table.unit(unit).side
    friends = [other for other in units_at(table, h, side) if other != unit]
    if excess(table, [*friends, unit]):
        return CROWD
    if is_hq(table, unit):
        return _headquarters(table, unit, h, friends)
    own = _soviet(table, unit, h) if side == SOVIET else _axis(table, unit, h, friends)
    hungry = 0.0 if _fed(table, side, h) else weights(side)["hunger"]
    return own - hungry - _risk(table, unit, h, friends)


def _fed(table: Table, side: str, h: Hex) -> bool:
    """A hex in the enemy's zone is fed once a friend stands in it, if its neighbours are."""
    network = lines(table, side)
    if network >> h & 1:
        return True
    return bool(hexset.spread(table.grid, 1 << h) & network) and bool(enemy_zoc(table, side) >> h & 1)


def _risk(table: Table, unit: str, h: Hex, friends: list[str]) -> float:
    """What may be lost: the enemy's strength near by against all that would stand here."""
    side = table.unit(unit).side
    danger = threat(table, side).get(h, 0)
    if not danger:
        return 0.0
    stack = strength(table, unit, "defence") + sum(strength(table, other, "defence") for other in friends)
    odds = danger / max(1, stack)
    odds -= table.data.shift(h)
    if side == AXIS and under_order(table, h):
        odds *= 0.5  # it will be held whatever comes
    cost: float = weights(side)["risk"] * max(0.0, odds - 2.0) * (1 + price(table, unit) / 4)
    return cost


def _contact(table: Table, unit: str, h: Hex) -> float:
    """Enemies next to the hex that could be attacked well from here with those who are there already."""
    side = table.unit(unit).side
    enemy = table.enemy(side)
    worth = 0.0
    power = strength(table, unit, "attack")
    for near in table.grid.neighbours(h):
        if not held(table, enemy) >> near & 1:
            continue
        own = power // 2 if over_river(table, h, near) else power
        total = own + _joined(table, unit, near)
        odds = total / max(1, defence_at(table, near, enemy)) - 0.7 * table.data.shift(near)
        worth = max(worth, min(2.5, odds) * 0.6)
    return weights(side)["contact"] * worth


def _joined(table: Table, unit: str, target: Hex) -> int:
    """The strength of friends next to an enemy hex."""
    side = table.unit(unit).side
    total = 0
    for h in table.grid.neighbours(target):
        if held(table, side) >> h & 1:
            total += sum(strength(table, other, "attack") for other in units_at(table, h, side) if other != unit)
    return total


def _soviet(table: Table, unit: str, h: Hex) -> float:
    w = weights(SOVIET)
    far = far_from(table, objectives(table)).get(h, FAR)
    value = -w["drive"] * far + _contact(table, unit, h)
    scored = table.position.mark(unit, "broke through") is not None
    if table.data.area("breakthrough") >> h & 1 and not scored and lines(table, SOVIET) >> h & 1:
        value += 5.0
    owners = table.position.owners
    if table.data.cities >> h & 1 and owners.get(table.grid.number_of(h)) == AXIS:
        value += 100.0 if under_order(table, h) else 8.0
    if table.data.race and table.data.west_bank >> h & 1:
        value += 1.0
    return value


def _axis(table: Table, unit: str, h: Hex, friends: list[str]) -> float:
    w, p = weights(AXIS), weights("place")
    value = _contact(table, unit, h)
    far = far_from(table, held(table, SOVIET)).get(h, FAR)
    value -= p["depth"] * min(far, FAR)
    if far > p["reserve"]:
        value -= 0.1 * (far - p["reserve"])
    if far <= p["reserve"]:
        value += p["line"] * _gap(table, unit, h) + p["shelter"] * _shelter(table, h)
    value += _place(table, unit, h, friends, far)
    return value - w["crowd"] * len(friends)


def _place(table: Table, unit: str, h: Hex, friends: list[str], far: int) -> float:
    """Cities and crossing points must not be left open when the enemy is near; the strongest hold them best."""
    p = weights("place")
    near = max(0.0, 1.0 - (far - 1) / p["alarm"])
    if table.data.cities >> h & 1:
        before = sum(strength(table, other, "defence") for other in friends)
        after = before + strength(table, unit, "defence")
        more = min(1.0, after / p["garrison"]) - min(1.0, before / p["garrison"])
        if not under_order(table, h):
            return near * more * p["city"]
        return near * more * p["ordered"] + (0.0 if friends else p["guard"])
    return near * p["crossing"] if h in table.data.crossings and not friends else 0.0


def _gap(table: Table, unit: str, h: Hex) -> float:
    """Whether the unit would close a gap: enemy-facing hexes beside it that no friend controls."""
    here = table.position.hex_of(unit)
    lifted = held(table, AXIS)
    if here is not None and len(units_at(table, here, AXIS)) == 1:
        lifted &= ~(1 << here)
    covered = table.keep(("covered", lifted), lambda: hexset.spread(table.grid, lifted))
    new = (hexset.spread(table.grid, 1 << h) & ~covered & table.data.passable).bit_count()
    joined = 1.0 if covered & hexset.within(table.grid, 1 << h, 2) else 0.2
    return float(min(new, 4)) / 4 * joined


def _shelter(table: Table, h: Hex) -> float:
    """Terrain, and rivers between the hex and the enemy's ground."""
    facing = [near for near in table.grid.neighbours(h) if zoc(table, SOVIET) >> near & 1]
    rivers = sum(1 for near in facing if over_river(table, near, h))
    return float(table.data.shift(h)) + (1.5 * rivers / len(facing) if facing else 0.0)


def _headquarters(table: Table, unit: str, h: Hex, friends: list[str]) -> float:
    """Behind the line, out of the enemy's zones, with as many as possible in range."""
    side = table.unit(unit).side
    reach = table.position.value(unit, "range")
    near = (hexset.within(table.grid, 1 << h, reach) & held(table, side)).bit_count()
    value = 0.25 * near
    if enemy_zoc(table, side) >> h & 1:
        value -= 4.0
    far = far_from(table, held(table, table.enemy(side))).get(h, FAR)
    value -= 0.15 * abs(far - 3)
    if not lines(table, side) >> h & 1:
        value -= 5.0
    if side == SOVIET:
        value -= 0.1 * far_from(table, objectives(table)).get(h, FAR)
    home = far_from(table, sources(table, side)).get(h, FAR)
    return value - 0.02 * home + (0.4 if friends else 0.0)
