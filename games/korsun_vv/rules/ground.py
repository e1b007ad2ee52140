"""Who is where: classes of units (1.1), formations (1.4), stacking (5.0), zones of control (4.1)."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from engine import hexset
from engine.facts import Counted, Fact, Marked
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.pieces import Roster
from engine.rules import stacking, zones
from engine.rules.ground import held, is_a, number, place, units_at
from engine.rules.stacking import over
from engine.rules.supply import within_line
from engine.rules.terrain import Six
from engine.table import kept_while_side_still, kept_while_still
from games.korsun_vv.data import FOOT, MOBILE, Going, Table, passable
from games.korsun_vv.names import BREAKTHROUGH, FORMATION

FIGHTING_CLASSES = ("armour", "mechanised", "cavalry", "infantry")
MOBILE_CLASSES = ("armour", "mechanised", "hq")


def is_hq(table: Table, unit: str) -> bool:
    return "hq" in table.roster.get(unit).classes


def is_armour(table: Table, unit: str) -> bool:
    return is_a(table, unit, "armour")


def is_mech(table: Table, unit: str) -> bool:
    """Armoured or mechanized (1.1-a)."""
    classes = table.roster.get(unit).classes
    return "armour" in classes or "mechanised" in classes


def is_mobile(table: Table, unit: str) -> bool:
    """6.1-a: moves at the costs of tanks."""
    return not table.roster.get(unit).classes.isdisjoint(MOBILE_CLASSES)


def takes_road(table: Table, unit: str) -> bool:
    """6.2-b: whom mechanized units find in their way on a road: everybody but infantry."""
    return is_mobile(table, unit) or is_a(table, unit, "cavalry")


def kind_of(table: Table, unit: str) -> Going:
    return MOBILE if is_mobile(table, unit) else FOOT


def open_to(table: Table, unit: str) -> Six:
    """6.2-a: by direction, the hexes from which a unit's kind can make a step at all in this weather."""
    return passable(table.data, kind_of(table, unit), weather(table))


def may_attack(table: Table, unit: str) -> bool:
    """1.1-b, 1.5-a: not with a strength in parentheses, and no HQ."""
    return table.roster.get(unit).has("strength")


def weather(table: Table) -> str:
    return table.data.weather(table.position.turn)


def formation(table: Table, unit: str) -> str:
    """1.1-d: its HQ's id; empty for independent units and Alarm battalions."""
    return str(table.position.mark(unit, FORMATION) or table.unit(unit).formation)


def members(table: Table, hq: str) -> list[str]:
    """The combat units of an HQ's formation, wherever they are."""
    side = table.unit(hq).side
    return [u.id for u in table.roster.by_side(side) if u.id != hq and formation(table, u.id) == hq]


@lru_cache
def units_of(roster: Roster, side: str, *classes: str) -> tuple[str, ...]:
    """A side's units of these classes (of all, if none is named), wherever they are."""
    return tuple(u.id for u in roster.by_side(side) if not classes or not u.classes.isdisjoint(classes))


@kept_while_side_still()
def headquarters(table: Table, side: str) -> list[str]:
    """A side's HQs on the map."""
    return alive(table, units_of(table.roster, side, "hq"))


def fighters(table: Table, units: Iterable[str]) -> list[str]:
    """Without the HQs."""
    return [unit for unit in units if not is_hq(table, unit)]


# Stacking (5.0)


def size(table: Table, unit: str) -> int:
    """5-a to 5-c."""
    if is_hq(table, unit):
        return 0
    return table.data.size[table.unit(unit).side, table.unit(unit).size]


def excess(table: Table, stack: Sequence[str]) -> int:
    """By how much a stack of one side goes beyond its limit."""
    return over(stack, lambda unit: size(table, unit), table.data.limit[table.unit(stack[0]).side]) if stack else 0


def crowd(table: Table, h: Hex, stack: Sequence[str]) -> str:
    """A stack beyond the limit in words."""
    limit = str(table.data.limit[table.unit(stack[0]).side])
    return stacking.crowd(number(table, h), stack, limit, lambda unit: size(table, unit))


def has_room(table: Table, side: str, h: Hex, coming: Sequence[str], leaving: Iterable[str] = ()) -> bool:
    """Whether these units fit into a hex beside those that stay there."""
    gone = {*coming, *leaving}
    return excess(table, [*(u for u in units_at(table, h, side) if u not in gone), *coming]) == 0


def barred_to(table: Table, unit: str) -> HexSet:
    """6.2-c: road hexes in difficult terrain that another mechanized unit holds already."""
    if not is_mobile(table, unit):
        return 0
    taken, here = _taken(table, table.unit(unit).side), table.position.hex_of(unit)
    if here is not None and taken >> here & 1 and sum(is_mobile(table, u) for u in table.position.at(here)) == 1:
        taken ^= 1 << here
    return taken


@kept_while_side_still()
def _taken(table: Table, side: str) -> HexSet:
    return table.data.difficult_roads & standing(table, units_of(table.roster, side, *MOBILE_CLASSES))


def full_hexes(table: Table, side: str, units: Sequence[str]) -> HexSet:
    """The hexes in which there is no room for these units more, or none for the kind of one of them."""
    barred = hexset.union(barred_to(table, unit) for unit in units)
    return barred | _full(table, side, sum(size(table, unit) for unit in units))


@kept_while_side_still()
def _full(table: Table, side: str, more: int) -> HexSet:
    limit, at = table.data.limit[side], table.position.at
    spots = hexset.members(held(table, side) if more else 0)
    return hexset.of(h for h in spots if sum(size(table, other) for other in at(h)) + more > limit)


# Who walks (6.0)


@kept_while_side_still()
def busy_hexes(table: Table, side: str) -> HexSet:
    """6.2-b: the hexes whose road a unit of the side has taken."""
    return standing(table, units_of(table.roster, side, *MOBILE_CLASSES, "cavalry"))


class Walker(NamedTuple):
    """What the cost of a step depends on besides the map and the enemy."""

    side: str
    kind: Going
    sky: str
    barred: HexSet


def walker(table: Table, unit: str) -> Walker:
    return Walker(table.unit(unit).side, kind_of(table, unit), weather(table), barred_to(table, unit))


# Zones of control (4.1)


@kept_while_side_still()
def exerting(table: Table, side: str) -> HexSet:
    """4.1-d: the hexes whose units exert a zone around them: HQs never, one with a single step only beside another."""
    printed, position = table.data.switch["one_step_zoc"] == "steps printed", table.position
    once = strong = 0
    for unit in units_of(table.roster, side, *FIGHTING_CLASSES):
        h = position.hex_of(unit)
        if h is not None:
            spot = 1 << h
            steps = len(table.unit(unit).steps) if printed else position.steps_left(unit)
            strong |= spot if steps > 1 else once & spot
            once |= spot
    return strong


@kept_while_side_still()
def zoc(table: Table, side: str) -> HexSet:
    """4.1: own hexes and those around, never across a river."""
    return held(table, side) | zones.zone(table.grid, exerting(table, side), table.data.zone_sides)


def enemy_zoc(table: Table, side: str) -> HexSet:
    """Where the enemy's zones stop a side: not in its own breakthroughs and around them (7.8-b)."""
    return _stopping(table, table.enemy(side), side)


@kept_while_side_still(BREAKTHROUGH)
def _stopping(table: Table, enemy: str, side: str) -> HexSet:
    marks = table.position.marks.items()
    broken = hexset.of(table.grid.hex(spot[1:]) for spot, borne in marks if borne.get(BREAKTHROUGH) == side)
    return zoc(table, enemy) & ~hexset.spread(table.grid, broken)


def sources(table: Table, side: str, h: Hex) -> HexSet:
    """The enemy hexes that exert a zone on a hex."""
    if not enemy_zoc(table, side) >> h & 1:
        return 0
    return zones.zone(table.grid, 1 << h, table.data.zone_sides) & exerting(table, table.enemy(side))


def standing(table: Table, units: Iterable[str]) -> HexSet:
    """Where these units are, as far as they are on the map."""
    return hexset.of(h for unit in units if (h := table.position.hex_of(unit)) is not None)


def stands(table: Table, unit: str) -> bool:
    return table.position.hex_of(unit) is not None


def alive(table: Table, units: Iterable[str]) -> list[str]:
    """Those that are on the map."""
    return [unit for unit in units if stands(table, unit)]


def together(table: Table, units: Iterable[str]) -> dict[Hex, list[str]]:
    """Units by the hex they stand in."""
    found: dict[Hex, list[str]] = {}
    for unit in units:
        found.setdefault(place(table, unit), []).append(unit)
    return found


# Command range (8.1)


def in_range(table: Table, hq: str, start: HexSet = 0) -> HexSet:
    """8.1-a, -b: the hexes to which an HQ (or one in the start hex) has a Line of Command now."""
    return _reach(table, table.unit(hq).side, start or 1 << place(table, hq))


@kept_while_still()
def _reach(table: Table, side: str, start: HexSet) -> HexSet:
    open_ = table.data.land & ~held(table, table.enemy(side))
    return within_line(table.grid, start, open_, table.data.reach[side])


@kept_while_still()
def any_range(table: Table, side: str) -> HexSet:
    """The hexes in range of some HQ of the side."""
    return hexset.union(in_range(table, hq) for hq in headquarters(table, side))


# What changes (and nothing that does not)


def set_mark(table: Table, subject: str, mark: str, value: int | str | None, case: str) -> Iterator[Fact]:
    if table.position.mark(subject, mark) != value:
        yield Marked(subject=subject, mark=mark, value=value, because=case)


def count(table: Table, track: str, value: int, case: str) -> Iterator[Fact]:
    if table.position.tracks.get(track, 0) != value:
        yield Counted(track=track, value=value, because=case)
