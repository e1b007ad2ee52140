"""Units that come apart and together (4.6, 4.7): which counters are whose, and what they bear when they change."""

from collections.abc import Iterator, Mapping, Sequence

from engine.facts import Fact, Marked, Noted, Placed
from engine.position import ELIMINATED
from engine.rules.marks import unmark
from engine.table import kept_for_good
from games.jaws.data import Table
from games.jaws.rules.allowance import SPENT
from games.jaws.rules.extension import is_marker
from games.jaws.rules.spending import FEEDERS, SUPPLIED
from games.jaws.rules.units import DISORGANIZED, OOS, REGROUP

UNUSED = "unused"
BROKEN = "breakdown"  # 22.4: the box in which a unit waits that has broken down
DOT = "dot"  # 4.6-p1: the one of its parts that keeps the black dot

Marks = Mapping[str, int | str]


@kept_for_good
def parts_of(table: Table, unit: str) -> tuple[str, ...]:
    """22.4: the counters that a unit breaks down into, the largest first."""
    return tuple(part.id for part in table.roster.parts(unit) if not is_marker(table, part.id))


def parent(table: Table, unit: str) -> str:
    """The unit that a counter is part of; empty if it is none."""
    return table.unit(unit).of


def on_map_as(table: Table, unit: str) -> list[str]:
    """As which counters a unit is on the map: itself, or the parts into which it has broken down."""
    return [each for each in (unit, *parts_of(table, unit)) if table.position.hex_of(each) is not None]


def in_play(table: Table, unit: str) -> list[str]:
    """The parts of a unit that are on the map, or off it for a while (12.16.1)."""
    return [part for part in parts_of(table, unit) if table.position.where[part] not in (UNUSED, ELIMINATED)]


def is_broken(table: Table, unit: str) -> bool:
    return table.position.where.get(unit) == BROKEN


# What they bear


def borne(table: Table, unit: str) -> Marks:
    return {mark: value for mark, value in table.position.marks.get(unit, {}).items() if mark != DOT}


def worst(table: Table, units: Sequence[str]) -> Marks:
    """4.6-5: the worst supply and organization of several; of all else what any of them bears."""
    found: dict[str, int | str] = {}
    for marks in (borne(table, unit) for unit in units):
        for mark, value in marks.items():
            before = found.get(mark, value)
            unpaid = mark == SUPPLIED and value not in table.roster  # 14.7: nor is anybody who joins it paid for
            found[mark] = max(int(before), int(value)) if mark in (OOS, SPENT) else value if unpaid else before
    if any(table.position.mark(unit, FEEDERS) != found.get(FEEDERS) for unit in units):
        found.pop(FEEDERS, None)  # 14.3: only who was fed alike has a choice
    if DISORGANIZED in found:
        found.pop(REGROUP, None)
    if OOS in found:
        found = {mark: value for mark, value in found.items() if mark != SUPPLIED}
    return found


def bearing(table: Table, unit: str, marks: Marks, case: str) -> Iterator[Fact]:
    """A counter comes to bear exactly these marks."""
    for mark in (*borne(table, unit), *marks):
        value = marks.get(mark)
        if table.position.mark(unit, mark) != value:
            kind = Noted if mark in table.position.noted else Marked
            yield kind(subject=unit, mark=mark, value=value, because=case)


def taken_off(table: Table, unit: str, box: str, case: str, lost: int = 0) -> Iterator[Fact]:
    """A counter leaves the map for a box, and bears nothing there."""
    yield from unmark(table, unit, case)
    yield Placed(unit=unit, at=box, lost=lost, because=case)
