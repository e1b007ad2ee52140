"""What things are worth: steps, hexes near a goal, strength near by."""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from engine import hexset
from engine.folder import read_toml
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from engine.rules.ground import held, place, units_at
from engine.table import Table
from games.korsun_vv.data import FOLDER, Data
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import GERMAN, RUSSIAN, formation, is_hq, is_mech
from games.korsun_vv.rules.odds import parts
from games.korsun_vv.rules.pocket import formed
from games.korsun_vv.rules.supply import from_edge

FAR = 40


@cache
def weights(name: str) -> dict[str, Any]:
    found: dict[str, Any] = read_toml(FOLDER / "judgement", "weights.toml")[name]
    return found


def strength(table: Table, unit: str) -> float:
    return table.keep(("strength", unit), lambda: parts(table, unit) / 8)


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


def waist(table: Table) -> HexSet:
    """The hexes on which the ring closes."""
    data: Data = table.data
    if "waist" not in data.memory:
        grid = table.grid
        towns = [grid.hex(number) for number in weights("goals")["waist"].split()]
        found = 0
        for one, two in pairwise(towns):
            found |= hexset.of(grid.line(one, two))
        data.memory["waist"] = found
    hexes: HexSet = data.memory["waist"]
    return hexes


def korsun(table: Table) -> HexSet:
    airfield: Hex = table.data.airfield
    return 1 << airfield


def uncovered(table: Table, unit: str) -> HexSet:
    """The hexes of the ring that no other Russian unit stands in or beside, or that a German line of supply crosses."""
    here = table.position.hex_of(unit)
    alone = here is not None and len(table.position.at(here)) == 1
    others = held(table, RUSSIAN) & ~(1 << here) if here is not None and alone else held(table, RUSSIAN)
    fed = from_edge(table, GERMAN)
    return table.keep(("uncovered", others), lambda: waist(table) & (fed | ~hexset.spread(table.grid, others)))


def goal(table: Table, unit: str) -> HexSet:
    """Where a unit is wanted."""
    army = formation(table, unit)
    if table.unit(unit).side == RUSSIAN:
        return _russian(table, unit, army)
    return table.keep(("goal", army), lambda: _german(table, army))


def _russian(table: Table, unit: str, army: str) -> HexSet:
    """First the ring, where nobody stands yet; then inner armies go for Korsun, outer ones hold the ring."""
    if formed(table) and army in weights("goals")["inner"]:
        return korsun(table)
    return uncovered(table, unit) or waist(table)


def _german(table: Table, army: str) -> HexSet:
    """Before the pocket the gaps in the waist; then relief for the pocket, and the pocket keeps Korsun."""
    if not formed(table) and army in weights("goals")["salient"]:
        return 0
    if not formed(table):  # those who come later fill the gaps
        threatened = waist(table) & hexset.within(table.grid, held(table, RUSSIAN), 4)
        return threatened or waist(table)
    if army == chief(table):
        if table.position.turn >= weights("goals")["late"]:
            home: HexSet = table.data.edges(GERMAN)
            return home
        return korsun(table)
    inside = [u for u in table.position.on_map(GERMAN) if formation(table, u) == chief(table)]
    return hexset.of(place(table, u) for u in inside) or waist(table)


def distance(table: Table, unit: str, h: Hex) -> int:
    """How far a hex is from the unit's goal; nowhere is far from none."""
    wanted = goal(table, unit)
    return far_from(table.grid, table.data.land, wanted).get(h, FAR) if wanted else 0


def threat(table: Table, side: str) -> dict[Hex, float]:
    """The enemy strength next to each hex."""

    def work_out() -> dict[Hex, float]:
        enemy = table.enemy(side)
        found: dict[Hex, float] = {}
        for h in hexset.members(held(table, enemy)):
            power = sum(strength(table, unit) for unit in units_at(table, h, enemy) if not is_hq(table, unit))
            for near in table.grid.neighbours(h):
                found[near] = found.get(near, 0.0) + power
        return found

    return table.keep(("threat", side), work_out)


def defence_at(table: Table, h: Hex, side: str) -> float:
    return table.keep(("defence", h, side), lambda: max(1.0, sum(strength(table, u) for u in units_at(table, h, side))))
