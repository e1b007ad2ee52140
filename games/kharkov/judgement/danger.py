"""What the Soviets could bring against a hex in one activation, and what it would cost to be there."""

from collections.abc import Sequence

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import crosses, place
from engine.table import kept, kept_while_side_still
from games.kharkov.data import SOVIET, Table
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import (
    IP,
    army,
    bears,
    is_isolated,
    is_mech,
    is_supplied,
    on_map,
    steps,
    strength,
)
from games.kharkov.rules.soviet.terms import FARTHEST, around

NEAR, FOOT, MECH = 2, 4, 6  # hexes from which a unit surely comes, may come on foot, or on wheels
MAY = 0.75  # how much of those that may come does
MOST = 30  # strength for which there is room around a hex
LIKELY = ((3.0, 1.0), (2.0, 0.7), (1.5, 0.25), (1.0, 0.1))  # by the ratio: whether they attack (9.4)
A_HIT, A_HEX = 0.2, 0.5  # what a lost step is worth; how many hits a retreat is good for, in steps


@kept_while_side_still("supply")
def _balls(table: Table, side: str) -> dict[str, list[tuple[int, HexSet, HexSet]]]:
    """By army: each unit's strength, the hexes it surely comes to, and those it may come to."""
    grid, found = table.grid, dict[str, list[tuple[int, HexSet, HexSet]]]()
    for unit in on_map(table, side):
        if not is_supplied(table, unit) or is_isolated(table, unit):
            continue
        here = 1 << place(table, unit)
        far = hexset.within(grid, here, MECH if is_mech(table, unit) else FOOT)
        found.setdefault(army(table, unit), []).append((strength(table, [unit]), hexset.within(grid, here, NEAR), far))
    return found


@kept_while_side_still("supply")
def _known(table: Table, side: str) -> dict[Hex, float]:
    """Pressures that have been asked for."""
    return {}


def pressure(table: Table, h: Hex) -> float:
    """The strength that the strongest army could bring next to a hex in one activation, zones of control apart."""
    known = _known(table, SOVIET)
    if h not in known:
        sums = [
            sum(points if sure >> h & 1 else MAY * points for points, sure, may in units if may >> h & 1)
            for units in _balls(table, SOVIET).values()
        ]
        known[h] = min(MOST, max(sums, default=0.0))
    return known[h]


@kept
def enemy_distances(table: Table) -> dict[Hex, int]:
    """How far the nearest Soviet unit is from each hex."""
    layers = hexset.distance_layers(table.grid, field(table).soviet, table.board.land, sides=table.data.open_sides)
    return {there: far for far, layer in enumerate(layers) for there in hexset.members(layer)}


def enemy_distance(table: Table, h: Hex) -> int:
    return enemy_distances(table).get(h, FARTHEST)


@kept_while_side_still("supply")
def _sheltered(table: Table, side: str) -> dict[Hex, bool]:
    """What was asked for."""
    return {}


def sheltered(table: Table, h: Hex) -> bool:
    """Whether the hexes from which the enemy would come all lie over the Donets or the Dniepr."""
    known = _sheltered(table, SOVIET)
    if h not in known:
        far = enemy_distance(table, h)
        near = (n for n in hexset.members(around(table.data, h)) if enemy_distance(table, n) <= far)
        known[h] = all(crosses(table, table.data.big_rivers, n, h) for n in near)
    return known[h]


def defence(table: Table, units: Sequence[str], h: Hex) -> float:
    """9.4-d: the strength that a check would count in a hex; friends beside it and a position help."""
    beside = bool(around(table.data, h) & field(table).german)
    return strength(table, units) + bears(table, h, IP) + beside + sheltered(table, h)


def expected_hits(ratio: float) -> float:
    """About what the chits give on the defender at a ratio."""
    return min(5.0, 0.2 + 0.8 * ratio)


def risk(table: Table, units: Sequence[str], h: Hex) -> float:
    """What it is likely to cost if the Soviets go for the hex."""
    ratio = pressure(table, h) / max(1.0, defence(table, units, h))
    chance = next((chance for least, chance in LIKELY if ratio >= least), 0.0)
    covered = bool(table.data.towns >> h & 1) or bears(table, h, IP)
    hits = max(0.0, expected_hits(ratio) - covered - sheltered(table, h) - A_HEX)
    return chance * A_HIT * min(hits, steps(table, units) + 1.0)
