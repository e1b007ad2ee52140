"""What an attacker does not know of the defence (11.3-5): strengths, and what may lie under the top counter."""

from collections.abc import Mapping, Sequence

from engine.facts import Fact, Noted, Placed
from engine.position import UNSEEN
from engine.rules.ground import is_a, number
from games.jaws.data import Table
from games.jaws.rules.combat.battle import Battle
from games.jaws.rules.extension import markers
from games.jaws.rules.stacking import breach
from games.jaws.rules.strength import DRAWN, strength
from games.jaws.rules.units import units_in
from games.jaws.rules.zones import ZOC, projectors, zone_of


def strengths(table: Table, unit: str) -> Sequence[int]:
    """The steps that a unit may have, as far as the reader knows; of an Alarm unit that was never flipped, the
    strengths."""
    if is_a(table, unit, "alarm") and table.position.mark(unit, DRAWN) is None:
        return sorted(table.data.tables["alarm"]["strengths"])
    found = table.position.possible_steps(unit)
    if table.position.where.get(unit) == UNSEEN:  # the marker of a division is seen, and not its own counter
        found = range(1, found[-1] + 1)
    extended = table.position.hex_of(markers(table).get(unit, "")) is not None
    return [steps for steps in found if steps > 1 or not extended]  # 4.7: a cadre is not


def counted_in(table: Table, unit: str) -> str:
    return "strength points" if is_a(table, unit, "alarm") else "steps"


def supposing(table: Table, given: Mapping[str, int]) -> Table:
    """The table if the defenders had these strengths."""
    facts: list[Fact] = []
    for unit, value in given.items():
        if is_a(table, unit, "alarm"):
            facts.append(Noted(subject=unit, mark=DRAWN, value=value))
        else:
            lost = len(table.unit(unit).steps) - value
            facts.append(Placed(unit=unit, at=table.position.where[unit], lost=lost))
    return table.suppose(facts)


def beneath(table: Table, battle: Battle) -> dict[str, str]:
    """The strongest units that may lie unseen in the attacked hexes, with these: stacking (11.0) and the zone of each
    hex allow it."""
    enemy, found = table.enemy(battle.side), dict[str, str]()
    unseen = [u for u, at in table.position.where.items() if at == UNSEEN and table.unit(u).side == enemy]
    unseen.sort(key=lambda unit: (-strength(table, unit), unit))
    for h in battle.targets:
        there, strong = units_in(table, h, enemy), bool(projectors(table, enemy)[0] >> h & 1)
        for unit in unseen:
            stack = [*there, unit]
            same = (zone_of(table, stack) == ZOC) == strong
            if unit not in found and same and breach(table, enemy, stack, h) is None:
                there.append(unit)
                found[unit] = number(table, h)
    return found
