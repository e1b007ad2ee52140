"""Where a unit stands well: the Soviets forward and together, the Axis in a line that holds."""

from __future__ import annotations

from engine import hexset
from engine.hexes import Hex
from engine.rules.ground import held, units_at
from engine.rules.marks import game_mark
from engine.table import Table
from games.manstein.judgement.outlook import (
    FAR,
    beside,
    breach,
    commanded,
    defence_at,
    distances,
    goal_of,
    may_withdraw,
    rear,
    threat,
    to_enemy,
)
from games.manstein.judgement.worth import price, weights
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import AXIS, SOVIET, enemy_zoc, excess, is_hq, zoc
from games.manstein.rules.lines import lines, sources
from games.manstein.rules.odds import over_river, strength

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
    if friends and excess(table, [*friends, unit]):
        return CROWD
    if is_hq(table, unit):
        return _headquarters(table, unit, h, friends)
    own = _soviet(table, unit, h) if side == SOVIET else _axis(table, unit, h, friends)
    hungry = 0.0 if _fed(table, side, h) else weights(side)["hunger"]
    heard = weights(side)["command"] if commanded(table, side) >> h & 1 else 0.0
    return own + heard - hungry - _risk(table, unit, h, friends)


def _fed(table: Table, side: str, h: Hex) -> bool:
    """A hex in the enemy's zone is fed once a friend stands in it, if its neighbours are."""
    network = lines(table, side)
    if network >> h & 1:
        return True
    return bool(enemy_zoc(table, side) >> h & 1) and bool(hexset.spread(table.grid, 1 << h) & network)


def _risk(table: Table, unit: str, h: Hex, friends: list[str]) -> float:
    """What may be lost: the enemy's strength near by against all that would stand here."""
    side = table.unit(unit).side
    danger = threat(table, side)[h]
    if not danger:
        return 0.0
    stack = strength(table, unit, "defence") + sum(strength(table, other, "defence") for other in friends)
    odds = danger / max(1, stack) - table.data.shift(h)
    if odds <= 2.0:
        return 0.0
    if side == AXIS and under_order(table, h):
        odds *= 0.5  # it will be held whatever comes
    cost: float = weights(side)["risk"] * (odds - 2.0) * (1 + price(table, unit) / 4)
    return cost


def _contact(table: Table, unit: str, h: Hex) -> float:
    """What attacks the unit could make or join from a hex."""
    side = table.unit(unit).side
    enemy = table.enemy(side)
    power = strength(table, unit, "attack")
    here = table.position.hex_of(unit)
    worth = 0.0
    for near in table.grid.neighbours(h):
        if not held(table, enemy) >> near & 1:
            continue
        total = beside(table, near, side) + (power // 2 if over_river(table, h, near) else power)
        if here is not None and table.grid.direction(here, near) is not None:
            total -= power
        odds = total / max(1, defence_at(table, near, enemy)) - 0.7 * table.data.shift(near)
        worth = max(worth, min(2.5, odds) * 0.6)
    fought = game_mark(table, "mode") == "CM"
    return weights(side)["contact"] * worth * (weights(side)["later"] if fought else 1.0)


def _soviet(table: Table, unit: str, h: Hex) -> float:
    w = weights(SOVIET)
    value = -w["drive"] * distances(table.data, goal_of(table, unit))[h] + _contact(table, unit, h)
    value += w["pocket"] * _cutting(table, h)
    scored = table.position.mark(unit, "broke through") is not None
    if table.data.area("breakthrough") >> h & 1 and not scored and lines(table, SOVIET) >> h & 1:
        value += w["breakthrough"]
    owners = table.position.owners
    if table.data.cities >> h & 1 and owners.get(table.grid.number_of(h)) == AXIS:
        value += w["ordered" if under_order(table, h) else "city"]
    if table.data.race and table.data.west_bank >> h & 1:
        value += w["bank"]
    return value


def _cutting(table: Table, h: Hex) -> float:
    """Whether a zone from here lies on the enemy's way home: a retreat through it costs steps."""
    near = hexset.spread(table.grid, 1 << h)
    behind = hexset.spread(table.grid, held(table, AXIS)) & ~zoc(table, SOVIET)
    if not near & behind:
        return 0.0
    home = distances(table.data, sources(table, AXIS))
    closest = min(
        (home[a] for a in hexset.members(hexset.within(table.grid, 1 << h, 2) & held(table, AXIS))), default=FAR
    )
    return 1.0 if home[h] <= closest else 0.0


def _axis(table: Table, unit: str, h: Hex, friends: list[str]) -> float:
    w = weights(AXIS)
    far = to_enemy(table, AXIS, h)
    value = _contact(table, unit, h) if far == 1 else 0.0
    value -= w["near"] * max(0, w["reserve"] - far)
    if friends or not under_order(table, h):
        value -= w["idle"] * max(0, far - w["reserve"])
    value += w["line"] * _hole(table, unit, h)
    if far <= w["reserve"]:
        value += w["shelter"] * _shelter(table, h)
    if may_withdraw(table):
        value -= w["home"] * distances(table.data, table.data.west_bank)[h]
    value += _place(table, unit, h, friends, far)
    return value - w["crowd"] * len(friends)


def _place(table: Table, unit: str, h: Hex, friends: list[str], far: int) -> float:
    """Cities and crossing points must not be left open when the enemy is near; the strongest hold them best."""
    p = weights("place")
    near = max(0.0, 1.0 - (far - 1) / p["alarm"])
    if table.data.cities >> h & 1:
        enough = max(1.0, threat(table, AXIS)[h] / p["odds"])
        before = sum(strength(table, other, "defence") for other in friends)
        after = before + strength(table, unit, "defence")
        more = min(1.0, after / enough) - min(1.0, before / enough)
        if not under_order(table, h):
            return near * more * p["city"]
        return near * more * p["ordered"] + (0.0 if friends else p["guard"] + p["remote"] * far)
    return near * p["crossing"] if h in table.data.crossings and not friends else 0.0


def _hole(table: Table, unit: str, h: Hex) -> float:
    """How well the unit would bar the shortest way past the line that is open without it."""
    here = table.position.hex_of(unit)
    friends = held(table, AXIS)
    if here is not None and len(units_at(table, here, AXIS)) == 1:
        friends &= ~(1 << here)
    cuts = breach(table.data, held(table, SOVIET), friends, rear(table))
    cover = hexset.spread(table.grid, 1 << h)
    return max(((cover & cut).bit_count() / cut.bit_count() for cut in cuts), default=0.0)


def _shelter(table: Table, h: Hex) -> float:
    """Terrain, and rivers between the hex and the enemy's ground."""

    def work_out() -> float:
        ahead = distances(table.data, held(table, SOVIET))
        facing = [near for near in table.grid.neighbours(h) if ahead[near] < ahead[h]]
        rivers = sum(1 for near in facing if over_river(table, near, h))
        return float(table.data.shift(h)) + (1.5 * rivers / len(facing) if facing else 0.0)

    return table.keep(("shelter", h), work_out)


def _headquarters(table: Table, unit: str, h: Hex, friends: list[str]) -> float:
    """Behind the line, out of the enemy's zones, with many in range whom no other HQ commands."""
    side, w = table.unit(unit).side, weights("headquarters")
    near = hexset.within(table.grid, 1 << h, table.position.value(unit, "range")) & held(table, side)
    alone = near & ~commanded(table, side, unit)
    value = w["alone"] * alone.bit_count() + w["shared"] * (near & ~alone).bit_count()
    if enemy_zoc(table, side) >> h & 1:
        value -= w["exposed"]
    if not lines(table, side) >> h & 1:
        value -= w["hunger"]
    value -= w["off"] * abs(to_enemy(table, side, h) - w["behind"])
    if side == SOVIET:
        value -= w["drive"] * distances(table.data, goal_of(table, unit))[h]
    elif may_withdraw(table):
        value -= weights(AXIS)["home"] * distances(table.data, table.data.west_bank)[h]
    return value + (w["escort"] if friends else 0.0)
