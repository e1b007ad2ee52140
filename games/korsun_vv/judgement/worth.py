"""What things are worth: steps, hexes near a goal, strength near by."""

from functools import lru_cache
from itertools import pairwise

from typing_extensions import TypedDict

from engine import hexset
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from engine.rulebook import read_tables
from engine.rules.ground import held, place, units_at
from engine.table import kept, kept_while_still
from games.korsun_vv.data import FOLDER, Table
from games.korsun_vv.names import GERMAN, RUSSIAN, STRENGTH_MARKS
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import formation, is_hq, is_mech
from games.korsun_vv.rules.odds import parts
from games.korsun_vv.rules.pocket import formed
from games.korsun_vv.rules.supply import from_edge

FAR = 40


class Goals(TypedDict):
    waist: str
    inner: list[str]
    salient: list[str]
    far: int
    late: int


class Tuned(TypedDict):
    russian: dict[str, float]
    german: dict[str, float]
    goals: Goals


TUNED: Tuned = read_tables(FOLDER / "judgement", "weights.toml", Tuned)
GOALS = TUNED["goals"]


def weights(side: str) -> dict[str, float]:
    return TUNED["russian"] if side == RUSSIAN else TUNED["german"]


@kept_while_still(*STRENGTH_MARKS)
def strength(table: Table, unit: str) -> float:
    return parts(table, unit) / 8


def step_price(table: Table, unit: str) -> float:
    """A step of a unit: more for tanks and for the last one."""
    if is_hq(table, unit):
        return 2.0
    price = 0.8 + 0.12 * strength(table, unit) + (0.3 if is_mech(table, unit) else 0.0)
    return price + (0.6 if table.position.steps_left(unit) == 1 else 0.0)


@lru_cache(maxsize=64)
def far_from(grid: Grid, land: HexSet, goal: HexSet) -> dict[Hex, int]:
    """How far every hex is from the nearest of these."""
    layers = hexset.distance_layers(grid, goal, land)
    return {h: far for far, layer in enumerate(layers) for h in hexset.members(layer)}


@lru_cache
def _waist(grid: Grid) -> HexSet:
    towns = [grid.hex(number) for number in GOALS["waist"].split()]
    return hexset.union(hexset.of(grid.line(one, two)) for one, two in pairwise(towns))


def waist(table: Table) -> HexSet:
    """The hexes on which the ring closes."""
    return _waist(table.grid)


def uncovered(table: Table, unit: str) -> HexSet:
    """The hexes of the ring that no other Russian unit stands in or beside, or that a German line of supply crosses."""
    here = table.position.hex_of(unit)
    alone = here is not None and len(table.position.at(here)) == 1
    others = held(table, RUSSIAN) & ~(1 << here) if here is not None and alone else held(table, RUSSIAN)
    return _gaps(table.grid, others, from_edge(table, GERMAN))


@lru_cache
def _gaps(grid: Grid, others: HexSet, fed: HexSet) -> HexSet:
    return _waist(grid) & (fed | ~hexset.spread(grid, others))


def goal(table: Table, unit: str) -> HexSet:
    """Where a unit is wanted."""
    army = formation(table, unit)
    if table.unit(unit).side == RUSSIAN:
        return _russian(table, unit, army)
    return _german(table, army)


def _russian(table: Table, unit: str, army: str) -> HexSet:
    """First the ring, where nobody stands yet; then inner armies go for Korsun, outer ones hold the ring."""
    if formed(table) and army in GOALS["inner"]:
        return 1 << table.data.airfield
    return uncovered(table, unit) or waist(table)


@kept
def _german(table: Table, army: str) -> HexSet:
    """Before the pocket the gaps in the waist; then relief for the pocket, and the pocket keeps Korsun."""
    if not formed(table) and army in GOALS["salient"]:
        return 0
    if not formed(table):  # those who come later fill the gaps
        threatened = waist(table) & hexset.within(table.grid, held(table, RUSSIAN), 4)
        return threatened or waist(table)
    if army == chief(table):
        if table.position.turn >= GOALS["late"]:
            return table.data.edges(GERMAN)
        return 1 << table.data.airfield
    inside = [u for u in table.position.on_map(GERMAN) if formation(table, u) == chief(table)]
    return hexset.of(place(table, u) for u in inside) or waist(table)


def distances(table: Table, unit: str) -> dict[Hex, int]:
    """How far hexes are from the unit's goal; nowhere is far from none."""
    wanted = goal(table, unit) or table.data.land
    return far_from(table.grid, table.data.land, wanted)


@kept_while_still(*STRENGTH_MARKS)
def threat(table: Table, side: str) -> dict[Hex, float]:
    """The enemy strength next to each hex."""
    enemy = table.enemy(side)
    found: dict[Hex, float] = {}
    for h in hexset.members(held(table, enemy)):
        power = sum(strength(table, unit) for unit in units_at(table, h, enemy) if not is_hq(table, unit))
        for near in table.grid.neighbours(h):
            found[near] = found.get(near, 0.0) + power
    return found


@kept_while_still(*STRENGTH_MARKS)
def defence_at(table: Table, h: Hex, side: str) -> float:
    return max(1.0, sum(strength(table, u) for u in units_at(table, h, side)))
