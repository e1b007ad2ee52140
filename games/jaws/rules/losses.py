"""Steps lost (4.4): chits turned, counters flipped, and units that have none left."""

from collections.abc import Iterator

from engine.facts import Eliminated, Fact, StepLost
from engine.rules.ground import number, place
from games.jaws.data import Table


def lose(table: Table, unit: str, steps: int, case: str) -> Iterator[Fact]:
    """4.4: a unit loses steps, and with the last one goes to the Eliminated box."""
    if steps >= table.position.steps_left(unit):
        yield Eliminated(unit=unit, at=number(table, place(table, unit)), because=case)
    elif steps:
        yield StepLost(unit=unit, steps=steps, because=case)
