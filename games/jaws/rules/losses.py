"""What combat does to a unit (4.4, 12.17): steps lost, and disorder."""

from collections.abc import Iterator, Sequence

from engine.facts import Eliminated, Fact, Marked, Placed, StepLost
from engine.hexes import Hex
from engine.rules.ground import is_a, number, place
from games.jaws.data import Table
from games.jaws.rules.barrage.components import parts_lost
from games.jaws.rules.extension import body, twin
from games.jaws.rules.joining import rejoined
from games.jaws.rules.partisans import is_partisan, scattered
from games.jaws.rules.parts import UNUSED, in_play, is_broken, parent, taken_off
from games.jaws.rules.units import DISORGANIZED, REGROUP, is_cadre


def lose(
    table: Table, unit: str, steps: int, case: str, at: Hex | None = None, parts: Sequence[str] = ()
) -> Iterator[Fact]:
    """4.4: a unit loses steps, and with the last one goes to the Eliminated box; 17.1.2-c: a Barrage unit's steps are
    its components, these `parts` or the usual ones; 4.7.2-1: an extended division's come off its one chit, and its
    cadre stands together, `at` a hex or where the loss was not."""
    chit = body(table, unit)
    if is_a(table, unit, "barrage"):
        for part in parts or parts_lost(table, unit, steps):
            yield Eliminated(unit=part, at=number(table, place(table, unit)), because="17.1.2-c")
    if steps >= table.position.steps_left(chit):
        yield from _gone(table, unit, case)
    elif steps:
        yield StepLost(unit=chit, steps=steps, because=case)
        if twin(table, unit) and is_cadre(table, chit):
            yield from rejoined(table, chit, place(table, twin(table, unit)) if at is None else at, "4.7")


def _gone(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """4.4.5; an Extended marker and the counters of parts go back to where they lay (4.6-p2)."""
    if is_partisan(table, unit):
        yield from scattered(table, unit, case)
        return
    chit, spot = body(table, unit), number(table, place(table, body(table, unit)))
    if other := twin(table, chit):
        yield from taken_off(table, other, UNUSED, "4.7.2-1")
    yield Eliminated(unit=chit, at=spot, because=case)
    whole = parent(table, chit)
    if whole:
        yield Placed(unit=chit, at=UNUSED, lost=0, because="4.6-p2")
        if is_broken(table, whole) and not in_play(table, whole):
            yield Eliminated(unit=whole, at=spot, because=case)


def disorganize(table: Table, unit: str, case: str) -> Iterator[Fact]:
    """12.17: a unit in Regroup becomes Disorganized; a second time changes nothing (12.17.2-13)."""
    if table.position.mark(unit, REGROUP) is not None:
        yield Marked(subject=unit, mark=REGROUP, value=None, because=case)
    if table.position.mark(unit, DISORGANIZED) is None:
        yield Marked(subject=unit, mark=DISORGANIZED, because=case)
