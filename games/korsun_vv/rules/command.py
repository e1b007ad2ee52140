"""Command (8.0, 9.0): range, the check at the start of a turn, and who may be activated how."""

from collections.abc import Iterator

from engine.facts import Fact
from engine.position import ELIMINATED
from engine.rules.ground import place
from engine.rules.marks import game_mark
from games.korsun_vv.data import Table
from games.korsun_vv.names import ACTIVATED, ANOTHER, COMMAND, FATIGUED, GERMAN, OUT, POCKET, POINTS, RUSSIAN
from games.korsun_vv.rules.ground import any_range, formation, in_range, is_hq, set_mark, stands
from games.korsun_vv.rules.points import usable


def check_command(table: Table) -> Iterator[Fact]:
    """8.1-c: both sides' units at the start of a turn."""
    for side in (RUSSIAN, GERMAN):
        for unit in list(table.position.on_map(side)):
            if not is_hq(table, unit):
                yield from set_mark(table, unit, COMMAND, state(table, unit), "8.1-c")


def state(table: Table, unit: str) -> str | None:
    """What the check finds: nothing, out of command, or (German) under another HQ."""
    side, h = table.unit(unit).side, place(table, unit)
    hq = formation(table, unit)
    if not hq and side == RUSSIAN:
        return None  # 1.4-c
    if hq and stands(table, hq) and in_range(table, hq) >> h & 1:
        return None
    if hq and _awaited(table, hq):
        return None  # 3.3-d: general activation only, without a check
    if table.data.tables["doctrine"][side]["another_hq"]["in_command"] and any_range(table, side) >> h & 1:
        return ANOTHER
    return OUT


def _awaited(table: Table, hq: str) -> bool:
    """Whether an HQ comes this turn at the earliest; one that is held back shields nobody."""
    box = table.position.where.get(hq, "").split()
    return box[:1] == ["turn"] and int(box[1]) >= table.position.turn


# Who may be activated


def restricted(table: Table, unit: str) -> bool:
    """13.5: 52 A and 27 A before the pocket has formed."""
    row = table.data.tables["activation"]["held"]
    if formation(table, unit) not in row["formations"]:
        return False
    return not game_mark(table, POCKET) and table.position.turn < row["free_from_turn"]


def may_activate(table: Table, unit: str) -> bool:
    """3.1-b: if it has anything to spend."""
    return may_be_charged(table, unit) and usable(table, unit) > 0


def may_be_charged(table: Table, unit: str) -> bool:
    """3.5-a, 3.5.2-b: once fresh, a second time if not fatigued."""
    if restricted(table, unit) or table.position.mark(unit, POINTS) is not None:
        return False
    times = int(table.position.mark(unit, ACTIVATED) or 0)
    if times >= table.data.tables["activation"]["most"]["times"]:
        return False
    return not times or table.position.mark(unit, FATIGUED) is None


def needs_check(table: Table, unit: str) -> bool:
    """3.3-b: out of command, or its HQ has been destroyed."""
    if is_hq(table, unit):
        return False
    mark = table.position.mark(unit, COMMAND)
    if mark is not None:
        return mark == OUT
    hq = formation(table, unit)
    return bool(hq) and table.position.where.get(hq) == ELIMINATED


def in_formation(table: Table, unit: str) -> bool:
    """3.2-a: in command of its own HQ at this turn's check; 18.0-d: or not looked at, for its HQ was still to come."""
    return table.position.mark(unit, COMMAND) is None
