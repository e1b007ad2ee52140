"""Victory (18.3, 18.4): a few yes or no questions, and a level for the Russian's points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine.facts import Fact, GameEnded
from engine.position import ELIMINATED
from engine.rules.ground import number, place
from engine.table import Table
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import GERMAN, RUSSIAN, formation, is_armour, is_hq, is_mech, stands
from games.korsun_vv.rules.pocket import HELD, cut_off, formed, ring_closed
from games.korsun_vv.rules.supply import from_edge


def rows(table: Table) -> Mapping[str, Any]:
    """The scenario's own table."""
    found: Mapping[str, Any] = table.data.tables["victory"][table.data.scenario["victory"]]
    return found


def destroyed(table: Table, formations: list[str]) -> int:
    """18.3-b, 18.4-e: units lost by the formations of the lists, HQs not counted."""
    units = [u for u in table.roster.by_side(GERMAN) if u.formation in formations and "hq" not in u.classes]
    return sum(1 for unit in units if table.position.where.get(unit.id) == ELIMINATED)


def armour_lost(table: Table, counts: int) -> int:
    """18.4-d: mechanized units, and armoured ones for more."""
    total = 0
    for unit in table.roster.by_side(GERMAN):
        if table.position.where.get(unit.id) == ELIMINATED and is_mech(table, unit.id):
            total += counts if is_armour(table, unit.id) else 1
    return total


def korsun_taken(table: Table) -> bool:
    """18.3-b, 18.4-c: a Russian unit was the last to enter it."""
    return table.position.owners.get(number(table, table.data.airfield)) == RUSSIAN


def breakdown(table: Table) -> list[tuple[str, int]]:
    """The Russian points as they stand, item by item."""
    if "pocket_destroyed" in rows(table):
        return _battle(table)
    return _encirclement(table)


def _encirclement(table: Table) -> list[tuple[str, int]]:
    """18.3-b: the pocket is looked at once more at the end."""
    table_rows = rows(table)
    held = table.position.tracks.get(HELD, 0)
    if not formed(table) and ring_closed(table):
        held = sum(1 for unit in cut_off(table) if not is_hq(table, unit))
    dead = table_rows["destroyed"]
    return [
        ("pocket", table_rows["pocket"]["points"] * (held >= table_rows["pocket"]["units"])),
        ("units destroyed", dead["points"] * (destroyed(table, dead["formations"]) >= dead["units"])),
        ("airfield", table_rows["airfield"]["points"] * korsun_taken(table)),
    ]


def _battle(table: Table) -> list[tuple[str, int]]:
    table_rows = rows(table)
    few = table_rows["few_destroyed"]
    tanks = table_rows["armour"]
    return [
        ("pocket", _pocket(table)),
        ("Korsun", table_rows["korsun"]["points"] * korsun_taken(table)),
        ("armour destroyed", tanks["points"] * (armour_lost(table, tanks["armour_counts"]) >= tanks["units"])),
        ("few destroyed", few["points"] * (destroyed(table, few["formations"]) < few["fewer_than"])),
    ]


def _pocket(table: Table) -> int:
    """18.4-b: never formed, destroyed, relieved, or still cut off."""
    return int(rows(table)[name]["points"]) if (name := _fate(table)) else 0


def _fate(table: Table) -> str:
    if not formed(table):
        return "never_formed"
    hq = chief(table)
    inside = [unit for unit in table.position.on_map(GERMAN) if formation(table, unit) == hq and unit != hq]
    if not inside:
        return "pocket_destroyed"
    supplied = from_edge(table, GERMAN)
    tracing = [hq] if stands(table, hq) else inside
    return "" if all(supplied >> place(table, unit) & 1 for unit in tracing) else "pocket"


def points(table: Table) -> int:
    return table.keep("points", lambda: sum(number for _, number in breakdown(table)))


def level(table: Table, reached: int) -> Mapping[str, Any]:
    """18.3-c, 18.4-f."""
    levels = rows(table)["levels"]
    held = max(levels[0]["points"], min(levels[-1]["points"], reached))
    found: Mapping[str, Any] = next(row for row in levels if row["points"] == held)
    return found


def end_of_turn(table: Table) -> Iterator[Fact]:
    """2.1-g: the last turn decides."""
    if table.position.turn < table.data.turns:
        return
    reached = points(table)
    row = level(table, reached)
    yield GameEnded(result=row["title"], winner=row["winner"], points=((RUSSIAN, reached),), because=row["case"])
