"""Who is where: classes of units, zones of control (8.0), stacking (7.0)."""

from collections.abc import Iterable, Sequence

from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules import stacking, zones
from engine.rules.ground import adjacent, held, held_without, number
from engine.table import kept_while_side_still
from games.korsun_spi.data import Table

SOVIET, GERMAN = "soviet", "german"


def is_hq(table: Table, unit: str) -> bool:
    return "hq" in table.unit(unit).classes


def gait(table: Table, unit: str) -> str:
    """10.4: the column of the terrain chart a unit moves by; 11.21 gives HQs their own."""
    classes = table.unit(unit).classes
    return "hq" if "hq" in classes else "mech" if "mech" in classes else "inf"


@kept_while_side_still()
def zoc(table: Table, side: str) -> HexSet:
    """8.11, 8.12: the hexes that a side controls: all its units, always, but not over a major river or the sea."""
    return zones.zone(table.grid, held(table, side), table.data.zone_sides)


def enemy_zoc(table: Table, side: str) -> HexSet:
    return zoc(table, table.enemy(side))


def open_to(table: Table, side: str, without: Iterable[str] = ()) -> HexSet:
    """8.25: where a side may trace and retreat; `without` are friends that are lifted off the map (9.75)."""
    enemy = table.enemy(side)
    friends = held_without(table, side, without)
    return zones.uncontrolled(table.data.passable, held(table, enemy), zoc(table, enemy), friends)


def room_taken(table: Table, unit: str) -> int:
    """24.12: a corps counts as three units; 19.3-d: Baeke as none; HQs are counted apart (11.22)."""
    kind = table.unit(unit)
    if "hq" in kind.classes or "heavy" in kind.classes:
        return 0
    return table.data.tables["stacking"]["corps_counts"] if "corps" in kind.classes else 1


def excess(table: Table, stack: Sequence[str]) -> int:
    """7.0, 11.22: by how much a stack goes beyond three combat units and one HQ."""
    if len(stack) < 2:
        return 0
    limits = table.data.tables["stacking"]
    units = sum(room_taken(table, unit) for unit in stack) - limits["units"]
    return max(0, units) + max(0, sum(is_hq(table, unit) for unit in stack) - limits["headquarters"])


def crowd(table: Table, h: Hex, stack: Sequence[str]) -> str:
    """A stack beyond the limit in words."""
    limits = table.data.tables["stacking"]
    limit = f"{limits['units']} and {limits['headquarters']} HQ"
    return stacking.crowd(number(table, h), stack, limit, lambda unit: room_taken(table, unit))


def overstacked(table: Table, stack: Iterable[str]) -> bool:
    """7.0: more than may stand in a hex."""
    return stacking.too_many(table, excess, tuple(stack))


def crowded(table: Table, side: str) -> list[Hex]:
    """The hexes in which a side breaks the limit."""
    return stacking.crowded(table, side, excess)


def disrupted(table: Table, unit: str) -> bool:
    return table.position.mark(unit, "disrupted") is not None


def crosses_major(table: Table, here: Hex, there: Hex) -> bool:
    return "major" in table.board.feature(here, there)


def touches(table: Table, here: Hex, there: Hex) -> bool:
    """9.11, 10.16: next to each other, with no sea or lake between."""
    return adjacent(table, table.data.shut_sides, here, there)
