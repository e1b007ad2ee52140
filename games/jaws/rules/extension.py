"""Extended divisions (4.7): one division in two hexes with one chit. What all other rules ask about it."""

from collections.abc import Iterable

from engine import hexset
from engine.hexset import HexSet
from engine.rules.ground import place
from engine.table import kept_for_good, kept_while_still
from games.jaws.data import Table

EXTENSION = "extension"
IN_STEP = "in step"  # 4.7.1-6: the game's mark: both halves move as one, and neither joins the other
FROZEN = "frozen strength"  # 4.7.2-5: what a half has in each of two combats, as it was before both


@kept_for_good
def markers(table: Table) -> dict[str, str]:
    """The Extended marker of every division that has one."""
    return {unit.of: unit.id for unit in table.roster if EXTENSION in unit.classes}


def is_marker(table: Table, unit: str) -> bool:
    return EXTENSION in table.unit(unit).classes


def body(table: Table, unit: str) -> str:
    """4.7.2-1: the counter with the chit: a marker's division; anybody else is his own."""
    row = table.unit(unit)
    return row.of if EXTENSION in row.classes else unit


def twin(table: Table, unit: str) -> str:
    """The other half of an extended division; empty if it is not extended."""
    return twins(table).get(unit, "") if unit in extendable(table) else ""


@kept_while_still()
def twins(table: Table) -> dict[str, str]:
    """Both halves of every extended division, each with the other."""
    laid, found = table.position.present(_marker_set(table)), dict[str, str]()
    for marker in sorted(laid):
        division = table.unit(marker).of
        if table.position.hex_of(division) is not None:
            found |= {division: marker, marker: division}
    return found


@kept_for_good
def extendable(table: Table) -> frozenset[str]:
    """All who can ever be a half: the divisions that have a marker, and the markers."""
    return frozenset(each for pair in markers(table).items() for each in pair)


@kept_for_good
def _marker_set(table: Table) -> frozenset[str]:
    return frozenset(markers(table).values())


def halves(table: Table, units: Iterable[str]) -> list[str]:
    """These units, and the other halves of those that are extended."""
    return list(dict.fromkeys(each for unit in units for each in (unit, twin(table, unit)) if each))


def chits(table: Table, units: Iterable[str]) -> list[str]:
    """These units, and the divisions whose markers are among them: who shows the one shows the other's strength."""
    return list(dict.fromkeys(each for unit in units for each in (unit, body(table, unit))))


def is_half(table: Table, unit: str) -> bool:
    """A marker is one wherever the division's counter lies, which the enemy may not see (11.3)."""
    return is_marker(table, unit) or bool(twin(table, unit))


def steps(table: Table, unit: str) -> int:
    """4.7.2-1: the steps that a unit has in its hex: of an extended division half, the odd one with the parent."""
    if unit not in extendable(table):
        return table.position.steps_left(unit)
    left = table.position.steps_left(body(table, unit))
    if not is_half(table, unit):
        return left
    return left // 2 if is_marker(table, unit) else left - left // 2


def half(table: Table, unit: str, strength: int) -> int:
    """4.7.2-1: of an extended division each half has half the strength, rounded up; 4.7.2-5: as it was before."""
    said = table.position.mark(unit, FROZEN)
    if said is not None:
        return int(said)
    return -(-strength // 2) if is_half(table, unit) else strength


def leash(table: Table, units: Iterable[str]) -> HexSet:
    """4.7-p1: the hexes that units may be in, so that no half leaves the other's side."""
    units, found = tuple(units), table.data.land
    for unit in units:
        other = twin(table, unit)
        if other and other not in units:
            found &= hexset.within(table.grid, 1 << place(table, other), 1)
    return found
