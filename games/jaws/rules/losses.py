"""Steps lost (4.4): chits turned, counters flipped, and units that have none left."""

from collections.abc import Iterator

from engine.facts import Eliminated, Fact, Placed, StepLost
from engine.hexes import Hex
from engine.rules.ground import number, place
from games.jaws.data import Table
from games.jaws.rules.extension import body, twin
from games.jaws.rules.joining import rejoined
from games.jaws.rules.parts import UNUSED, in_play, is_broken, parent, taken_off
from games.jaws.rules.units import is_cadre


def lose(table: Table, unit: str, steps: int, case: str, at: Hex | None = None) -> Iterator[Fact]:
    """4.4: a unit loses steps, and with the last one goes to the Eliminated box; 4.7.2-1: an extended division's come
    off its one chit, and its cadre stands together, `at` a hex or where the loss was not."""
    chit = body(table, unit)
    if steps >= table.position.steps_left(chit):
        yield from _gone(table, unit, case)
    elif steps:
        yield StepLost(unit=chit, steps=steps, because=case)
        if twin(table, unit) and is_cadre(table, chit):
            yield from rejoined(table, chit, place(table, twin(table, unit)) if at is None else at, "4.7")


def _gone(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """4.4.5; an Extended marker and the counters of parts go back to where they lay (4.6-p2)."""
    chit, spot = body(table, unit), number(table, place(table, body(table, unit)))
    if other := twin(table, chit):
        yield from taken_off(table, other, UNUSED, "4.7.2-1")
    yield Eliminated(unit=chit, at=spot, because=case)
    whole = parent(table, chit)
    if whole:
        yield Placed(unit=chit, at=UNUSED, lost=0, because="4.6-p2")
        if is_broken(table, whole) and not in_play(table, whole):
            yield Eliminated(unit=whole, at=spot, because=case)
