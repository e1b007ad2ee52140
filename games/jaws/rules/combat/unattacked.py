"""12.6: the ZOCs that halve an attacker: those of enemy stacks that nobody attacks in this phase."""

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import crosses, number, place
from engine.table import kept, kept_while_side_still
from games.jaws.data import Table, joined
from games.jaws.rules.combat.battle import DECLARED, HIT, Battle
from games.jaws.rules.combat.declaration import able, declared, origins
from games.jaws.rules.units import units_in
from games.jaws.rules.zones import ZOC, ZONE_MARKS, projectors, zone_of


def in_unattacked_zoc(table: Table, battle: Battle, unit: str) -> bool:
    """12.6, 10.6.2-2: whether an attacker stands in the ZOC of somebody who is not attacked."""
    here, rivers = place(table, unit), table.data.sides("river")
    wet = any(crosses(table, rivers, here, target) for target in battle.targets)
    return bool(_unattacked_zoc(table, battle, wet=wet) >> here & 1)


def _unattacked_zoc(table: Table, battle: Battle, *, wet: bool) -> HexSet:
    """The hexes in such ZOCs; 10.6.2-2: for who attacks over a river, those over a river too."""
    strong = (_unattacked(table, table.enemy(battle.side)) | _left_out(table, battle)) & ~hexset.of(battle.targets)
    sides = joined(table.data.zone_sides, table.data.sides("river")) if wet else table.data.zone_sides
    return hexset.across(table.grid, strong, sides) & table.data.land & ~table.data.blind


@kept_while_side_still(*ZONE_MARKS, DECLARED, HIT)
def _unattacked(table: Table, enemy: str) -> HexSet:
    """The hexes of a side's stacks with a ZOC that nobody has attacked, or is said to attack."""
    marks = {
        h: table.position.mark(f"@{number(table, h)}", DECLARED) for h in hexset.members(projectors(table, enemy)[0])
    }
    return hexset.of(h for h, said in marks.items() if said is None and _fresh(table, enemy, h))


@kept
def _left_out(table: Table, battle: Battle) -> HexSet:
    """12.1.3-D4: those that were declared, and that nobody is left to attack after this combat."""
    side, spent = battle.side, {*battle.units, *battle.held_back}
    enemy, strong = table.enemy(side), projectors(table, table.enemy(side))[0]

    def somebody(h: Hex) -> bool:
        return any(unit not in spent for here in origins(table, side, h) for unit in able(table, side, here, h))

    return hexset.of(h for h in declared(table) if strong >> h & 1 and not somebody(h) and _fresh(table, enemy, h))


def _fresh(table: Table, enemy: str, h: Hex) -> bool:
    """Whether a stack would have its ZOC without those who were attacked in an earlier segment."""
    there = units_in(table, h, enemy)
    fresh = [unit for unit in there if table.position.mark(unit, HIT) is None]
    return fresh == there or zone_of(table, fresh) == ZOC
