"""12.6: the ZOCs that halve an attacker: those of enemy stacks that nobody attacks in this phase."""

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import crosses, number, place
from engine.table import kept
from games.jaws.data import Table, joined
from games.jaws.rules.combat.battle import DECLARED, HIT, OPEN, Battle, stacks
from games.jaws.rules.combat.declaration import able, origins
from games.jaws.rules.units import units_in
from games.jaws.rules.zones import ZOC, projectors, zone_of


def in_unattacked_zoc(table: Table, battle: Battle, unit: str) -> bool:
    """12.6, 10.6.2-2: whether an attacker stands in the ZOC of somebody who is not attacked."""
    here, rivers = place(table, unit), table.data.sides("river")
    wet = any(crosses(table, rivers, here, target) for target in battle.targets)
    return bool(_unattacked_zoc(table, battle, wet) >> here & 1)


@kept
def _unattacked_zoc(table: Table, battle: Battle, wet: bool) -> HexSet:
    """The hexes in such ZOCs; 10.6.2-2: for who attacks over a river, those over a river too."""
    enemy, attackers = table.enemy(battle.side), hexset.of(stacks(table, battle.units))
    near = projectors(table, enemy)[0] & hexset.spread(table.grid, attackers) & ~hexset.of(battle.targets)
    strong = [h for h in hexset.members(near) if not _attacked(table, battle, h) and _fresh(table, enemy, h)]
    sides = joined(table.data.zone_sides, table.data.sides("river")) if wet else table.data.zone_sides
    return hexset.across(table.grid, hexset.of(strong), sides) & table.data.land & ~table.data.blind


def _attacked(table: Table, battle: Battle, h: Hex) -> bool:
    """Whether a stack was attacked in this segment; 12.1.3-D4: or is declared, and somebody is left to attack it."""
    said, spent = table.position.mark(f"@{number(table, h)}", DECLARED), {*battle.units, *battle.held_back}
    if said != OPEN:
        return said is not None
    left = (unit for here in origins(table, battle.side, h) for unit in able(table, battle.side, here, h))
    return any(unit not in spent for unit in left)


def _fresh(table: Table, enemy: str, h: Hex) -> bool:
    """Whether a stack would have its ZOC without those who were attacked in an earlier segment."""
    there = units_in(table, h, enemy)
    fresh = [unit for unit in there if table.position.mark(unit, HIT) is None]
    return fresh == there or zone_of(table, fresh) == ZOC
