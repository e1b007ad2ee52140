"""Stacking in the Breakout Phase (16.5.2, 16.5.3-a): as many as ever in a hex, of whatever division of the pocket."""

from collections.abc import Sequence

from engine.hexes import Hex
from engine.rules.ground import is_a
from games.jaws.data import GERMAN, Table
from games.jaws.rules.korsun import POCKET
from games.jaws.rules.stacking import Breach, breach, too_many
from games.jaws.rules.units import is_sdm


def crush(table: Table, stack: Sequence[str], h: Hex) -> Breach | None:
    """What these units would break in a hex; of Gruppe Stemmermann, and Alarm units with it, which are of no command,
    only numbers are asked for."""
    units = [unit for unit in stack if not is_sdm(table, unit)]
    if all(table.position.mark(unit, POCKET) is not None or is_a(table, unit, "alarm") for unit in units):
        return too_many(table, GERMAN, units, h)
    return breach(table, GERMAN, units, h)
