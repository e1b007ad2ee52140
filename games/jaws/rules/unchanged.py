"""What moves rest on (9.0, 10.0, 22.1): as long as it is as it was, a stack may do what it could.

A move leaves most stacks as they were, and every one of them is asked after each order where it can go. Whoever makes
movement rest on anything else must tell of it here.
"""

from collections.abc import Mapping

from engine.table import kept
from games.jaws.data import GERMAN, Table
from games.jaws.rules.allowance import MOVING, How, moving
from games.jaws.rules.boundary import FRONT
from games.jaws.rules.escorts import guards, is_escort
from games.jaws.rules.extension import body, twin
from games.jaws.rules.front_line import bound_to, lines
from games.jaws.rules.mines import FIELD
from games.jaws.rules.reach import STEP_MARKS
from games.jaws.rules.reserves import UNDER_WAY
from games.jaws.rules.stacking import GRACE
from games.jaws.rules.units import attack_capable
from games.jaws.rules.walking import guarded

WIDE = (*STEP_MARKS, FRONT, FIELD)  # marks that change everybody's ways
PASSING = (MOVING, UNDER_WAY)  # the game's marks that tell who has moved, which is asked of the units themselves


@kept
def _situation(table: Table, side: str) -> tuple[object, ...]:
    """What is the same for a whole side: the enemy and his zones, the ground, the weather."""
    position = table.position
    said: Mapping[str, int | str] = position.marks.get("game", {})
    game = {mark: value for mark, value in said.items() if mark not in PASSING}
    return (position.stirred_of[table.enemy(side)], *map(position.marked.get, WIDE), game)


def unit_state(table: Table, side: str, unit: str, how: How) -> object:
    """What a unit's own right to move rests on."""
    position, chit = table.position, body(table, unit)
    bears = position.marks.get
    return (
        position.where.get(unit), bears(unit), position.lost.get(unit), bears(chit), position.lost.get(chit),
        unit in moving(table), bears("game", {}).get("ground"),
    )  # fmt: skip


def stack_state(table: Table, side: str, units: tuple[str, ...], how: How) -> object:
    """What the ways of units that stand together rest on."""
    position = table.position
    if not moving_apart(table, units):
        return position.changes  # it may go on, and whom it left behind counts: worked out each time
    h = position.hex_of(units[0])
    mates = position.at(h) if h is not None else ()
    chits = [body(table, unit) for unit in units]
    others = [position.where.get(other) for unit in units if (other := twin(table, unit))]
    tied = [guards(table, unit) for unit in units if is_escort(table, unit)]
    weak = not any(attack_capable(table, unit) for unit in units)
    bound = side == GERMAN and bool(lines(table)) and any(bound_to(table, unit) for unit in units)
    return (
        _situation(table, side), mates, [position.marks.get(unit) for unit in mates], others, tied,
        [position.lost.get(chit) for chit in chits],
        guarded(table, side) if weak else 0,
        (position.stirred_of[side], position.marked.get(GRACE)) if bound else 0,
    )  # fmt: skip


def moving_apart(table: Table, units: tuple[str, ...]) -> bool:
    """Whether none of these is the stack whose move is open."""
    return set(units).isdisjoint(moving(table))
