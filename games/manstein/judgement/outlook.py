"""The map as a side looks at it: where strength lies, how far it is, what is covered. Kept until that changes."""

from functools import lru_cache

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import held, place, units_at
from engine.table import kept, kept_while_side_still
from games.manstein.data import Data, Table
from games.manstein.judgement.worth import weights
from games.manstein.rules.crossings import controlled, under_order
from games.manstein.rules.ground import AXIS, SOVIET, is_mech
from games.manstein.rules.headquarters import headquarters
from games.manstein.rules.lines import cities_of, sources
from games.manstein.rules.odds import over_river, strength, total

FAR = 60
GATHER = 5  # hexes from a goal within which strength counts as gathered there
FOOT, TRACKS = 3, 5  # hexes over which foot and tracks can come to attack

Force = tuple[tuple[Hex, int, int], ...]  # where, how strong in attack, over how many hexes


@lru_cache(maxsize=512)
def distances(data: Data, goal: HexSet) -> tuple[int, ...]:
    """How many hexes it is from each hex to the nearest of a set."""
    grid = data.board.grid
    found = [FAR] * (grid.everything.bit_length() + 1)
    for far, layer in enumerate(hexset.distance_layers(grid, goal, data.passable)):
        for h in hexset.members(layer):
            found[h] = far
    return tuple(found)


def to_enemy(table: Table, side: str, h: Hex) -> int:
    """How far the nearest enemy of a side is."""
    return distances(table.data, held(table, table.enemy(side)))[h]


@kept_while_side_still("supply")
def force(table: Table, side: str) -> Force:
    """Where a side's attack strength lies."""
    return tuple(
        (place(table, unit), strength(table, unit, "attack"), TRACKS if is_mech(table, unit) else FOOT)
        for unit in table.position.on_map(side)
    )


@lru_cache(maxsize=64)
def _brought(data: Data, force: Force) -> tuple[int, ...]:
    grid = data.board.grid
    found = [0] * (grid.everything.bit_length() + 1)
    for start, power, reach in force:
        for h in hexset.members(hexset.within(grid, 1 << start, reach)):
            found[h] += power
    return tuple(found)


def threat(table: Table, side: str) -> tuple[int, ...]:
    """For every hex the attack strength of the enemies of a side that can come at it soon."""
    return _brought(table.data, force(table, table.enemy(side)))


@kept_while_side_still("supply")
def defence_at(table: Table, side: str, h: Hex) -> int:
    """What a side's stack in a hex defends with, terrain aside."""
    return total(table, units_at(table, h, side), "defence")


@kept_while_side_still("supply")
def beside(table: Table, side: str, h: Hex) -> int:
    """The attack strength of a side's units next to a hex."""
    found = 0
    for near in table.grid.neighbours(h):
        part = total(table, units_at(table, near, side), "attack")
        found += part // 2 if part and over_river(table, near, h) else part
    return found


@kept
def goals(table: Table) -> dict[Hex, int]:
    """Where the Soviets want to go, and the attack strength that each place still asks for when all are counted."""
    w = weights("goals")
    found: dict[Hex, int] = {}
    for h in hexset.members(table.data.cities & ~cities_of(table, SOVIET)):
        found[h] = int(w["city"] + w["odds"] * defence_at(table, AXIS, h) * (1 + table.data.shifts[h] / 3))
    for h in table.data.crossings:
        if not controlled(table, h):
            found.setdefault(h, int(w["crossing"]))
    for h in hexset.members(table.data.area("breakthrough") & ~held(table, SOVIET)):
        found.setdefault(h, int(w["breakthrough"]))
    return {h: need - _gathered(table, h) for h, need in found.items()}


def _gathered(table: Table, h: Hex) -> int:
    """The Soviet attack strength near a goal."""
    near = hexset.within(table.grid, 1 << h, GATHER) & held(table, SOVIET)
    return sum(total(table, units_at(table, at, SOVIET), "attack") for at in hexset.members(near))


@kept
def goal_of(table: Table, unit: str) -> HexSet:
    """The goals that still need a unit: not those where enough others have gathered."""
    here = table.position.hex_of(unit)
    power = strength(table, unit, "attack")
    found = 0
    for h, short in goals(table).items():
        own = power if here is not None and table.grid.distance(here, h) <= GATHER else 0
        if short + own > 0:
            found |= 1 << h
    return found or table.data.area("breakthrough")


@kept_while_side_still()
def commanded(table: Table, side: str, without: str = "") -> HexSet:
    """The hexes within range of a side's HQs."""
    others = [hq for hq in headquarters(table, side) if hq != without]
    value, grid = table.position.value, table.grid
    return hexset.union(hexset.within(grid, 1 << place(table, hq), value(hq, "range")) for hq in others)


@kept
def bound(table: Table) -> HexSet:
    """The ground on which an ordered city beyond the Dnieper keeps the Axis from going home."""
    east = table.data.cities & ~table.data.west_bank
    ordered = hexset.of(h for h in hexset.members(east) if under_order(table, h))
    return hexset.within(table.grid, ordered, int(weights("place")["bound"]))


def in_danger(table: Table, h: Hex) -> float:
    """How near an Axis city is to falling: attack strength about it for each point that holds it, columns off."""
    return max(0.0, threat(table, AXIS)[h] / max(1, defence_at(table, AXIS, h)) - table.data.shifts[h])


@lru_cache(maxsize=4096)
def breach(data: Data, soviet: HexSet, axis: HexSet, rear: HexSet) -> tuple[HexSet, ...]:
    """The shortest way past all Axis zones of control into the rear, as one set of hexes for each step; none: shut."""
    grid, sides = data.board.grid, data.line_sides
    covered = axis | hexset.across(grid, axis, data.open_sides)
    layers = hexset.distance_layers(grid, soviet, data.passable & ~covered | soviet, sides=sides)
    last = next((k for k, layer in enumerate(layers) if layer & rear), 0)
    cut = layers[last] & rear
    found = [cut]
    for layer in reversed(layers[1:last]):
        cut = hexset.across(grid, cut, sides) & layer
        found.append(cut)
    return tuple(reversed(found)) if last else ()


@kept_while_side_still()
def rear(table: Table, enemy: str) -> HexSet:
    """What no Soviet column may reach: sources, breakthrough hexes, cities away from the front."""
    far = distances(table.data, held(table, enemy))
    cities = hexset.of(h for h in hexset.members(table.data.cities) if far[h] > TRACKS)
    behind = table.data.area("breakthrough") | sources(table, AXIS) | cities
    return behind & ~held(table, enemy)
