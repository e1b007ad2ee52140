"""The one move of an isolated korps (16.2-p4): up to two hexes toward its hexes, whatever zones there are."""

from collections.abc import Callable, Generator
from itertools import pairwise
from typing import Any

from engine import hexset
from engine.asks import Step
from engine.facts import Moved, Noted
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import numbers, path_numbers, place
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.supply import FallBack
from games.jaws.rules.collapse import as_far
from games.jaws.rules.combat.battle import could_step
from games.jaws.rules.displacement import displaced
from games.jaws.rules.flipping import visited
from games.jaws.rules.ground import passed
from games.jaws.rules.mines import FOOT, GUN, crossed, field_entered, meets, mined
from games.jaws.rules.recovery import silenced
from games.jaws.rules.units import standing
from games.jaws.rules.wading import waded

FELL = "fell back two"  # who has made the move


def _ways(table: Table, unit: str, toward: HexSet) -> dict[Hex, tuple[Hex, ...]]:
    """Where a unit may end, with its way: every hex nearer than the last to one of those it goes toward; of several
    ways one over the fewest minefields."""
    start, free = place(table, unit), table.data.land & ~standing(table, SOVIET)
    far, found = table.grid.distance, dict[Hex, tuple[Hex, ...]]()
    for goal in hexset.members(toward):
        for way in ((start,), *[(start, h) for h in table.grid.neighbours(start)]):
            if len(way) > 1 and not _nearer(table, unit, way, goal, free):
                continue
            for there in table.grid.neighbours(way[-1]):
                steps = (*way, there)
                if not _nearer(table, unit, steps, goal, free) or far(there, goal) >= far(start, goal):
                    continue
                if there not in found or _fields_on(table, steps) < _fields_on(table, found[there]):
                    found[there] = steps
    return found


def _fields_on(table: Table, way: tuple[Hex, ...]) -> int:
    return sum(mined(table, *step) for step in pairwise(way))


def _nearer(table: Table, unit: str, way: tuple[Hex, ...], goal: Hex, free: HexSet) -> bool:
    """Whether the last step of a way leads nearer to a hex, over ground that the unit can go over."""
    here, there = way[-2:]
    nearer = table.grid.distance(there, goal) < table.grid.distance(here, goal)
    open_ = bool(free >> there & 1) and could_step(table, unit, here, there)
    return nearer and open_ and not _mines_bar(table, unit, way)


def _mines_bar(table: Table, unit: str, way: tuple[Hex, ...]) -> bool:
    """15.3.2-M2, -M4: guns do not cross a minefield hexside, and infantry halts in the field."""
    met = meets(table, unit)
    halted = len(way) > 2 and met == FOOT and field_entered(table, *way[-3:-1])
    return halted or (met == GUN and mined(table, *way[-2:]))


def falls_back_to(table: Table, unit: str, toward: HexSet) -> list[str]:
    """The hexes that a unit may fall back to now, full ones too (11.0-a); none once it has."""
    if table.position.mark(unit, FELL) is not None:
        return []
    return numbers(table, hexset.of(_ways(table, unit, toward)))


def check_fall_back(table: Table, unit: str, to: str, toward: HexSet) -> None:
    """Raises Illegal."""
    if table.unit(unit).side != GERMAN or table.position.hex_of(unit) is None:
        raise Illegal("16.2-p4", f"{unit} is not yours on the map", unit=unit)
    spots = falls_back_to(table, unit, toward)
    if to not in spots:
        raise Illegal("16.2-p4", f"{unit} may not fall back to {to}", unit=unit, at=to, instead="It may to",
                      alternatives=spots)  # fmt: skip


def fall_back(table: Table, order: FallBack, havens: Callable[[str], HexSet]) -> Generator[Step, Any, None]:
    """One unit after another, hex by hex: mines and SDMs (13.2.4) do not wait for the second; `havens` gives what each
    goes toward."""
    there = table.grid.hex(order.to)
    for unit in order.units:
        for step in pairwise(_ways(table, unit, havens(unit)).get(there, ())):
            gone = table.position.hex_of(unit) is None
            if gone or len((yield from as_far(table, (unit,), step))) < 2:
                break
            yield Noted(subject=unit, mark=FELL, because="16.2-p4")
            yield Moved(unit=unit, path=path_numbers(table, step), how="fall back", because="16.2-p4")
            yield from passed(table, GERMAN, step)
            yield from visited(table, GERMAN, (unit,), step)
            yield from waded(table, unit, step)
            yield from crossed(table, (unit,), *step, halts=False)
            yield from displaced(table, SOVIET, step[1])
        if table.position.hex_of(unit) is not None:
            yield from silenced(table, unit)
