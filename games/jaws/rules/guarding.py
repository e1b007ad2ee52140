"""Guns next to an enemy (9.10.2): who can attack must stay with those that were moved there."""

from collections.abc import Sequence

from engine import hexset
from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.ground import number, place
from games.jaws.data import Table
from games.jaws.rules.allowance import SPENT
from games.jaws.rules.units import attack_capable, needs_guard, standing, units_in


def check_guard(table: Table, side: str, units: Sequence[str], going: Sequence[str]) -> None:
    """9.10.2: guns moved next to an enemy this phase keep a unit that can attack beside them. Raises Illegal."""
    check_left(table, side, place(table, units[0]), going)


def check_left(table: Table, side: str, h: Hex, going: Sequence[str] = ()) -> None:
    """9.10.2: whether those who stay in a hex may be left there by those who go. Raises Illegal."""
    left = [unit for unit in units_in(table, h, side) if unit not in going]
    weak = [u for u in left if needs_guard(table, u) and table.position.mark(u, SPENT) is not None]
    if (
        weak
        and hexset.spread(table.grid, standing(table, table.enemy(side))) >> h & 1
        and not any(attack_capable(table, unit) for unit in left)
    ):
        raise Illegal("9.10.2", f"{weak[0]} was moved next to an enemy, and somebody who can attack must stay with it",
                      unit=weak[0], at=number(table, h))  # fmt: skip
