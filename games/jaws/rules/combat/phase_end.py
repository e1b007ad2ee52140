"""The end of the Combat Phase (3.2-E4F, F4): what its segments leave behind."""

from collections.abc import Generator
from typing import Any

from engine.asks import Step
from engine.rules.marks import wipe
from games.jaws.data import SOVIET, Table
from games.jaws.rules.barrage.markers import end_of_combat
from games.jaws.rules.combat.attack import PHASE_MARKS
from games.jaws.rules.combat.battle import BROKE_OUT
from games.jaws.rules.crowding import crowding
from games.jaws.rules.withdrawal import WITHDREW


def combat_phase_ends(table: Table, side: str) -> Generator[Step, Any, None]:
    """11.1.2: who stands in too full a hex pays; 17.1.3-8: barrages come off; then the marks of the phase."""
    yield from crowding(table, side)
    if side == SOVIET:
        yield from end_of_combat(table)
    yield from wipe(table, (BROKE_OUT, WITHDREW, *PHASE_MARKS), "12.3.3")
