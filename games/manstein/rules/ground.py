"""Who is where: classes of units, stacking (3.1), zones of control (3.2), marks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine import hexset
from engine.facts import Fact, Marked
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules import zones
from engine.rules.stacking import over
from engine.table import Table

SOVIET, AXIS = "soviet", "axis"


def is_a(table: Table, unit: str, kind: str) -> bool:
    return kind in table.unit(unit).classes


def is_hq(table: Table, unit: str) -> bool:
    return is_a(table, unit, "hq")


def is_mech(table: Table, unit: str) -> bool:
    return is_a(table, unit, "mech")


def place(table: Table, unit: str) -> Hex:
    found = table.position.hex_of(unit)
    assert found is not None, f"{unit} is not on the map"
    return found


def number(table: Table, h: Hex) -> str:
    return table.grid.number_of(h)


def path_numbers(table: Table, path: Iterable[Hex]) -> tuple[str, ...]:
    return tuple(table.grid.number_of(h) for h in path)


def units_at(table: Table, h: Hex, side: str) -> list[str]:
    return [unit for unit in table.position.at(h) if table.unit(unit).side == side]


def held(table: Table, side: str) -> HexSet:
    return table.position.held(side)


def held_without(table: Table, side: str, lifted: Iterable[str]) -> HexSet:
    """The hexes a side holds once these units are lifted off."""
    gone = set(lifted)
    spots = {h for unit in gone if (h := table.position.hex_of(unit)) is not None}
    emptied = hexset.of(h for h in spots if not set(units_at(table, h, side)) - gone)
    return held(table, side) & ~emptied


def zoc(table: Table, side: str) -> HexSet:
    """3.2: all units, HQs too, over rivers; not into water nor over impassable hexsides."""

    def work_out() -> HexSet:
        passable: HexSet = table.data.passable
        return zones.zone(table.grid, held(table, side), table.data.open_sides) & passable

    return table.keep(("zoc", side), work_out)


def enemy_zoc(table: Table, side: str) -> HexSet:
    return zoc(table, table.enemy(side))


def excess(table: Table, stack: Sequence[str]) -> int:
    """3.1(1): by how much a stack goes beyond two units and an HQ."""
    limits = table.data.tables["stacking"]
    units = over(stack, lambda unit: not is_hq(table, unit), limits["units"])
    return units + over(stack, lambda unit: is_hq(table, unit), limits["headquarters"])


def has_room(table: Table, side: str, h: Hex, coming: Sequence[str], leaving: Iterable[str] = ()) -> bool:
    """Whether these units fit into a hex beside those that stay there."""
    gone = {*coming, *leaving}
    return excess(table, [*(u for u in units_at(table, h, side) if u not in gone), *coming]) == 0


def crowded(table: Table, side: str) -> list[Hex]:
    """The hexes in which a side breaks the limit."""

    def work_out() -> list[Hex]:
        at = table.position.at
        stacks = [h for h in hexset.members(held(table, side)) if len(at(h)) > 1]
        return [h for h in stacks if excess(table, at(h)) > 0]

    return table.keep(("crowded", side), work_out)


def touches(table: Table, here: Hex, there: Hex) -> bool:
    """10.1.6: next to each other, with no impassable hexside between."""
    direction = table.grid.direction(here, there)
    return direction is not None and not table.data.shut_sides[direction] >> here & 1


def crosses(table: Table, sides: Sequence[HexSet], here: Hex, there: Hex) -> bool:
    """Whether a step crosses one of these hexsides."""
    direction = table.grid.direction(here, there)
    return direction is not None and bool(sides[direction] >> here & 1)


# Marks


def marked(table: Table, mark: str) -> list[str]:
    """Everything that bears a mark, by name: a position knows no other order of its marks."""
    return sorted(subject for subject, marks in table.position.marks.items() if mark in marks)


def wipe(table: Table, marks: Iterable[str], case: str) -> Iterator[Fact]:
    """Marks that last for a while come off."""
    for mark in marks:
        for subject in marked(table, mark):
            yield Marked(subject=subject, mark=mark, value=None, because=case)


def game_mark(table: Table, mark: str) -> str:
    return str(table.position.mark("game", mark) or "")


def set_game(table: Table, mark: str, value: str | None, case: str) -> Iterator[Fact]:
    """A mark on the game itself, if it changes anything."""
    if table.position.mark("game", mark) != value:
        yield Marked(subject="game", mark=mark, value=value, because=case)


def activated(table: Table, side: str) -> list[str]:
    """8.0: the units that may act now, in the roster's order."""
    mark = table.position.mark
    return [unit for unit in table.position.on_map(side) if mark(unit, "activated") is not None]
