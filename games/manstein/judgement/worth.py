"""What units and places are worth, and where strength lies."""

from __future__ import annotations

from engine import hexset
from engine.folder import read_toml
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import held, number, units_at
from engine.table import Table
from games.manstein.data import FOLDER
from games.manstein.rules.crossings import controlled
from games.manstein.rules.ground import AXIS, SOVIET, is_hq
from games.manstein.rules.odds import strength
from games.manstein.rules.victory import worth

REACH = 2  # hexes from which an enemy is felt


def weights(name: str) -> dict[str, float]:
    found: dict[str, float] = read_toml(FOLDER, "judgement/weights.toml")[name]
    return found


def step_price(table: Table, unit: str) -> float:
    """What one step of a unit is worth: its strength, and the points if it is the last."""
    if is_hq(table, unit):
        return 2.2
    side = table.unit(unit).side
    power = table.position.value(unit, "attack") + table.position.value(unit, "defence")
    last = table.position.steps_left(unit) == 1
    points = worth(table, unit)[0] if side == AXIS and last else 0
    return weights(side)["step"] * power / 2 + points


def price(table: Table, unit: str) -> float:
    """What a whole unit is worth."""
    side = table.unit(unit).side
    power = table.position.value(unit, "attack") + table.position.value(unit, "defence")
    points = worth(table, unit)[0] if side == AXIS and not is_hq(table, unit) else 0
    return weights(side)["step"] * power + points


def threat(table: Table, side: str) -> dict[Hex, int]:
    """For every hex the attack strength of the enemies of a side that are near it."""

    def work_out() -> dict[Hex, int]:
        found: dict[Hex, int] = {}
        enemy = table.enemy(side)
        for h in hexset.members(held(table, enemy)):
            power = sum(strength(table, unit, "attack") for unit in units_at(table, h, enemy))
            for near in hexset.members(hexset.within(table.grid, 1 << h, REACH)):
                found[near] = found.get(near, 0) + power
        return found

    return table.keep(("threat", side), work_out)


def defence_at(table: Table, h: Hex, side: str) -> int:
    """What a side's stack in a hex defends with, terrain aside."""

    def work_out() -> int:
        return sum(strength(table, unit, "defence") for unit in units_at(table, h, side))

    found: int = table.keep(("defence at", h, side), work_out)
    return found


def objectives(table: Table) -> HexSet:
    """Where the Soviets want to go: cities and crossing points of the Axis; when all are theirs, the breakthroughs."""

    def work_out() -> HexSet:
        owners = table.position.owners
        goal = hexset.of(h for h in hexset.members(table.data.cities) if owners.get(number(table, h)) != SOVIET)
        goal |= hexset.of(h for h in table.data.crossings if not controlled(table, h))
        open_ground: HexSet = table.data.area("breakthrough") & ~held(table, SOVIET)
        return goal | open_ground

    return table.keep("objectives", work_out)


def far_from(table: Table, goal: HexSet) -> dict[Hex, int]:
    """How many hexes it is from each hex to the nearest of a set."""

    def work_out() -> dict[Hex, int]:
        found: dict[Hex, int] = {}
        for far, layer in enumerate(hexset.distance_layers(table.grid, goal, table.data.passable)):
            for h in hexset.members(layer):
                found[h] = far
        return found

    return table.keep(("far from", goal), work_out)
