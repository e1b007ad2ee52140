"""The map as a side looks at it: where strength lies, how far it is, what is covered. Kept until that changes."""

from __future__ import annotations

from functools import lru_cache

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import held, number, place, units_at
from engine.table import Table
from games.manstein.data import Data
from games.manstein.judgement.worth import weights
from games.manstein.rules.crossings import controlled, under_order
from games.manstein.rules.ground import AXIS, SOVIET, is_mech
from games.manstein.rules.headquarters import headquarters
from games.manstein.rules.lines import sources
from games.manstein.rules.odds import over_river, strength

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


def force(table: Table, side: str) -> Force:
    """Where a side's attack strength lies."""

    def work_out() -> Force:
        found = []
        for unit in table.position.on_map(side):
            reach = TRACKS if is_mech(table, unit) else FOOT
            found.append((place(table, unit), strength(table, unit, "attack"), reach))
        return tuple(found)

    return table.keep(("force", side), work_out)


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
    return table.keep(("threat", side), lambda: _brought(table.data, force(table, table.enemy(side))))


def defence_at(table: Table, h: Hex, side: str) -> int:
    """What a side's stack in a hex defends with, terrain aside."""

    def work_out() -> int:
        return sum(strength(table, unit, "defence") for unit in units_at(table, h, side))

    found: int = table.keep(("defence at", h, side), work_out)
    return found


def beside(table: Table, h: Hex, side: str) -> int:
    """The attack strength of a side's units next to a hex."""

    def work_out() -> int:
        total = 0
        for near in table.grid.neighbours(h):
            part = sum(strength(table, unit, "attack") for unit in units_at(table, near, side))
            total += part // 2 if part and over_river(table, near, h) else part
        return total

    found: int = table.keep(("beside", h, side), work_out)
    return found


def goals(table: Table) -> dict[Hex, int]:
    """Where the Soviets want to go, and the attack strength that each place still asks for when all are counted."""

    def work_out() -> dict[Hex, int]:
        w, owners = weights("goals"), table.position.owners
        found: dict[Hex, int] = {}
        for h in hexset.members(table.data.cities):
            if owners.get(number(table, h)) != SOVIET:
                found[h] = int(w["city"] + w["odds"] * defence_at(table, h, AXIS) * (1 + table.data.shift(h) / 3))
        for h in table.data.crossings:
            if not controlled(table, h):
                found.setdefault(h, int(w["crossing"]))
        for h in hexset.members(table.data.area("breakthrough") & ~held(table, SOVIET)):
            found.setdefault(h, int(w["breakthrough"]))
        return {h: need - _gathered(table, h) for h, need in found.items()}

    return table.keep("goals", work_out)


def _gathered(table: Table, h: Hex) -> int:
    """The Soviet attack strength near a goal."""
    near = hexset.within(table.grid, 1 << h, GATHER) & held(table, SOVIET)
    return sum(strength(table, unit, "attack") for at in hexset.members(near) for unit in units_at(table, at, SOVIET))


def goal_of(table: Table, unit: str) -> HexSet:
    """The goals that still need a unit: not those where enough others have gathered."""

    def work_out() -> HexSet:
        here = table.position.hex_of(unit)
        power = strength(table, unit, "attack")
        found = 0
        for h, short in goals(table).items():
            own = power if here is not None and table.grid.distance(here, h) <= GATHER else 0
            if short + own > 0:
                found |= 1 << h
        every: HexSet = table.data.area("breakthrough")
        return found or every

    return table.keep(("goal of", unit), work_out)


def commanded(table: Table, side: str, without: str = "") -> HexSet:
    """The hexes within range of a side's HQs."""

    def work_out() -> HexSet:
        found = 0
        for hq in headquarters(table, side):
            if hq != without:
                found |= hexset.within(table.grid, 1 << place(table, hq), table.position.value(hq, "range"))
        return found

    return table.keep(("commanded", side, without), work_out)


def bound(table: Table) -> HexSet:
    """The ground on which an ordered city beyond the Dnieper keeps the Axis from going home."""

    def work_out() -> HexSet:
        east = table.data.cities & ~table.data.west_bank
        ordered = hexset.of(h for h in hexset.members(east) if under_order(table, h))
        return hexset.within(table.grid, ordered, int(weights("place")["bound"]))

    return table.keep("bound", work_out)


def in_danger(table: Table, h: Hex) -> float:
    """How near an Axis city is to falling: attack strength about it for each point that holds it, columns off."""
    coming = threat(table, AXIS)[h]
    columns: int = table.data.shift(h)
    return max(0.0, coming / max(1, defence_at(table, h, AXIS)) - columns)


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


def rear(table: Table) -> HexSet:
    """What no Soviet column may reach: sources, breakthrough hexes, cities away from the front."""

    def work_out() -> HexSet:
        far = distances(table.data, held(table, SOVIET))
        cities = hexset.of(h for h in hexset.members(table.data.cities) if far[h] > TRACKS)
        behind: HexSet = table.data.area("breakthrough") | sources(table, AXIS) | cities
        return behind & ~held(table, SOVIET)

    return table.keep("rear", work_out)
