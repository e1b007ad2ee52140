"""A move as it is carried out (9.0): leg by leg, what the other side does at each, and what the way leaves behind."""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from engine.asks import Procedure, Step
from engine.facts import Fact, Halted, Marked, Moved, Noted
from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.ground import is_a, number, path_numbers
from engine.rules.marks import marked, set_game
from games.jaws.data import Table
from games.jaws.rules import bridges, collapse, mines
from games.jaws.rules.allowance import (
    AFOOT,
    HOW,
    MOVING,
    ON_FOOT,
    RESERVES,
    SPENT,
    STOOD,
    STRAINED,
    STRATEGIC,
    WORN,
    How,
    moving,
)
from games.jaws.rules.displacement import displaced, exposed
from games.jaws.rules.escorts import escort
from games.jaws.rules.extension import twin
from games.jaws.rules.flipping import visited
from games.jaws.rules.ground import passed
from games.jaws.rules.interception import intercepted, passed_by
from games.jaws.rules.reach import REGROUPING, crossing
from games.jaws.rules.recovery import silenced
from games.jaws.rules.units import OOS, REGROUP, on_wheels, upset
from games.jaws.rules.walking import Walk, plan


@dataclass
class Trail:
    """What a way does to units, marked only where their move ends (10.3.2)."""

    hexes: Counter[str] = field(default_factory=Counter)  # how many each has entered
    regroup: set[str] = field(default_factory=set)  # 10.3.2: who went from ZOC to ZOC and must regroup
    waded: set[str] = field(default_factory=set)  # 9.2.1-2: over a river without a bridge

    def walked(self, table: Table, units: Sequence[str], walk: Walk) -> None:
        for unit in units:
            self.hexes[unit] += len(walk.path) - 1
            if walk.crossed and crossing(table, unit, units) == REGROUPING:
                self.regroup.add(unit)
            if walk.waded:
                self.waded.add(unit)


def go(table: Table, side: str, units: Sequence[str], path: Sequence[Hex], how: How) -> Generator[Step, Any, None]:
    """Units walk a way leg by leg: wherever the other side may act, they stand for a moment (9.11, 13.2.4, 15.2.1)."""
    left, trail, halted = list(path), Trail(), set[str]()
    for unit in units:
        trail.hexes[unit] = 1 if table.position.mark(unit, SPENT) is not None else 0
    while len(left) > 1:
        yield from collapse.tried(table, [u for u in units if table.position.hex_of(u) == left[0]], *left[:2])
        steps = list(pairwise(left))
        end = next((n for n, step in enumerate(steps, 1) if _disturbs(table, side, units, step, how)), len(steps))
        end = next((n for n in range(1, end) if collapse.tries(table, units, *steps[n])), end)  # 18.3: not yet on it
        leg, left = left[: end + 1], left[end:]
        stand = [unit for unit in units if unit not in halted and table.position.hex_of(unit) == leg[0]]
        if not stand:
            break
        try:
            walk = plan(
                table, side, tuple(stand), number(table, leg[-1]), path_numbers(table, leg[1:]), how, len(left) == 1
            )
        except Illegal as refusal:
            yield Halted(unit=stand[0], at=number(table, leg[0]), why=refusal.problem, because=refusal.case)
            break
        trail.walked(table, stand, walk)
        yield from along(table, side, stand, walk, how)
        yield from mines.crossed(table, stand, *leg[-2:])
        yield from arrived(table, side, leg[-1])
        if how not in RESERVES:
            halted |= {*(yield from intercepted(table, side, stand, *leg[-2:]))}
            if halted:
                left_over = " ".join(unit for unit in stand if unit not in halted)
                yield from set_game(table, MOVING, left_over or None, "9.11-p4", Noted)
    yield from _ended(table, units, trail, how)


def _disturbs(table: Table, side: str, units: Sequence[str], step: tuple[Hex, Hex], how: How) -> bool:
    """Whether a step sets something off."""
    enemy, (here, there) = table.enemy(side), step
    if exposed(table, enemy, there) or bridges.threatened(table, enemy, there) or mines.mined(table, here, there):
        return True
    return how not in RESERVES and bool(passed_by(table, side, units, here, there))


def arrived(table: Table, side: str, h: Hex) -> Procedure:
    """What the other side does, or must, when units come to a hex."""
    enemy = table.enemy(side)
    yield from displaced(table, enemy, h)
    yield from bridges.approached(table, enemy, h)


def opened(table: Table, units: Sequence[str]) -> tuple[str, ...]:
    """9.0-a: whose move is open when units go; 4.5.4: the Shermans of an extended division too, whichever half goes,
    unless they have halted (9.11-p4)."""
    tanks = [each for unit in units if (other := twin(table, unit)) and (each := escort(table, other))]
    open_ = [each for each in tanks if each in moving(table) or table.position.mark(each, SPENT) is None]
    return tuple(dict.fromkeys((*units, *open_)))


def along(table: Table, side: str, units: Sequence[str], walk: Walk, how: How) -> Iterator[Fact]:
    """Units go as far as nobody can act: what each has spent, and whose ground they cross."""
    path = path_numbers(table, walk.path)
    for unit in units:
        before = int(table.position.mark(unit, SPENT) or 0)
        yield Noted(subject=unit, mark=SPENT, value=walk.spent[unit], because="9.0-a")
        yield Noted(subject=unit, mark=HOW, value=how, because="9.4")
        if table.position.mark(unit, STOOD) is not None:
            yield Noted(subject=unit, mark=STOOD, value=None, because="9.12-2")
        yield Moved(unit=unit, path=path, how=how, spent=walk.spent[unit] - before, because="9.0-a")
    open_ = opened(table, units)
    yield from set_game(table, MOVING, " ".join(open_), "9.0-a", Noted)
    yield from rested(table, open_)
    yield from passed(table, side, walk.path)
    yield from visited(table, side, units, walk.path)


def _ended(table: Table, units: Sequence[str], trail: Trail, how: How) -> Iterator[Fact]:
    """What the way has done to who is left; some of it shows only when their move is over."""
    for unit in units:
        if table.position.hex_of(unit) is None or table.position.mark(unit, SPENT) is None:
            continue
        if case := _worn(table, unit, trail, how):
            yield Noted(subject=unit, mark=WORN, value=case, because=case)
        if _strained(table, unit, trail, how):
            yield Noted(subject=unit, mark=STRAINED, because="13.5.1-d")
        if unit in trail.waded and on_wheels(table, unit):
            yield Marked(subject=unit, mark=AFOOT, because="9.2.1-2")
        yield from silenced(table, unit)


def _worn(table: Table, unit: str, trail: Trail, how: How) -> str:
    """The case by which a unit will be in Regroup; none for who is so already, or Disorganized."""
    if upset(table, unit):
        return ""
    if unit in trail.regroup:
        return "10.3.2-2"
    if how in STRATEGIC and is_a(table, unit, "artillery"):
        return "9.4.2-r2"
    return "9.4.2-r3" if how in STRATEGIC and is_a(table, unit, "engineer") else ""


def _strained(table: Table, unit: str, trail: Trail, how: How) -> bool:
    """13.5.1-d: whether a unit at OOS1 has gone more than one hex by wheel."""
    marks = table.position.marks.get(unit, {})
    by_wheel = how not in ON_FOOT and not is_a(table, unit, "foot") and AFOOT not in marks
    return marks.get(OOS) == 1 and by_wheel and unit not in trail.waded and trail.hexes[unit] > 1


def rested(table: Table, going: Sequence[str] = ()) -> Iterator[Fact]:
    """9.0-a: what shows on units whose move is over: all but those who are going."""
    for unit in (unit for unit in marked(table, WORN) if unit not in going):
        case = str(table.position.mark(unit, WORN))
        yield Noted(subject=unit, mark=WORN, value=None, because=case)
        if not upset(table, unit):
            yield Marked(subject=unit, mark=REGROUP, because=case)
    for unit in (unit for unit in marked(table, STRAINED) if unit not in going):
        yield Noted(subject=unit, mark=STRAINED, value=None, because="13.5.1-d")
        if table.position.mark(unit, OOS) == 1:
            yield Marked(subject=unit, mark=OOS, value=2, because="13.4.1-d")
