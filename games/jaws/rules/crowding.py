"""Over-stacking (11.1.2): what it costs at the end of the owner's Movement and Combat Phases."""

from collections.abc import Generator
from typing import Any

from engine.asks import Step
from engine.facts import Marked
from engine.rules.ground import number
from games.jaws.data import Table
from games.jaws.rules.combat.casualties import Payment, strongest, suffer
from games.jaws.rules.stacking import crowded
from games.jaws.rules.units import DISORGANIZED, REGROUP, units_in


def crowding(table: Table, side: str) -> Generator[Step, Any, None]:
    """11.1.2: who stands in too full a hex is Disorganized, and the strongest of them loses a step, the owner's choice
    among equals."""
    for h in crowded(table, side):
        stack = units_in(table, h, side)
        for unit in stack:
            if table.position.mark(unit, REGROUP) is not None:
                yield Marked(subject=unit, mark=REGROUP, value=None, because="11.1.2")
            if table.position.mark(unit, DISORGANIZED) is None:
                yield Marked(subject=unit, mark=DISORGANIZED, because="11.1.2")
        largest = strongest(table, stack)
        yield from suffer(table, Payment(side, largest, 1, largest, (), number(table, h), "11.1.2", active=True))
