"""How far units get (5.0): every hex, by the costs of the terrain, past the enemy."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine import hexset
from engine.hexes import Hex, opposite
from engine.hexset import HexSet
from engine.rules.ground import held, place
from engine.rules.movement import Exits, closed_to
from engine.rules.terrain import hexsides
from engine.table import kept_while_side_still, kept_while_still
from games.korsun_spi.data import Table
from games.korsun_spi.rules.allowance import left, spent
from games.korsun_spi.rules.ground import enemy_zoc, gait, is_hq, zoc


@dataclass(frozen=True)
class Leaving:
    """How units may leave an enemy zone of control they stand in: what it costs more, and what they may enter."""

    case: str
    extra: int  # half points on top of the first hex
    avoids_zones: bool  # may not enter an enemy zone in this phase
    first_step_clear: bool = False  # may not go from one enemy zone straight into another, unless a friend is there
    cost_case: str = ""  # where the extra cost is printed, if not in the same case


def exits_for(table: Table, side: str, kind: str) -> Exits:
    """Every step units of that kind may take: not into enemies (5.22), 10.13-a and 11.23 observed."""
    return _exits_past(table, *_past(table, side, kind))


@kept_while_still()
def _past(table: Table, side: str, kind: str) -> tuple[str, str, HexSet, HexSet]:
    """What steps rest on besides the enemy, and what seldom changes while one's own units move."""
    enemy = table.enemy(side)
    company = combat_units(table, side) if kind == "hq" else 0
    return enemy, kind, _banks(table, enemy) & ~held(table, side), company


@kept_while_side_still()
def _exits_past(table: Table, enemy: str, kind: str, banks: HexSet, company: HexSet) -> Exits:
    never = held(table, enemy) | (zoc(table, enemy) & ~company if kind == "hq" else 0)
    exits = table.data.exits(table.enemy(enemy), kind)
    return closed_to(table.grid, exits, never, _closed(table, enemy, banks))


@kept_while_side_still()
def combat_units(table: Table, side: str) -> HexSet:
    """11.23: hexes with a friendly unit that is not an HQ."""
    hqs = hexset.of(place(table, unit) for unit in table.position.on_map(side) if is_hq(table, unit))
    alone = (h for h in hexset.members(hqs) if all(is_hq(table, unit) for unit in table.position.at(h)))
    return held(table, side) & ~hexset.of(alone)


def river_closed(table: Table, side: str) -> list[HexSet]:
    """10.13-a: major-river hexsides that lead into the zone of an enemy who stands on the river, friends excepted."""
    enemy = table.enemy(side)
    return _closed(table, enemy, _banks(table, enemy) & ~held(table, side))


@kept_while_side_still()
def _banks(table: Table, enemy: str) -> HexSet:
    """The hexes that enemies on the river control."""
    return hexset.across(table.grid, held(table, enemy) & table.data.on_river, table.data.zone_sides)


@kept_while_side_still()
def _closed(table: Table, enemy: str, banks: HexSet) -> list[HexSet]:
    major = hexsides(table.board, "major")
    return [major[d] & hexset.step(table.grid, banks, opposite(d)) for d in range(6)]


def reachable(table: Table, side: str, units: Sequence[str], leaving: Leaving | None = None) -> HexSet:
    """Every hex these units can all reach together."""
    common = -1
    for unit in units:
        total = free_step(table, side, unit, leaving)
        for layer in _layers(table, side, unit, leaving):
            total |= layer
        common &= total
    return common & ~(1 << place(table, units[0])) if units else 0


def next_steps(table: Table, side: str, units: Sequence[str], leaving: Leaving | None) -> HexSet:
    """The hexes that all these units can take their next step into, out of an enemy zone or not."""
    common = -1
    for unit in units:
        near, budget = 0, left(table, unit) - (leaving.extra if leaving is not None else 0)
        for cost, hexes in _steps(table, side, gait(table, unit), place(table, unit), leaving).items():
            near |= hexes if cost <= budget else 0
        common &= near or free_step(table, side, unit, leaving)
    return common


def free_step(table: Table, side: str, unit: str, leaving: Leaving | None) -> HexSet:
    """5.14: any hex beside a unit that can pay for none of them, but not out of an enemy zone (22.13, 22.23)."""
    start = place(table, unit)
    if leaving is not None or spent(table, unit) or enemy_zoc(table, side) >> start & 1:
        return 0
    costs = _steps(table, side, gait(table, unit), start, None)
    return 0 if costs and min(costs) <= left(table, unit) else hexset.union(costs.values())


def _steps(table: Table, side: str, kind: str, start: Hex, leaving: Leaving | None) -> dict[int, HexSet]:
    """By cost, the hexes that units of a kind may step into from one."""
    if leaving is None:
        return _beside(table, *_past(table, side, kind), start)
    return _across(table, exits_from(table, side, kind, start, leaving), start)


@kept_while_side_still()
def _beside(table: Table, enemy: str, kind: str, banks: HexSet, company: HexSet, start: Hex) -> dict[int, HexSet]:
    return _across(table, _exits_past(table, enemy, kind, banks, company), start)


def _across(table: Table, exits: Exits, start: Hex) -> dict[int, HexSet]:
    steps = ((cost, hexset.across(table.grid, 1 << start, masks)) for cost, masks in exits.items())
    return {cost: hexes for cost, hexes in steps if hexes}


def _layers(table: Table, side: str, unit: str, leaving: Leaving | None) -> list[HexSet]:
    """What a unit can pay for, by cost; whoever leaves a zone pays the extra first."""
    start = place(table, unit)
    budget = left(table, unit) - (leaving.extra if leaving is not None else 0)
    if budget < 0 or (leaving is None and enemy_zoc(table, side) >> start & 1):
        return [1 << start]
    return layers_from(table, side, gait(table, unit), start, budget, leaving)


@kept_while_still()
def layers_from(table: Table, side: str, kind: str, start: Hex, budget: int, leaving: Leaving | None) -> list[HexSet]:
    """By cost, what a unit of that kind reaches from a hex."""
    exits = exits_from(table, side, kind, start, leaving)
    return hexset.reach(table.grid, 1 << start, exits, budget, enemy_zoc(table, side))


@kept_while_still()
def exits_from(table: Table, side: str, kind: str, start: Hex, leaving: Leaving | None) -> Exits:
    """The steps open to a unit, less those that its way of leaving a zone forbids."""
    exits = exits_for(table, side, kind)
    if leaving is None:
        return exits
    if leaving.avoids_zones:
        return closed_to(table.grid, exits, enemy_zoc(table, side))
    if leaving.first_step_clear:
        shut = enemy_zoc(table, side) & ~held(table, side)
        clear = [_clear_step(table, start, d, shut) for d in range(6)]
        return {cost: tuple(masks[d] & clear[d] for d in range(6)) for cost, masks in exits.items()}
    return exits


def _clear_step(table: Table, start: Hex, direction: int, shut: HexSet) -> HexSet:
    there = table.grid.neighbour(start, direction)
    return ~(1 << start) if there is not None and shut >> there & 1 else -1
