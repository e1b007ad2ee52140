"""What moves rest on (9.0, 10.0, 22.1): as long as it is as it was, a stack may do what it could.

A move leaves most stacks as they were, and every one of them is asked after each order where it can go. Whoever makes
movement rest on anything else must tell of it here.
"""

from collections.abc import Mapping
from typing import NamedTuple

from engine.table import kept, kept_for_good
from games.jaws.data import GERMAN, Table
from games.jaws.rules.allowance import MOVING, How, moving
from games.jaws.rules.boundary import FRONT
from games.jaws.rules.escorts import guards, is_escort
from games.jaws.rules.extension import body, twins
from games.jaws.rules.front_line import bound_by, line_state
from games.jaws.rules.ground import FORD
from games.jaws.rules.mines import FIELD
from games.jaws.rules.reach import enemy_state
from games.jaws.rules.reserves import UNDER_WAY
from games.jaws.rules.stacking import crowded
from games.jaws.rules.units import attack_capable
from games.jaws.rules.walking import guarded

WIDE = (FRONT, FIELD, FORD)  # marks that change everybody's ways, besides the enemy's
PASSING = (MOVING, UNDER_WAY)  # the game's marks that tell who has moved, which is asked of the units themselves


@kept
def _situation(table: Table, side: str) -> tuple[object, ...]:
    """What is the same for a whole side: the enemy and his zones, the ground, the weather."""
    position = table.position
    said: Mapping[str, int | str] = position.marks.get("game", {})
    game = {mark: value for mark, value in said.items() if mark not in PASSING}
    return (*enemy_state(table, table.enemy(side)), *map(position.marked.get, WIDE), game)


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
    position, own = table.position, _counters(table, units)
    if not own.named.isdisjoint(moving(table)):
        return position.changes  # it may go on, and whom it left behind counts: worked out each time
    h = position.hex_of(units[0])
    mates = position.at(h) if h is not None else ()
    pairs, bears, lost = twins(table), position.marks.get, position.lost.get
    bound = bound_by(table, units) if side == GERMAN else ()
    return (
        _situation(table, side), mates, [bears(unit) for unit in mates], [lost(unit) for unit in mates],
        own.chits and [lost(chit) for chit in own.chits],
        pairs and [position.where.get(pairs[unit]) for unit in units if unit in pairs],
        own.escorts and [guards(table, unit) for unit in own.escorts],
        guarded(table, side) if own.weak else 0,
        [line_state(table, korps) for korps in bound], h in crowded(table, GERMAN) if bound else False,
    )  # fmt: skip


class _Counters(NamedTuple):
    """What never changes of the units of a stack."""

    named: frozenset[str]
    chits: tuple[str, ...]  # 4.7.2-1: the divisions of markers
    escorts: tuple[str, ...]  # 4.5.4
    weak: bool  # 9.10.2: nobody of them can attack


@kept_for_good
def _counters(table: Table, units: tuple[str, ...]) -> _Counters:
    chits = tuple(chit for unit in units if (chit := body(table, unit)) != unit)
    escorts = tuple(unit for unit in units if is_escort(table, unit))
    return _Counters(frozenset(units), chits, escorts, not any(attack_capable(table, unit) for unit in units))
