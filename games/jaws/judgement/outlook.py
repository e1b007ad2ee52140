"""The map as a side looks at it: where strength lies, what is near, what is covered. Kept until that changes."""

from functools import lru_cache

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import crosses, place
from engine.table import kept_for_good, kept_while_side_still, kept_while_still
from games.jaws.data import Data, Table
from games.jaws.rules.combat.odds import defence_strength, hex_bonus, rows_of
from games.jaws.rules.depots import clients, fed, legal_hexes, sdms, sources_of, supply_range
from games.jaws.rules.ground import BRIDGE, MINES, supply_sides
from games.jaws.rules.strength import strength
from games.jaws.rules.units import DISORGANIZED, REGROUP, attack_capable, going, standing, units_in, upset
from games.jaws.rules.zones import ZONE_MARKS, controlled

FAR = 40
REACH = {"foot": 3, "motor": 5, "armor": 5}  # hexes over which they can come to attack

Force = tuple[tuple[Hex, int, int], ...]  # where, how strong, over how many hexes


def power(table: Table, unit: str) -> int:
    """What a unit attacks with, terrain and support apart."""
    if not attack_capable(table, unit):
        return 0
    value = strength(table, unit)
    return -(-value // 2) if upset(table, unit) else value


@kept_while_side_still(DISORGANIZED, REGROUP)
def force(table: Table, side: str) -> Force:
    """Where a side's attack strength lies."""
    units = [unit for unit in table.position.on_map(side) if attack_capable(table, unit)]
    return tuple((place(table, unit), power(table, unit), REACH[going(table, unit)]) for unit in units)


@lru_cache(maxsize=64)
def _brought(data: Data, force: Force) -> tuple[int, ...]:
    grid = data.board.grid
    found = [0] * (grid.everything.bit_length() + 1)
    for start, strong, reach in force:
        for h in hexset.members(hexset.within(grid, 1 << start, reach)):
            found[h] += strong
    return tuple(found)


def threat(table: Table, side: str) -> tuple[int, ...]:
    """For every hex the attack strength of the enemies of a side that can come at it soon."""
    return _brought(table.data, force(table, table.enemy(side)))


@lru_cache(maxsize=64)
def _far(data: Data, start: HexSet) -> tuple[int, ...]:
    grid = data.board.grid
    found = [FAR] * (grid.everything.bit_length() + 1)
    for far, layer in enumerate(hexset.distance_layers(grid, start, grid.everything, limit=FAR)):
        for h in hexset.members(layer):
            found[h] = far
    return tuple(found)


def far_from(table: Table, goal: HexSet) -> tuple[int, ...]:
    """How far the nearest of these hexes is from every hex, whatever lies between."""
    return _far(table.data, goal)


def to_enemy(table: Table, side: str) -> tuple[int, ...]:
    """How far the nearest enemy of a side is from every hex."""
    return _far(table.data, standing(table, table.enemy(side)))


@kept_while_side_still(DISORGANIZED, REGROUP)
def defence_at(table: Table, side: str, h: Hex) -> int:
    """What a side's stack in a hex defends with, its terrain counted."""
    units = units_in(table, h, side)
    return max(1, sum(defence_strength(table, unit) for unit in units) + hex_bonus(table, units, h))


def over_water(table: Table, here: Hex, there: Hex) -> bool:
    """12.5.2: an attack over a river or a stream is halved."""
    return any(crosses(table, table.data.sides(name), here, there) for name in ("river", "stream"))


@kept_while_side_still(DISORGANIZED, REGROUP)
def beside(table: Table, side: str, h: Hex) -> float:
    """The attack strength of a side's units next to a hex."""
    found = 0.0
    for near in table.grid.neighbours(h):
        part = sum(power(table, unit) for unit in units_in(table, near, side))
        found += part / 2 if part and over_water(table, near, h) else part
    return found


@kept_for_good
def shelter(table: Table, h: Hex) -> float:
    """What the terrain of a hex adds to a defence."""
    return float(max((row.get("bonus", 0) + row.get("per_step", 0) for row in rows_of(table, h)), default=0))


@kept_while_still(*ZONE_MARKS, BRIDGE, MINES)
def provided(table: Table, side: str, formation: str) -> HexSet:
    """13.4: the hexes in which a formation's units would be in supply next turn, wherever its SDMs may be laid then."""
    units = table.roster.by_formation(formation)
    far, found = supply_range(table, side), sources_of(table, side, formation)
    for sdm in sdms(table, side):
        if any(unit.id in clients(table, sdm) for unit in units[:1]):
            found |= legal_hexes(table, sdm)
    inside = fed(table, side, found, far)
    held = controlled(table, table.enemy(side))
    return inside | hexset.across(table.grid, inside, supply_sides(table, side)) & held


@kept_while_side_still()
def covered(table: Table, side: str, without: HexSet) -> HexSet:
    """The hexes beside a side's units, but for those in some hexes."""
    return hexset.spread(table.grid, standing(table, side) & ~without)
