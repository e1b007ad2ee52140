"""Steps lost (12.6): who may lose one, and what becomes of a unit that has none left (12.62)."""

from collections.abc import Iterator

from engine.facts import Eliminated, Fact, Placed, StepLost
from engine.rules.ground import number, place
from games.kharkov.data import Table
from games.kharkov.rules.ground import LOST, is_isolated
from games.kharkov.rules.towns import vacated


def lose_step(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """12.62: the last step gone, a unit may come back; not if it had but one, or was isolated: then it is destroyed."""
    if table.position.steps_left(unit) > 1:
        yield StepLost(unit=unit, because=case)
        return
    piece = table.unit(unit)
    yield from gone(table, unit, case, destroyed=len(piece.steps) == 1 or is_isolated(table, unit))


def gone(table: Table, unit: str, case: str, *, destroyed: bool) -> Iterator[Fact]:
    at = number(table, place(table, unit))
    yield Eliminated(unit=unit, at=at, because=case)
    if not destroyed:
        piece = table.unit(unit)
        yield Placed(unit=unit, at=LOST[piece.side], lost=len(piece.steps) - 1, because="12.62")
    yield from vacated(table)
