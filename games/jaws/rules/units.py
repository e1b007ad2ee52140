"""What a counter is (4.0): its class of movement, its steps that make a zone, and whose it is."""

from collections.abc import Iterable

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.pieces import Formation, Unit
from engine.rules.ground import is_a
from engine.rules.marks import marked
from engine.table import kept_for_good, kept_while_side_still
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.rules.extension import body, extendable, steps
from games.jaws.shapes import Going

DISORGANIZED, REGROUP = "disorganized", "regroup"  # 12.17
UPSET = (DISORGANIZED, REGROUP)
OOS = "oos"  # 13.4: 1 or 2
HELD = {side: f"{side} held" for side in (GERMAN, SOVIET)}  # a hex of a side in which the other can see nobody (11.3-4)
STORMED = "stormed"  # 15.1.1-a: an engineer that has attacked this turn
GUNS = ("artillery", "antiarmor", "antiair")


def is_sdm(table: Table, unit: str) -> bool:
    return "sdm" in table.unit(unit).classes


def going(table: Table, unit: str) -> Going:
    """9.1, 4.3.2: the class by which it moves."""
    classes = table.unit(unit).classes
    if "armor" in classes:
        return "armor"
    return "motor" if classes & {"motorized", "mechanized"} else "foot"


def on_wheels(table: Table, unit: str) -> bool:
    """9.1.1: motorized and mechanized infantry and reconnaissance, which may move on foot instead."""
    return is_a(table, unit, "infantry") and going(table, unit) == "motor"


def attack_capable(table: Table, unit: str) -> bool:
    """12.2: a strength without brackets."""
    classes = table.unit(unit).classes
    return "defensive" not in classes and "sdm" not in classes


def upset(table: Table, unit: str) -> bool:
    """12.17.3: Disorganized, or in Regroup, which has the same effects."""
    marks = table.position.marks.get(unit)
    return marks is not None and (DISORGANIZED in marks or REGROUP in marks)


def has_chit(table: Table, unit: str) -> bool:
    """4.4.4: more than two steps, but for German armor, which has two counters instead (4.9)."""
    row = table.unit(unit)
    return len(row.steps) > 2 and not (row.side == GERMAN and is_a(table, unit, "armor"))


def is_cadre(table: Table, unit: str) -> bool:
    """4.4.5: a unit with a strength chit on its last step."""
    chit = body(table, unit)
    return has_chit(table, chit) and table.position.steps_left(chit) == 1


def starred(table: Table, unit: str) -> bool:
    """4.5.3: a Soviet armor brigade that is no cadre."""
    return is_a(table, unit, "star") and not is_cadre(table, unit)


def zone_steps(table: Table, units: Iterable[str]) -> dict[str, int]:
    """10.1.1, 10.1.2: how many steps each adds to a ZOC; who adds none is not named."""
    printed, bears, halved, lost = zone_makers(table), table.position.marks, extendable(table), table.position.lost
    found = {}
    for unit in units:
        most = printed.get(unit)
        if most is None or (unit in bears and upset(table, unit)):
            continue
        if most:
            found[unit] = steps(table, unit) if unit in halved else most - lost.get(unit, 0)
        elif not is_cadre(table, unit):
            found[unit] = 1
    return found


def makes_zoc(table: Table, units: Iterable[str]) -> bool:
    """10.1.1: whether units that stand together have steps enough for a ZOC."""
    return sum(zone_steps(table, units).values()) >= int(table.data.tables["zones"]["steps"])


@kept_for_good
def zone_makers(table: Table) -> dict[str, int]:
    """10.1.1, 10.1.2: the counters that can add to a ZOC: infantry, with its steps, and (0) starred brigades; 18.1.2:
    never partisans."""
    able = [unit for unit in table.roster if attack_capable(table, unit.id) and "partisan" not in unit.classes]
    starred = {unit.id: 0 for unit in able if "star" in unit.classes}
    return starred | {unit.id: len(unit.steps) for unit in able if "infantry" in unit.classes}


def knows_all(table: Table) -> bool:
    """Whether it is the truth that is read, and not what a side knows of it."""
    return table.position.reader is None and not table.position.unsure


@kept_while_side_still(*HELD.values())
def standing(table: Table, side: str) -> HexSet:
    """The hexes with a combat unit of that side: an SDM is a marker (13.2.4)."""
    found = known_standing(table, side)
    return found if knows_all(table) else found | hexset.of(table.grid.hex(s[1:]) for s in marked(table, HELD[side]))


@kept_while_side_still()
def known_standing(table: Table, side: str) -> HexSet:
    """Those of them with one that is known."""
    position, own, found = table.position, _combat_units(table, side), table.position.held(side)
    for sdm in position.present(_sdms(table, side)):
        h = position.hex_of(sdm)
        if h is not None and own.isdisjoint(position.at(h)):
            found &= ~(1 << h)
    return found


def shared(table: Table) -> HexSet:
    """16.5.3-p6: the hexes in which both sides stand."""
    return standing(table, GERMAN) & standing(table, SOVIET)


def units_in(table: Table, h: Hex, side: str) -> list[str]:
    """The combat units of a side in a hex."""
    stack = table.position.at(h)
    if not stack:
        return []
    own = _combat_units(table, side)
    return [unit for unit in stack if unit in own]


@kept_for_good
def _sdms(table: Table, side: str) -> frozenset[str]:
    return frozenset(of_class(table, side, "sdm"))


@kept_for_good
def _combat_units(table: Table, side: str) -> frozenset[str]:
    return frozenset(unit.id for unit in table.roster.by_side(side) if not is_sdm(table, unit.id))


@kept_for_good
def of_class(table: Table, side: str, kind: str) -> tuple[str, ...]:
    """The counters of a class that a side has, wherever they are."""
    return tuple(unit.id for unit in table.roster.by_side(side) if kind in unit.classes)


def on_map_of(table: Table, side: str, kind: str) -> list[str]:
    """Those of them on the map."""
    at = table.position.hex_of
    return [unit for unit in of_class(table, side, kind) if at(unit) is not None]


def hungry(table: Table, side: str) -> list[str]:
    """13.4: the units of a side on the map that are out of supply."""
    own = (unit for unit in marked(table, OOS) if table.unit(unit).side == side)
    return [unit for unit in own if table.position.hex_of(unit) is not None]


@kept_for_good
def attackers(table: Table, side: str) -> frozenset[str]:
    """12.2: the counters of a side with a strength without brackets, wherever they are."""
    return frozenset(unit.id for unit in table.roster.by_side(side) if attack_capable(table, unit.id))


# 4.2: subordination


@kept_for_good
def levels(table: Table, formation: str) -> tuple[Formation, ...]:
    """A formation and those above it, the nearest first."""
    return tuple(table.roster.levels(formation))


def level(table: Table, unit: Unit, *kinds: str) -> str:
    """The body of one of these kinds that a unit belongs to; empty if none."""
    return _level(table, unit.formation, kinds)


@kept_for_good
def _level(table: Table, formation: str, kinds: tuple[str, ...]) -> str:
    return next((f.id for f in levels(table, formation) if f.kind in kinds), "")


def front(table: Table, unit: Unit) -> str:
    """2.8-g; which the cavalry belongs to is an option (13.1-s)."""
    if level(table, unit, "corps") == "5GCC":
        return table.data.switch["cavalry_front"]
    return level(table, unit, "front")


def army(table: Table, unit: Unit) -> str:
    return level(table, unit, "army")


def corps(table: Table, unit: Unit) -> str:
    """A Soviet tank, mechanized or cavalry corps."""
    return level(table, unit, "corps")


def korps(table: Table, unit: Unit) -> str:
    return level(table, unit, "korps")


def armee(table: Table, unit: Unit) -> str:
    return level(table, unit, "armee")


def division(table: Table, unit: Unit) -> str:
    """A German division, brigade, group or regiment below its korps; empty for korps troops (2.8-r)."""
    found = levels(table, unit.formation)
    return found[0].id if found and found[0].kind not in ("korps", "armee") and unit.side == GERMAN else ""
