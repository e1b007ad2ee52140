"""The end of the Combat Phase (3.2-E4F, F4): what its segments leave behind."""

from collections.abc import Iterator

from engine.facts import Fact
from engine.rules.marks import wipe
from games.jaws.data import Table
from games.jaws.rules.combat.attack import PHASE_MARKS
from games.jaws.rules.combat.battle import BROKE_OUT
from games.jaws.rules.movement import crowding
from games.jaws.rules.withdrawal import WITHDREW


def combat_phase_ends(table: Table, side: str) -> Iterator[Fact]:
    """11.1.2: who stands in too full a hex pays; then the marks of the phase come off."""
    yield from crowding(table, side)
    yield from wipe(table, (BROKE_OUT, WITHDREW, *PHASE_MARKS), "12.3.3")
