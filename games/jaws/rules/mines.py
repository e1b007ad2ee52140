"""Minefields (15.3.2): what they do to German moves, attacks and paths of supply, and how they go."""

from collections.abc import Iterator, Sequence

from engine import hexset
from engine.asks import Procedure, Roll
from engine.facts import Fact, Marked, Noted, Told
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import crosses, is_a, number, place
from engine.rules.marks import marked
from engine.rules.movement import Exits
from games.jaws.data import GERMAN, SIXTH, SOVIET, Table
from games.jaws.rules.allowance import CLOSED, SPENT
from games.jaws.rules.ground import MINES, marked_sides
from games.jaws.rules.losses import lose
from games.jaws.rules.units import GUNS, standing

FIELD = "minefield"  # a hex's mark: what becomes of its field
BUILDING, LAID, CLEARED = "building", "laid", "cleared"  # cleared: gone in the next German Engineering Phase
ARMOR, GUN, FOOT = "armor", "gun", "foot"  # 15.3.2: how fields meet a unit


def meets(table: Table, unit: str) -> str:
    """15.3.2: how fields meet a unit; never a Soviet one."""
    if table.unit(unit).side != GERMAN:
        return ""
    if is_a(table, unit, "armor"):
        return ARMOR
    return GUN if any(is_a(table, unit, kind) for kind in GUNS) else FOOT


def mined(table: Table, here: Hex, there: Hex) -> bool:
    """Whether a step crosses a designated minefield hexside."""
    return crosses(table, marked_sides(table, MINES), here, there)


def fields(table: Table) -> HexSet:
    """The hexes with a completed minefield."""
    return hexset.of(table.grid.hex(s[1:]) for s in marked(table, FIELD) if table.position.mark(s, FIELD) != BUILDING)


def field_entered(table: Table, here: Hex, there: Hex) -> bool:
    """15.3.2-M2, -M3: whether a step leads across a designated hexside into its own field, and no Soviets hold it."""
    owners = str(table.position.mark(f"@{table.grid.hexside(here, there)}", MINES) or "").split("+")
    return number(table, there) in owners and not standing(table, SOVIET) >> there & 1


# Movement (15.3.2-M1 to -M4)


def over_mines(table: Table, exits: Exits, met: str) -> Exits:
    """What steps cost whom fields meet so: armor pays more, guns do not cross."""
    sides = marked_sides(table, MINES)
    if met not in (ARMOR, GUN) or not any(sides):
        return exits
    more = table.data.tables["movement"]["minefield"]["armor"] * SIXTH
    found: dict[int, list[HexSet]] = {}
    for cost, masks in exits.items():
        for d in range(6):
            found.setdefault(cost, [0] * 6)[d] |= masks[d] & ~sides[d]
            if met == ARMOR:
                found.setdefault(cost + more, [0] * 6)[d] |= masks[d] & sides[d]
    return {cost: tuple(masks) for cost, masks in sorted(found.items()) if any(masks)}


def crossed(table: Table, units: Sequence[str], here: Hex, there: Hex, *, halts: bool = True) -> Procedure:
    """15.3.2-M1 to -M3: German units have moved across a hexside: armor and engineers roll, infantry and engineers halt
    in the field, if that is noted, and clear it."""
    if not mined(table, here, there):
        return
    into = field_entered(table, here, there)
    for unit in units:
        met = meets(table, unit)
        if met == ARMOR:
            yield from _blast(table, unit, there, "15.3.2-M1")
        elif met == FOOT and into:
            if halts:
                yield Noted(subject=unit, mark=SPENT, value=CLOSED, because="15.3.2-M2")
            if is_a(table, unit, "engineer"):
                yield from removed(table, there, "15.3.2-M3")
                yield from _blast(table, unit, there, "15.3.2-M3")
            elif table.position.mark(f"@{number(table, there)}", FIELD) == LAID:
                yield Marked(subject=f"@{number(table, there)}", mark=FIELD, value=CLEARED, because="15.3.2-M2")


def _blast(table: Table, unit: str, there: Hex, case: str) -> Procedure:
    """11.3: the enemy sees a die for the hex, and not who casts it in a stack."""
    die: int = yield Roll(f"minefield {number(table, there)}")
    if die <= table.data.tables["minefields"]["loss"]:
        yield from lose(table, unit, 1, case)


def removed(table: Table, h: Hex, case: str) -> Iterator[Fact]:
    """15.3.3: a field and its hexsides are gone."""
    spot = number(table, h)
    if table.position.mark(f"@{spot}", FIELD) is None:
        return
    for other in table.grid.neighbours(h):
        side = f"@{table.grid.hexside(h, other)}"
        owners = str(table.position.mark(side, MINES) or "").split("+")
        if spot in owners:
            left = "+".join(owner for owner in owners if owner != spot)
            yield Marked(subject=side, mark=MINES, value=left or None, because=case)
    yield Marked(subject=f"@{spot}", mark=FIELD, value=None, because=case)
    yield Told(text=f"The minefield in {spot} is gone.", because=case)


def cleared(table: Table) -> Iterator[Fact]:
    """15.3.2-M2: in the German Engineering Phase the fields go that infantry stands or stood in."""
    for spot in marked(table, FIELD):
        if table.position.mark(spot, FIELD) == CLEARED:
            yield from removed(table, table.grid.hex(spot[1:]), "15.3.2-M2")


# Combat (15.3.2-C1 to -C4)


def attacked_across(table: Table, side: str, units: Sequence[str], targets: Sequence[Hex]) -> bool:
    """15.3.2-C1: whether Germans attack across a designated hexside, into the field or out of it."""
    return side == GERMAN and any(mined(table, place(table, unit), target) for unit in units for target in targets)


def advanced(table: Table, side: str, here: Hex, there: Hex) -> Iterator[Fact]:
    """15.3.2-C4: a German advance across a hexside removes its field."""
    if side == GERMAN and mined(table, here, there):
        owners = str(table.position.mark(f"@{table.grid.hexside(here, there)}", MINES) or "").split("+")
        for spot in owners:
            yield from removed(table, table.grid.hex(spot), "15.3.2-C4")
