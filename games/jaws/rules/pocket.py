"""Gruppe Stemmermann (14.5.1-a, 16.5, 23.8): who is cut off and who is not, and the steps that are counted."""

from collections.abc import Iterable, Iterator

from engine import hexset
from engine.facts import Counted, Fact
from engine.hexset import HexSet
from engine.rules.ground import is_a, place
from engine.table import kept
from games.jaws.data import GERMAN, SOVIET, Data, Table
from games.jaws.rules.depots import ANY_LENGTH, KORSUN, fed, patrons, printed_sources, terminals
from games.jaws.rules.ground import open_to, supply_sides
from games.jaws.rules.korsun import POCKET, of_the_pocket
from games.jaws.rules.units import is_sdm, standing

STEPS = "stemmermann"  # 23.8: the steps of the pocket when it was, or could first have been, declared
ESCAPED = "escaped"  # 16.5.3-p5: the box of those who got out
COUNTED = ("infantry", "armor")  # 23.8: whose steps count


def sources(table: Table) -> HexSet:
    """Every source that a German path of any length may lead to."""
    return printed_sources(table, GERMAN, "8A") | printed_sources(table, GERMAN, "1PzA") | terminals(table)


@kept
def linked(table: Table) -> HexSet:
    """The hexes with a German supply path of any length to a source."""
    return hexset.flood(table.grid, sources(table), open_to(table, GERMAN), supply_sides(table, GERMAN))


def cut_off(table: Table, unit: str) -> bool:
    """2.8-h: no supply path of any length leads from a unit to a source; Korsun's SDM is fed by none (13.2.3)."""
    return pathless(table, unit, linked(table), [sdm for sdm in patrons(table, unit) if sdm != KORSUN])


def pathless(table: Table, unit: str, near: HexSet, own: Iterable[str]) -> bool:
    """Whether a unit is in none of the hexes that supply paths lead to, nor beside a river over which one leads to an
    SDM of its own (13.3) that stands in one of them."""
    h = place(table, unit)
    if near >> h & 1:
        return False
    found = hexset.of(spot for sdm in own if (spot := table.position.hex_of(sdm)) is not None) & near
    return not found or not fed(table, GERMAN, found, ANY_LENGTH) >> h & 1


def combat_units(table: Table) -> list[str]:
    return [unit for unit in table.position.on_map(GERMAN) if not is_sdm(table, unit)]


def gruppe(table: Table) -> list[str]:
    """14.5.1-a: the units of Gruppe Stemmermann on the map."""
    return [unit for unit in combat_units(table) if table.position.mark(unit, POCKET) is not None]


def outside(table: Table) -> list[str]:
    """16.5.3-a: the German units that are not pocketed: of no Gruppe, and with a path of any length to a source."""
    free = [unit for unit in combat_units(table) if table.position.mark(unit, POCKET) is None]
    return [unit for unit in free if not cut_off(table, unit)]


@kept
def relief(table: Table) -> HexSet:
    """The hexes of those units."""
    return hexset.of(place(table, unit) for unit in outside(table))


# 23.8


def counts(table: Table, unit: str) -> bool:
    """23.8: infantry and armor of the two korps, and whoever else was shut in with them."""
    ours = of_the_pocket(table, unit) or table.position.mark(unit, POCKET) is not None
    return ours and any(is_a(table, unit, kind) for kind in COUNTED)


def steps_of(table: Table, units: Iterable[str]) -> int:
    return sum(table.position.steps_left(unit) for unit in units if counts(table, unit))


def at_start(data: Data, units: dict[str, int]) -> int:
    """The steps when the scenario begins: of the units given, with how many steps each has."""
    return sum(steps - data.start["lost"].get(unit, 0) for unit, steps in units.items() if unit in data.placed)


def counted(table: Table, case: str) -> Iterator[Fact]:
    """23.8: the pocket's steps as they are now."""
    steps = steps_of(table, combat_units(table))
    yield Counted(track=STEPS, value=steps, because=case, only=(GERMAN,))  # 4.4.4: how strong they are is a secret


def whole(table: Table) -> int:
    """23.8: what the share is of; against the steps at the start if the pocket could never have been declared."""
    said = table.position.tracks.get(STEPS)
    if said:
        return said
    own = [u for u in table.roster.by_side(GERMAN) if not u.of and counts(table, u.id)]
    return at_start(table.data, {unit.id: len(unit.steps) for unit in own})


def escaped(table: Table) -> list[str]:
    """16.5.3-p5: the units that got out by the Breakout."""
    return [u.id for u in table.roster.by_side(GERMAN) if table.position.where.get(u.id) == ESCAPED]


def out(table: Table) -> int:
    """23.8, 16.5.4-5: the steps that got out, or trace at any length to a source and share no hex with Soviets."""
    shared = standing(table, SOVIET)
    there = (u for u in combat_units(table) if not shared >> place(table, u) & 1 and not cut_off(table, u))
    return steps_of(table, escaped(table)) + steps_of(table, there)


def share(table: Table) -> int:
    """In hundredths, rounded down; replacements may have made more of them than there were."""
    return min(100, 100 * out(table) // max(1, whole(table)))
