"""Victory (18.3, 18.4): a few yes or no questions, and a level for the Russian's points."""

from collections.abc import Iterator
from typing import Literal

from engine.facts import Fact, GameEnded
from engine.position import ELIMINATED
from engine.rules.ground import number, place
from engine.table import kept
from games.korsun_vv.data import Table
from games.korsun_vv.names import GERMAN, HELD, RUSSIAN
from games.korsun_vv.rules.formations import chief
from games.korsun_vv.rules.ground import formation, is_armour, is_hq, is_mech, stands, units_of
from games.korsun_vv.rules.pocket import cut_off, formed, ring_closed
from games.korsun_vv.rules.supply import from_edge
from games.korsun_vv.shapes import Battle, Encirclement, Level


def destroyed(table: Table, formations: list[str]) -> int:
    """18.3-b, 18.4-e: units lost by the formations of the lists, HQs not counted."""
    units = [u for u in table.roster.by_side(GERMAN) if u.formation in formations and "hq" not in u.classes]
    return sum(1 for unit in units if table.position.where.get(unit.id) == ELIMINATED)


def armour_lost(table: Table, counts: int) -> int:
    """18.4-d: mechanized units, and armoured ones for more."""
    lost = [u for u in units_of(table.roster, GERMAN) if table.position.where.get(u) == ELIMINATED]
    return sum(counts if is_armour(table, u) else is_mech(table, u) for u in lost)


def korsun_taken(table: Table) -> bool:
    """18.3-b, 18.4-c: a Russian unit was the last to enter it."""
    return table.position.owners.get(number(table, table.data.airfield)) == RUSSIAN


def breakdown(table: Table) -> list[tuple[str, int]]:
    """The Russian points as they stand, item by item."""
    rows = table.data.tables["victory"]
    if table.data.scenario["victory"] == "battle":
        return _battle(table, rows["battle"])
    return _encirclement(table, rows["encirclement"])


def _encirclement(table: Table, rows: Encirclement) -> list[tuple[str, int]]:
    """18.3-b: the pocket is looked at once more at the end."""
    held = table.position.tracks.get(HELD, 0)
    if not formed(table) and ring_closed(table):
        held = sum(1 for unit in cut_off(table) if not is_hq(table, unit))
    dead = rows["destroyed"]
    return [
        ("pocket", rows["pocket"]["points"] * (held >= rows["pocket"]["units"])),
        ("units destroyed", dead["points"] * (destroyed(table, dead["formations"]) >= dead["units"])),
        ("airfield", rows["airfield"]["points"] * korsun_taken(table)),
    ]


def _battle(table: Table, rows: Battle) -> list[tuple[str, int]]:
    few, tanks, fate = rows["few_destroyed"], rows["armour"], _fate(table)
    return [
        ("pocket", rows[fate]["points"] if fate else 0),
        ("Korsun", rows["korsun"]["points"] * korsun_taken(table)),
        ("armour destroyed", tanks["points"] * (armour_lost(table, tanks["armour_counts"]) >= tanks["units"])),
        ("few destroyed", few["points"] * (destroyed(table, few["formations"]) < few["fewer_than"])),
    ]


def _fate(table: Table) -> Literal["never_formed", "pocket_destroyed", "pocket", ""]:
    """18.4-b: never formed, destroyed, still cut off, or relieved."""
    if not formed(table):
        return "never_formed"
    hq = chief(table)
    inside = [unit for unit in table.position.on_map(GERMAN) if formation(table, unit) == hq and unit != hq]
    if not inside:
        return "pocket_destroyed"
    supplied = from_edge(table, GERMAN)
    tracing = [hq] if stands(table, hq) else inside
    return "" if all(supplied >> place(table, unit) & 1 for unit in tracing) else "pocket"


@kept
def points(table: Table) -> int:
    return sum(number for _, number in breakdown(table))


def level(table: Table, reached: int) -> Level:
    """18.3-c, 18.4-f."""
    levels = table.data.tables["victory"][table.data.scenario["victory"]]["levels"]
    held = max(levels[0]["points"], min(levels[-1]["points"], reached))
    return next(row for row in levels if row["points"] == held)


def end_of_turn(table: Table) -> Iterator[Fact]:
    """2.1-g: the last turn decides."""
    if table.position.turn < table.data.turns:
        return
    reached = points(table)
    row = level(table, reached)
    yield GameEnded(result=row["title"], winner=row["winner"], points=((RUSSIAN, reached),), because=row["case"])
