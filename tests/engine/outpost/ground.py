"""1.0: the river, its bridges and fords, and who can go where."""

from __future__ import annotations

from engine import hexset
from engine.hexes import Grid, Hex
from engine.hexset import HexSet
from engine.rules.ground import held, is_a, number, place
from engine.rules.hexsides import bearing, mark_of, opened
from engine.rules.marks import game_mark
from engine.rules.movement import Exits, closed_to
from engine.table import Table, kept_while_still

BRIDGES = ("0303/0402", "0303/0403")  # two that share a hex
FORD = "0305/0405"
OUTPOST = "0103"
POINTS = 2
GRID = Grid((1, 6), (1, 5))


def sides(*named: str) -> hexset.Sides:
    pairs = [named_side.split("/") for named_side in named]
    return hexset.sides_of(GRID, [(GRID.hex(a), GRID.hex(b)) for a, b in pairs])


EVERYWHERE = tuple(GRID.everything for _ in range(6))
BANKS = [a for a in hexset.members(GRID.everything) if GRID.number_of(a).startswith("03")]
RIVER = hexset.sides_of(GRID, [(a, b) for a in BANKS for b in GRID.neighbours(a) if GRID.number_of(b)[:2] == "04"])
DRY_WAYS = tuple(~river & GRID.everything | bridge for river, bridge in zip(RIVER, sides(*BRIDGES), strict=True))


@kept_while_still("blown", "ford", "ground")
def exits(table: Table) -> Exits:
    """1.2: a step costs 1, in mud 2; the river is crossed by bridges that stand, and by fords for 2."""
    step = 2 if game_mark(table, "ground") == "mud" else 1
    dry = closed_to(table.grid, {step: DRY_WAYS}, 0, bearing(table, "blown"))
    return opened(dry, 2, bearing(table, "ford"))


def reach(table: Table, unit: str) -> HexSet:
    """The hexes a unit may go to, its own left out."""
    here = place(table, unit)
    layers = hexset.reach(table.grid, 1 << here, _open(table, unit), POINTS, _stop(table, unit))
    return hexset.union(layers) & ~(1 << here)


def way(table: Table, unit: str, there: Hex) -> list[Hex]:
    here, ways, stop = place(table, unit), _open(table, unit), _stop(table, unit)
    layers = hexset.reach(table.grid, 1 << here, ways, POINTS, stop)
    return hexset.path(table.grid, layers, ways, there, stop)


def _open(table: Table, unit: str) -> Exits:
    return closed_to(table.grid, exits(table), held(table, table.enemy(table.unit(unit).side)))


def _stop(table: Table, unit: str) -> HexSet:
    """1.4: beside an enemy a unit stops."""
    return hexset.spread(table.grid, held(table, table.enemy(table.unit(unit).side)))


def near(table: Table, target: Hex, side: str) -> list[str]:
    """The units of a side beside a hex, over ways that are open."""
    around = [h for h in table.grid.neighbours(target) if _joined(table, h, target)]
    return [u for u in table.position.on_map(side) if place(table, u) in around]


def _joined(table: Table, here: Hex, there: Hex) -> bool:
    direction = table.grid.direction(here, there)
    return direction is not None and any(masks[direction] >> here & 1 for masks in exits(table).values())


def bridges_held(table: Table) -> list[str]:
    """2.3: the bridges that stand and have a garrison in or beside one of their hexes."""
    ends = {bridge: [table.grid.hex(n) for n in bridge.split("/")] for bridge in BRIDGES}
    standing = [bridge for bridge, (a, b) in ends.items() if not mark_of(table, a, b, "blown")]
    garrison = held(table, "garrison")
    return [bridge for bridge in standing if hexset.spread(table.grid, hexset.of(ends[bridge])) & garrison]


def wolves(table: Table) -> list[str]:
    return [unit for unit in table.position.on_map("raiders") if is_a(table, unit, "wolf")]


__all__ = ["BRIDGES", "FORD", "GRID", "OUTPOST", "bridges_held", "exits", "near", "number", "reach", "way", "wolves"]
