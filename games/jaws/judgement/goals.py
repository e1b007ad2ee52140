"""What each side wants in a scenario (23), and how far it is from every hex."""

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import is_a
from engine.table import kept, kept_for_good, kept_while_marked
from games.jaws.data import GERMAN, SIXTH, SOVIET, Table
from games.jaws.judgement import pocket
from games.jaws.rules.ground import BRIDGE, exits, ground, owner
from games.jaws.rules.units import going
from games.jaws.rules.victory import towns_row
from games.jaws.shapes import Going, Ground

FAR = 60  # Movement Points: as good as never
RING = ("5020", "4821", "4121", "2420", "3024")  # 23.3: the towns by which both Fronts reach each other


def driver(table: Table) -> str:
    """The side that must come forward: in the campaign the Soviets, until there is a pocket."""
    return GERMAN if table.data.scenario["victory"] == "vormann" or pocket.shut(table) else SOVIET


def drives(table: Table, side: str) -> bool:
    return side == driver(table)


def presses(table: Table, unit: str) -> bool:
    """Whether a unit goes for its aim, or holds what it has."""
    return pocket.presses(table, unit) if pocket.shut(table) else drives(table, table.unit(unit).side)


@kept_for_good
def towns(table: Table) -> HexSet:
    """The objectives, whoever has them."""
    row, grid = towns_row(table), table.grid
    if row is not None:
        return hexset.of(grid.hex(spot) for spot in row["hexes"])
    if table.data.scenario["victory"] in ("wanda", "hells_gate"):
        return 1 << grid.hex(table.data.tables["victory"]["wanda"]["hex"])
    if table.data.scenario["victory"] in ("ring", "campaign"):
        return hexset.of(map(grid.hex, RING)) & table.data.land
    return 1 << grid.hex(table.data.tables["victory"]["vormann"]["goal"])


@kept_for_good
def beyond(table: Table) -> HexSet:
    """23.1, 23.2: the columns in which a brigade counts."""
    row = towns_row(table)
    if row is None:
        return 0
    first, last = row["brigade_columns"]
    return hexset.of(h for h in hexset.members(table.data.land) if first <= int(table.grid.number_of(h)[:2]) <= last)


@kept
def wanted(table: Table) -> HexSet:
    """The objectives that the driver does not have yet; all of them when he has."""
    side = driver(table)
    return hexset.of(h for h in hexset.members(towns(table)) if owner(table, h) != side) or towns(table)


def aim_of(table: Table, unit: str) -> HexSet:
    """Where a unit wants to be, or wants to keep the enemy from."""
    if pocket.shut(table) and (goal := pocket.aim(table, unit)):
        return goal
    row = table.unit(unit)
    if row.side == SOVIET and table.data.scenario["victory"] in ("ring", "campaign"):
        return wanted(table) | pocket.leak(table)
    if row.side == driver(table) and is_a(table, unit, "brigade"):
        return wanted(table) | beyond(table)
    return wanted(table)


@kept_while_marked
def _away(table: Table, mark: str, by: Going, on: Ground, goal: HexSet) -> tuple[float, ...]:
    found = [float(FAR)] * (table.grid.everything.bit_length() + 1)
    ways = exits(table, mark, by, on, False, False)
    for spent, layer in enumerate(hexset.reach(table.grid, goal, ways, FAR * SIXTH)):
        for h in hexset.members(layer):
            found[h] = spent / SIXTH
    return tuple(found)


def away(table: Table, by: Going, goal: HexSet) -> tuple[float, ...]:
    """How many Movement Points each hex is from the nearest of these, the enemy apart."""
    return _away(table, BRIDGE, by, ground(table), goal)


def way_left(table: Table, unit: str) -> tuple[float, ...]:
    return away(table, going(table, unit), aim_of(table, unit))


def is_prize(table: Table, h: Hex) -> bool:
    return bool(towns(table) >> h & 1)
