"""What must be true of every position (for fuzzing and for whoever corrects one by hand)."""

from collections import Counter

from engine import audit
from engine.rules.ground import held, number
from engine.rules.marks import game_mark
from engine.rules.stacking import crowded
from games.korsun_vv import names
from games.korsun_vv.data import Table
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import excess
from games.korsun_vv.rules.markers import holdings


def faults(table: Table) -> list[str]:
    """Everything wrong with a position, in words."""
    boxes = {where for where in table.position.where.values() if where.startswith("turn ")}
    return [
        *audit.pieces(table, keep_losses=boxes),
        *audit.ground(table, table.data.land),
        *_stacks(table),
        *_marks(table),
        *_supports(table),
        *_pocket(table),
        *_korsun(table),
    ]


def _stacks(table: Table) -> list[str]:
    """5.0."""
    return [
        f"too many units in {number(table, h)}"
        for side in (names.RUSSIAN, names.GERMAN)
        for h in crowded(table, side, excess)
    ]


def _marks(table: Table) -> list[str]:
    """Points and duties last as long as an activation; no unit was activated more than twice."""
    found = []
    acting = table.position.stage.endswith(".activation")
    for subject, marks in table.position.marks.items():
        unit = subject in table.roster
        if not unit and subject != "game" and not subject.startswith("@"):
            found.append(f"a mark on {subject}, which is nothing")
        if not acting:
            if unit and table.position.hex_of(subject) is None:
                found.append(f"a mark on {subject}, which is not on the map")
            found += [
                f"{subject} is marked {mark!r} outside an activation" for mark in names.ACTION_MARKS if mark in marks
            ]
        if int(marks.get(names.ACTIVATED, 0)) > table.data.tables["activation"]["most"]["times"]:
            found.append(f"{subject} was activated {marks[names.ACTIVATED]} times")
        if int(marks.get(names.POINTS, 0)) < 0:
            found.append(f"{subject} has spent more action points than it had")
        if not unit and names.DISORGANIZED in marks:
            found.append(f"{subject} is disorganized and no unit")
    return found


def _supports(table: Table) -> list[str]:
    """1.6-a: every marker that has come is in a pool, with an HQ, on the track or out of the game; none twice."""
    rows = table.data.tables["support"]
    early = table.position.stage in ("setup", "pocket", "supply", "return")
    turn = table.position.turn - early
    come: Counter[str] = Counter()
    for side in (names.RUSSIAN, names.GERMAN):
        due = [rows["start"][side]] if turn else []
        due += [row for at, row in rows["arrivals"][side].items() if int(at) <= turn]
        for row in due:
            come.update({marker: count for marker, count in row.items() if isinstance(count, int)})
    there = Counter(marker for items in table.position.pools.values() for marker in items)
    found = [] if come == there else [f"support markers: {dict(there)} instead of {dict(come)}"]
    for unit in table.roster.by_kind("German headquarters") + table.roster.by_kind("Russian headquarters"):
        held_ = len(holdings(table, unit.id))
        if held_ > unit.value("support") and unit.id != chief(table):
            found.append(f"{unit.id} holds {held_} markers")
        if held_ and table.position.where.get(unit.id) == names.REMOVED:
            found.append(f"{unit.id} was removed and still holds markers")
    return found


def _pocket(table: Table) -> list[str]:
    """13.2: HQ Stemmermann is in the game if and only if the pocket has formed."""
    waiting = table.position.where.get(chief(table)) == names.RESERVE
    if waiting and game_mark(table, names.POCKET) and table.position.stage != "pocket":
        return ["the pocket has formed without its HQ"]
    if not waiting and not game_mark(table, names.POCKET):
        return [f"{chief(table)} is in play before the pocket has formed"]
    return []


def _korsun(table: Table) -> list[str]:
    """18.4-c: who stands in Korsun has taken it."""
    spot = table.data.airfield
    owner = table.position.owners.get(number(table, spot))
    wrong = [side for side in (names.RUSSIAN, names.GERMAN) if held(table, side) >> spot & 1 and owner != side]
    return [f"{side} stands in Korsun and has not taken it" for side in wrong]
