"""What steps, units and places are worth, in victory points."""

from functools import cache

from engine.hexes import Hex
from engine.rulebook import read_tables
from engine.table import kept_while_still
from games.manstein.data import FOLDER, Table
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import AXIS, SOVIET, is_hq
from games.manstein.rules.victory import worth

HEADQUARTERS = 2.2  # a relocation scores two, and costs a command its place


@cache
def weights(name: str) -> dict[str, float]:
    found: dict[str, dict[str, float]] = read_tables(FOLDER, "judgement/weights.toml", dict[str, dict[str, float]])
    return found[name]


@kept_while_still()
def step_price(table: Table, unit: str) -> float:
    """What one step of a unit is worth: its strength, and the points if it is the last."""
    if is_hq(table, unit):
        return HEADQUARTERS
    side = table.unit(unit).side
    power = table.position.value(unit, "attack") + table.position.value(unit, "defence")
    points = worth(table, unit)[0] if side == AXIS and table.position.steps_left(unit) == 1 else 0
    return weights(side)["step"] * power / 2 + points


def price(table: Table, unit: str) -> float:
    """What a whole unit is worth."""
    side = table.unit(unit).side
    power = table.position.value(unit, "attack") + table.position.value(unit, "defence")
    points = worth(table, unit)[0] if side == AXIS and not is_hq(table, unit) else 0
    return weights(side)["step"] * power + points


def prize(table: Table, side: str, h: Hex) -> float:
    """What an emptied hex is worth to whoever enters it."""
    if table.data.cities >> h & 1:
        if side == AXIS:
            return weights("place")["city"]
        return weights(SOVIET)["ordered" if under_order(table, h) else "city"]
    crossing = weights("place")["crossing"] if h in table.data.crossings else 0.0
    return weights(side)["ground"] + crossing
