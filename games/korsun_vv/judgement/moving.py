"""Where a unit stands well."""

from typing import NamedTuple

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import held
from engine.table import kept, kept_while_still
from games.korsun_vv.data import Table
from games.korsun_vv.judgement import worth
from games.korsun_vv.judgement.worth import GOALS, strength
from games.korsun_vv.names import FORMATION, GERMAN, RUSSIAN, STRENGTH_MARKS
from games.korsun_vv.rules.duty import binds
from games.korsun_vv.rules.ground import any_range, enemy_zoc, formation, in_range, is_hq, may_attack, members, stands
from games.korsun_vv.rules.supply import from_edge

FORCED = 1.0  # what an attack at bad odds costs that a move would oblige to


class Scene(NamedTuple):
    """What the stand of a unit is judged by in every hex."""

    weights: dict[str, float]
    strength: float
    far: dict[Hex, int]  # from its goal
    danger: dict[Hex, float]
    bound: HexSet  # whoever comes here must attack
    hungry: HexSet
    led: HexSet  # by its own HQ
    seconded: HexSet  # by another one
    gaps: HexSet  # in the ring


@kept
def _scene(table: Table, unit: str) -> Scene:
    side, hq = table.unit(unit).side, formation(table, unit)
    return Scene(
        worth.weights(side),
        strength(table, unit),
        worth.distances(table, unit),
        worth.threat(table, side),
        binds(table, side),
        ~from_edge(table, side) & ~enemy_zoc(table, side),
        in_range(table, hq) if hq and stands(table, hq) else 0,
        any_range(table, side) if side == GERMAN else 0,
        worth.uncovered(table, unit) if side == RUSSIAN else 0,
    )


def better(table: Table, unit: str, to: Hex) -> float:
    """How much better a unit stands in a hex than where it is."""
    here = table.position.hex_of(unit)
    now = stand(table, unit, here) if here is not None else -5.0
    gain = stand(table, unit, to) - now
    return gain + _forced(table, unit, to) if _scene(table, unit).bound >> to & 1 else gain


@kept
def stand(table: Table, unit: str, h: Hex) -> float:
    if is_hq(table, unit):
        return _headquarters(table, unit, h)
    scene = _scene(table, unit)
    w, cover = scene.weights, table.data.shifts[h]
    friends = [other for other in table.position.at(h) if other != unit]
    value = (
        -w["drive"] * min(scene.far.get(h, worth.FAR), GOALS["far"]) - w["crowd"] * len(friends) + w["shelter"] * cover
    )
    danger = scene.danger.get(h, 0.0)
    if danger:
        own = scene.strength + sum(strength(table, other) for other in friends)
        value -= w["risk"] * max(0.0, danger / max(1.0, own) - 1.5 - cover)
        value += w["contact"] * min(4.0, _odds(table, unit, h, 0.7)) if may_attack(table, unit) else 0.0
    if scene.hungry >> h & 1:
        value -= w["hunger"]
    if scene.led >> h & 1:
        value += w["command"]
    elif scene.seconded >> h & 1:
        value += w["command"] / 2
    if h == table.data.airfield and not friends:
        value += 1.5
    if scene.gaps:
        value += w["ring"] * (hexset.spread(table.grid, 1 << h) & scene.gaps).bit_count()
    return value


def _odds(table: Table, unit: str, h: Hex, shelter: float) -> float:
    """The best odds against an enemy beside the hex, with those who are beside him already."""
    side, best = table.unit(unit).side, 0.0
    enemy, own, here = table.enemy(side), _scene(table, unit).strength, table.position.hex_of(unit)
    for near in hexset.members(hexset.spread(table.grid, 1 << h) & held(table, enemy)):
        beside = here is not None and table.grid.direction(here, near) is not None
        power = _around(table, side, near) + (0.0 if beside else own)
        best = max(best, power / worth.defence_at(table, near, enemy) - shelter * table.data.shifts[near])
    return best


@kept_while_still(*STRENGTH_MARKS)
def _around(table: Table, side: str, target: Hex) -> float:
    """The strength of a side next to an enemy hex."""
    near = hexset.members(hexset.spread(table.grid, 1 << target) & held(table, side))
    units = (unit for h in near for unit in table.position.at(h) if may_attack(table, unit))
    return sum(strength(table, unit) for unit in units)


def _forced(table: Table, unit: str, to: Hex) -> float:
    """A move that obliges to attack is good only where the attack is."""
    best = _odds(table, unit, to, 0.8)
    return 0.25 * best - FORCED if best < 3.0 else 0.3


@kept_while_still(FORMATION)
def _formation_hexes(table: Table, hq: str) -> HexSet:
    """Where an HQ's units stand."""
    return hexset.of(h for unit in members(table, hq) if (h := table.position.hex_of(unit)) is not None)


def _headquarters(table: Table, unit: str, h: Hex) -> float:
    """Behind the line, out of the enemy's zones, with its formation in range."""
    side = table.unit(unit).side
    reach = hexset.within(table.grid, 1 << h, table.data.reach[side])
    value = 0.4 * (reach & _formation_hexes(table, unit)).bit_count()
    if enemy_zoc(table, side) >> h & 1:
        value -= 4.0
    enemy = held(table, table.enemy(side))
    value -= 0.2 * abs(worth.far_from(table.grid, table.data.land, enemy).get(h, 20) - 4)
    if not from_edge(table, side) >> h & 1:
        value -= 3.0
    return value + 0.3 if table.position.at(h) else value
