"""Who is where: classes of units (1.1), formations (1.4), stacking (5.0), zones of control (4.1)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine import hexset
from engine.hexes import Hex, opposite
from engine.hexset import HexSet
from engine.rules import zones
from engine.rules.ground import held, is_a, place, units_at
from engine.rules.stacking import over
from engine.table import Table
from games.korsun_vv.data import FOOT, MOBILE

GERMAN, RUSSIAN = "german", "russian"
FORMATION = "formation"  # a unit's mark once 13.2 has given it to another HQ
BREAKTHROUGH = "breakthrough"  # on a hex: the side it serves
POCKET = "pocket"  # on the game: the turn in which it formed
DUG_IN = "dug in"
FATIGUED = "fatigued"
DISORGANIZED = "disorganized"
SUPPLY = "supply"  # isolated, unsupplied, air
ISOLATED, UNSUPPLIED, BY_AIR = "isolated", "unsupplied", "air"
MOBILE_CLASSES = frozenset(("armour", "mechanised", "hq"))
MOST_KEPT = 2000  # a service plays many campaigns on one set of data


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
    return not MOBILE_CLASSES.isdisjoint(table.roster.get(unit).classes)


def takes_road(table: Table, unit: str) -> bool:
    """6.2-b: whom mechanized units find in their way on a road: everybody but infantry."""
    return is_mobile(table, unit) or is_a(table, unit, "cavalry")


def kind_of(table: Table, unit: str) -> str:
    return MOBILE if is_mobile(table, unit) else FOOT


def may_attack(table: Table, unit: str) -> bool:
    """1.1-b, 1.5-a: not with a strength in parentheses, and no HQ."""
    return table.roster.get(unit).has("strength")


def weather(table: Table) -> str:
    found: str = table.data.weather(table.position.turn)
    return found


def formation(table: Table, unit: str) -> str:
    """1.1-d: its HQ's id; empty for independent units and Alarm battalions."""
    return str(table.position.mark(unit, FORMATION) or table.unit(unit).formation)


def members(table: Table, hq: str) -> list[str]:
    """The combat units of an HQ's formation, wherever they are."""
    side = table.unit(hq).side
    return [u.id for u in table.roster.by_side(side) if u.id != hq and formation(table, u.id) == hq]


def headquarters(table: Table, side: str) -> list[str]:
    """A side's HQs on the map."""
    return table.keep(("hqs", side), lambda: [u for u in table.position.on_map(side) if is_hq(table, u)], still=True)


def fighters(table: Table, units: Iterable[str]) -> list[str]:
    """Without the HQs."""
    return [unit for unit in units if not is_hq(table, unit)]


# Stacking (5.0)


def size(table: Table, unit: str) -> int:
    """5-a to 5-c."""
    if is_hq(table, unit):
        return 0
    found: int = table.data.size[table.unit(unit).side, table.unit(unit).size]
    return found


def excess(table: Table, stack: Sequence[str]) -> int:
    """By how much a stack of one side goes beyond its limit."""
    return over(stack, lambda unit: size(table, unit), table.data.limit[table.unit(stack[0]).side]) if stack else 0


def has_room(table: Table, side: str, h: Hex, coming: Sequence[str], leaving: Iterable[str] = ()) -> bool:
    """Whether these units fit into a hex beside those that stay there."""
    gone = {*coming, *leaving}
    return excess(table, [*(u for u in units_at(table, h, side) if u not in gone), *coming]) == 0


def barred_to(table: Table, unit: str) -> HexSet:
    """6.2-c: road hexes in difficult terrain that another mechanized unit holds already."""
    if not is_mobile(table, unit):
        return 0
    found = 0
    for h in hexset.members(table.data.difficult_roads & held(table, table.unit(unit).side)):
        if any(is_mobile(table, other) for other in table.position.at(h) if other != unit):
            found |= 1 << h
    return found


def full_hexes(table: Table, side: str, unit: str) -> HexSet:
    """The hexes in which there is no room for one more unit of that size, or none for its kind."""

    def work_out() -> HexSet:
        more, limit = size(table, unit), table.data.limit[side]
        found = 0
        for h in hexset.members(held(table, side) if more else 0):
            if sum(size(table, other) for other in table.position.at(h)) + more > limit:
                found |= 1 << h
        return found

    return table.keep(("full", side, size(table, unit)), work_out, still=True) | barred_to(table, unit)


# Zones of control (4.1)


def exerting(table: Table, side: str) -> HexSet:
    """4.1-d: the hexes whose units exert a zone around them."""

    def work_out() -> HexSet:
        return hexset.of(h for h in hexset.members(held(table, side)) if _exerts(table, h))

    return table.keep(("exerting", side), work_out, still=True)


def _exerts(table: Table, h: Hex) -> bool:
    """HQs never, and a unit with one step only beside another one."""
    strong = fighters(table, table.position.at(h))
    if len(strong) != 1:
        return bool(strong)
    if table.data.switch["one_step_zoc"] == "steps printed":
        return len(table.unit(strong[0]).steps) > 1
    return table.position.steps_left(strong[0]) > 1


def zoc(table: Table, side: str) -> HexSet:
    """4.1: own hexes and those around, never across a river."""
    return table.keep(
        ("zoc", side),
        lambda: held(table, side) | zones.zone(table.grid, exerting(table, side), table.data.zone_sides),
        still=True,
    )


def breakthrough_area(table: Table, side: str) -> HexSet:
    """7.8-b: where a side's markers cancel the enemy's zones."""

    def work_out() -> HexSet:
        marks = table.position.marks.items()
        spots = [s[1:] for s, m in marks if s.startswith("@") and m.get(BREAKTHROUGH) == side]
        return hexset.spread(table.grid, hexset.of(table.grid.hex(spot) for spot in spots))

    return table.keep(("breakthrough", side), work_out)


def enemy_zoc(table: Table, side: str) -> HexSet:
    """Where the enemy's zones stop a side: not in its own breakthroughs."""
    return table.keep(("enemy zoc", side), lambda: zoc(table, table.enemy(side)) & ~breakthrough_area(table, side))


def sources(table: Table, side: str, h: Hex) -> HexSet:
    """The enemy hexes that exert a zone on a hex."""
    if not enemy_zoc(table, side) >> h & 1:
        return 0
    return zones.zone(table.grid, 1 << h, table.data.zone_sides) & exerting(table, table.enemy(side))


def same_zone(table: Table, side: str) -> tuple[HexSet, ...]:
    """4.2-e: by direction, the hexes from which a step leads from a unit's zone into the same unit's zone."""
    strong, data = exerting(table, table.enemy(side)), table.data
    found: tuple[HexSet, ...] | None = data.same_zones.get(strong)
    if found is None:
        masks = [0] * 6
        for h in hexset.members(strong):
            for d, mask in enumerate(_around(table, h)):
                masks[d] |= mask
        found = tuple(masks)
        if len(data.same_zones) >= MOST_KEPT:
            data.same_zones.clear()
        data.same_zones[strong] = found
    return found


def _around(table: Table, h: Hex) -> tuple[HexSet, ...]:
    data = table.data
    found: tuple[HexSet, ...] | None = data.memory.get(("around", h))
    if found is None:
        zone = zones.zone(table.grid, 1 << h, data.zone_sides)
        back = [hexset.step(table.grid, zone, opposite(d)) for d in range(6)]
        found = tuple(zone & back[d] for d in range(6))
        data.memory["around", h] = found
    return found


def stands(table: Table, unit: str) -> bool:
    return table.position.hex_of(unit) is not None


def together(table: Table, units: Iterable[str]) -> dict[Hex, list[str]]:
    """Units by the hex they stand in."""
    found: dict[Hex, list[str]] = {}
    for unit in units:
        found.setdefault(place(table, unit), []).append(unit)
    return found
