"""Where units stand, and where they may go from there."""

from __future__ import annotations

from engine.refusals import Illegal
from engine.table import Table


def around(table: Table, number: str) -> list[str]:
    grid = table.grid
    return sorted(grid.number_of(h) for h in grid.neighbours(grid.hex(number)))


def enemy_in(table: Table, side: str, number: str) -> bool:
    return bool(table.position.held(table.enemy(side)) >> table.grid.hex(number) & 1)


def open_from(table: Table, side: str, number: str) -> list[str]:
    return [n for n in around(table, number) if not enemy_in(table, side, n)]


def commanded(table: Table, side: str, unit: str) -> str:
    if table.unit(unit).side != side or not table.grid.has(table.position.where.get(unit, "")):
        raise Illegal("2.0", f"{unit} is not yours to command", unit=unit)
    return table.position.where[unit]
