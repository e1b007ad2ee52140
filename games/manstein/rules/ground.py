"""Who is where: classes of units, stacking (3.1), zones of control (3.2)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules import stacking, zones
from engine.rules.ground import adjacent, held, is_a, number, units_at
from engine.table import kept_while_side_still
from games.manstein.data import Table

SOVIET, AXIS = "soviet", "axis"
Kind = Literal["units", "headquarters"]  # what stacks apart (3.1(1))
KINDS: tuple[Kind, Kind] = ("units", "headquarters")
LED = "by another HQ"  # how an HQ is activated that only moves and fights (8.1.3)
NOBODY = "nobody"  # where a refusal has nothing to offer


def absent(table: Table, side: str, unit: str) -> str:
    """Why a side has no such unit to give orders to; empty if it has."""
    if table.unit(unit).side != side:
        return f"{unit} is not yours"
    return "" if table.position.hex_of(unit) is not None else f"{unit} is not on the map"


def is_hq(table: Table, unit: str) -> bool:
    return unit in table.data.hqs


def is_mech(table: Table, unit: str) -> bool:
    return is_a(table, unit, "mech")


@kept_while_side_still()
def zoc(table: Table, side: str) -> HexSet:
    """3.2: all units, HQs too, over rivers; not into water nor over impassable hexsides."""
    return zones.zone(table.grid, held(table, side), table.data.open_sides) & table.data.passable


def enemy_zoc(table: Table, side: str) -> HexSet:
    return zoc(table, table.enemy(side))


def excess(table: Table, stack: Sequence[str]) -> int:
    """3.1(1): by how much a stack goes beyond two units and an HQ."""
    if len(stack) < 2:
        return 0
    limits = table.data.tables["stacking"]
    hqs = len(table.data.hqs.intersection(stack))
    return max(0, len(stack) - hqs - limits["units"]) + max(0, hqs - limits["headquarters"])


def crowd(table: Table, h: Hex, stack: Sequence[str]) -> str:
    """A stack beyond the limit in words."""
    limits = table.data.tables["stacking"]
    limit = f"{limits['units']} units and {limits['headquarters']} HQ"
    return stacking.crowd(number(table, h), stack, limit)


def has_room(table: Table, side: str, h: Hex, coming: Sequence[str], leaving: Iterable[str] = ()) -> bool:
    """Whether these units fit into a hex beside those that stay there."""
    gone = {*coming, *leaving}
    return excess(table, [*(u for u in units_at(table, h, side) if u not in gone), *coming]) == 0


def kind(table: Table, unit: str) -> Kind:
    return "headquarters" if is_hq(table, unit) else "units"


@kept_while_side_still()
def present(table: Table, side: str, of: Kind) -> dict[Hex, int]:
    """How many combat units, or HQs, a side has in its hexes."""
    position = table.position
    spots = [position.hex_of(hq) for hq in table.data.hqs if table.unit(hq).side == side]
    hqs = Counter(h for h in spots if h is not None)
    if of == "headquarters":
        return hqs
    return {h: len(position.at(h)) - hqs.get(h, 0) for h in hexset.members(held(table, side))}


def crowded(table: Table, side: str) -> list[Hex]:
    """The hexes in which a side breaks the limit."""
    return stacking.crowded(table, side, excess)


@kept_while_side_still()
def full(table: Table, side: str, of: Kind) -> HexSet:
    """The hexes in which a side has no room for another unit of a kind."""
    limit = table.data.tables["stacking"][of]
    no_more = (h for h, count in present(table, side, of).items() if count >= limit)
    return hexset.of(no_more) | hexset.of(crowded(table, side))


def touches(table: Table, here: Hex, there: Hex) -> bool:
    """10.1.6: next to each other, with no impassable hexside between."""
    return adjacent(table, table.data.shut_sides, here, there)


@kept_while_side_still("activated")
def activated(table: Table, side: str) -> list[str]:
    """8.0: the units that may act now, in the roster's order."""
    position = table.position
    found = [subject for subject, marks in position.marks.items() if "activated" in marks]
    ours = [unit for unit in found if table.unit(unit).side == side and position.hex_of(unit) is not None]
    return sorted(ours, key=position.setting.order.__getitem__)
