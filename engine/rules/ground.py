"""Who is where: the questions that every rule asks of a table."""

from collections.abc import Iterable, Sequence

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.table import Table


def is_a(table: Table, unit: str, kind: str) -> bool:
    return kind in table.unit(unit).classes


def place(table: Table, unit: str) -> Hex:
    found = table.position.hex_of(unit)
    assert found is not None, f"{unit} is not on the map"
    return found


def number(table: Table, h: Hex) -> str:
    return table.grid.number_of(h)


def path_numbers(table: Table, path: Iterable[Hex]) -> tuple[str, ...]:
    return table.grid.numbers_of(path)


def numbers(table: Table, hexes: HexSet) -> list[str]:
    """A hex set as printed numbers, in their order."""
    return sorted(table.grid.numbers_of(hexset.members(hexes)))


def units_at(table: Table, h: Hex, side: str) -> list[str]:
    return [unit for unit in table.position.at(h) if table.unit(unit).side == side]


def held(table: Table, side: str) -> HexSet:
    return table.position.held(side)


def held_without(table: Table, side: str, lifted: Iterable[str]) -> HexSet:
    """The hexes a side holds once these units are lifted off."""
    gone = set(lifted)
    if not gone:
        return held(table, side)
    spots = {h for unit in gone if (h := table.position.hex_of(unit)) is not None}
    emptied = hexset.of(h for h in spots if not set(units_at(table, h, side)) - gone)
    return held(table, side) & ~emptied


def crosses(table: Table, sides: Sequence[HexSet], here: Hex, there: Hex) -> bool:
    """Whether a step crosses one of these hexsides."""
    direction = table.grid.direction(here, there)
    return direction is not None and bool(sides[direction] >> here & 1)


def adjacent(table: Table, shut: Sequence[HexSet], here: Hex, there: Hex) -> bool:
    """Next to each other, with none of the shut hexsides between."""
    direction = table.grid.direction(here, there)
    return direction is not None and not shut[direction] >> here & 1
