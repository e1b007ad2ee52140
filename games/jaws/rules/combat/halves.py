"""Extended divisions in combat (4.7.2): how their halves advance, retreat and come together."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from engine import hexset
from engine.asks import Step
from engine.facts import Fact, Noted
from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.ground import number, place
from engine.rules.retreat import Way
from games.jaws.data import Table
from games.jaws.rules.combat.battle import FELL_BACK
from games.jaws.rules.extension import body, is_marker, markers, twin
from games.jaws.rules.joining import rejoined
from games.jaws.rules.units import is_cadre

# Advance (4.7-p2)


def fresh_markers(table: Table, units: Sequence[str]) -> list[str]:
    """The Extended markers of advancing divisions, which may go in their stead; 4.7: no cadre's."""
    able = [unit for unit in units if unit in markers(table) and table.position.hex_of(unit) is not None]
    return [markers(table)[unit] for unit in able if not twin(table, unit) and not is_cadre(table, unit)]


def check_halves(table: Table, chosen: Mapping[str, tuple[Hex, ...]]) -> None:
    """4.7-p2: a division stays where its marker leaves it; no half leaves the other's side. Raises Illegal."""
    for unit in chosen:
        division = body(table, unit)
        marker = markers(table).get(division, "")
        fresh = is_marker(table, unit) and table.position.hex_of(unit) is None
        if fresh and division in chosen:
            raise Illegal("4.7-p2", f"{division} stays where it is if its marker advances", unit=division,
                          instead=f"Send {division} or {unit}")  # fmt: skip
        if not fresh and not twin(table, unit):
            continue
        ends = [chosen[half][-1] if half in chosen else place(table, half) for half in (division, marker)
                if half in chosen or table.position.hex_of(half) is not None]  # fmt: skip
        if len(ends) > 1 and table.grid.distance(*ends) > 1:
            raise Illegal("4.7-p1", f"{division} and {marker} would not be beside each other", unit=unit,
                          at=number(table, chosen[unit][-1]), instead="Keep them beside each other")  # fmt: skip


def closed_up(table: Table, units: Sequence[str], case: str) -> Iterator[Fact]:
    """Halves that have come into one hex are one unit; who stood there has not fallen back (12.3.1-2)."""
    for unit in units:
        other = twin(table, unit)
        if other and table.position.hex_of(unit) == table.position.hex_of(other):
            both = all(table.position.mark(half, FELL_BACK) is not None for half in (unit, other))
            division = body(table, unit)
            yield from rejoined(table, division, place(table, division), case)
            if not both and table.position.mark(division, FELL_BACK) is not None:
                yield Noted(subject=division, mark=FELL_BACK, value=None, because="12.3.1-2")


# Retreat (4.7.2-6)


def beside(table: Table, unit: str, ways: list[Way]) -> list[Way]:
    """The ways that keep a half beside the other; into the other's hex only if nothing else is left."""
    other = twin(table, unit)
    if not other:
        return ways
    there = place(table, other)
    near = hexset.within(table.grid, 1 << there, 1)
    apart = [way for way in ways if near >> way[-1] & 1 and there not in way]
    return apart or [way for way in ways if way[-1] == there]


def drawn_together(
    table: Table, units: Sequence[str], leaving: frozenset[Hex]
) -> Generator[Step, Any, tuple[Hex, ...]]:
    """4.7.2-7: a breakthrough against halves: each joins in the other's hex, or in the attacked one if that is left
    too; gives the others' hexes if those in them must retreat as well."""
    found = dict[Hex, None]()
    for unit in units:
        other = twin(table, unit)
        if not other:
            continue
        here, there = place(table, unit), place(table, other)
        alone = there not in leaving
        yield from rejoined(table, body(table, unit), there if alone else here, "4.7.2-7")
        if alone:
            found[there] = None
    return tuple(found)
