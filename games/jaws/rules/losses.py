"""What combat does to a unit (4.4, 12.17): steps lost, and disorder."""

from collections.abc import Iterator

from engine.facts import Eliminated, Fact, Marked, StepLost
from engine.rules.ground import is_a, number, place
from games.jaws.data import Table
from games.jaws.rules.barrage.components import parts_lost
from games.jaws.rules.units import DISORGANIZED, REGROUP


def lose(table: Table, unit: str, steps: int, case: str) -> Iterator[Fact]:
    """4.4: a unit loses steps, and with the last one goes to the Eliminated box; 17.1.2-c: a Barrage unit's steps are
    its components."""
    if is_a(table, unit, "barrage"):
        for part in parts_lost(table, unit, steps):
            yield Eliminated(unit=part, at=number(table, place(table, unit)), because="17.1.2-c")
    if steps >= table.position.steps_left(unit):
        yield Eliminated(unit=unit, at=number(table, place(table, unit)), because=case)
    elif steps:
        yield StepLost(unit=unit, steps=steps, because=case)


def disorganize(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """12.17: a unit in Regroup becomes Disorganized; a second time changes nothing (12.17.2-13)."""
    if table.position.mark(unit, REGROUP) is not None:
        yield Marked(subject=unit, mark=REGROUP, value=None, because=case)
    if table.position.mark(unit, DISORGANIZED) is None:
        yield Marked(subject=unit, mark=DISORGANIZED, because=case)
