"""The one-hex move (16.5.2): every unit of Gruppe Stemmermann may step once, whatever zones there are."""

from collections.abc import Generator
from typing import Any

from engine import hexset
from engine.asks import Step
from engine.facts import Moved, Noted
from engine.hexes import Hex
from engine.orders.choice import Choice, pick
from engine.refusals import Illegal, passes
from engine.rules.ground import number, numbers, path_numbers, place
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.breakout import Shift
from games.jaws.rules.allowance import ALARM_UP
from games.jaws.rules.breakout.room import crush
from games.jaws.rules.collapse import as_far
from games.jaws.rules.combat.battle import could_step
from games.jaws.rules.displacement import displaced
from games.jaws.rules.ground import passed
from games.jaws.rules.korsun import POCKET
from games.jaws.rules.mines import GUN, crossed, meets, mined
from games.jaws.rules.pocket import gruppe
from games.jaws.rules.recovery import silenced
from games.jaws.rules.units import standing, units_in

SHIFTED = "shifted"  # a unit's mark: it has made the move


def steps_to(table: Table, unit: str) -> list[Hex]:
    """Where the ground lets a unit go, stacking apart: into no Soviet hex; no gun through mines (15.3.2-M4)."""
    here, enemy = place(table, unit), standing(table, SOVIET)
    near = [h for h in table.grid.neighbours(here) if not enemy >> h & 1 and could_step(table, unit, here, h)]
    return [h for h in near if not (meets(table, unit) == GUN and mined(table, here, h))]


def able(table: Table) -> list[str]:
    """Those that have not moved yet."""
    units = [unit for unit in gruppe(table) if table.position.mark(unit, SHIFTED) is None]
    return [unit for unit in units if table.position.mark(unit, ALARM_UP) is None]


def goes_on(table: Table) -> bool:
    """Whether somebody may still step, be it only by trading places with others."""
    return any(steps_to(table, unit) for unit in able(table))


def _check_unit(table: Table, unit: str, path: tuple[str, ...]) -> None:
    """Raises Illegal."""
    if table.unit(unit).side != GERMAN or table.position.hex_of(unit) is None:
        raise Illegal("16.5.2", f"{unit} is not yours on the map", unit=unit)
    if table.position.mark(unit, POCKET) is None:
        raise Illegal("16.5", f"{unit} is not of Gruppe Stemmermann", unit=unit)
    if unit not in able(table):
        raise Illegal("16.5.2", f"{unit} has moved, or may not move at all", unit=unit)
    there = [table.grid.hex(spot) for spot in path]
    if len(there) != 1 or there[0] not in steps_to(table, unit):
        spots = numbers(table, hexset.of(steps_to(table, unit)))
        raise Illegal("16.5.2", f"{unit} may not go to {' '.join(path)}: it moves one hex, into none with Soviets",
                      unit=unit, at=path[-1] if path else "", instead="It may go to",
                      alternatives=spots)  # fmt: skip


def check(table: Table, order: Shift) -> None:
    """All that step together, and the hexes that they leave and enter as they are then. Raises Illegal."""
    going = dict(order.paths)
    if len(going) < len(order.paths):
        raise Illegal("16.5.2", "a unit is named twice")
    for unit, path in going.items():
        _check_unit(table, unit, path)
    ends = {unit: table.grid.hex(path[0]) for unit, path in going.items()}
    for h in dict.fromkeys(ends.values()):
        stay = [unit for unit in units_in(table, h, GERMAN) if unit not in ends]
        come = [unit for unit, end in ends.items() if end == h]
        if (broken := crush(table, [*stay, *come], h)) is not None:
            raise Illegal(broken.case, f"{number(table, h)} would be too full: {broken.problem}", at=number(table, h),
                          instead="Let others step out of it first, or in the same order")  # fmt: skip


def shift(table: Table, order: Shift) -> Generator[Step, Any, None]:
    """16.5.2: they step, all of the order at once; 18.3-p2: not over a bridge that breaks."""
    for unit, (spot,) in order.paths:
        path = yield from as_far(table, (unit,), (place(table, unit), table.grid.hex(spot)))
        if len(path) < 2:
            continue
        yield Moved(unit=unit, path=path_numbers(table, path), how="shift", because="16.5.2")
        yield Noted(subject=unit, mark=SHIFTED, because="16.5.2")
        yield from passed(table, GERMAN, path)
        yield from silenced(table, unit)
        yield from crossed(table, (unit,), *path, halts=False)
        yield from displaced(table, SOVIET, path[1])


def choices(table: Table) -> list[Choice]:
    """One unit at a time; several in one order, who trade places, is for those who write."""
    found = []
    for unit in able(table):

        def reach(unit: str = unit) -> list[tuple[str, tuple[str, ...]]]:
            ways = [(unit, (spot,)) for spot in numbers(table, hexset.of(steps_to(table, unit)))]
            return [way for way in ways if passes(check, table, Shift(paths=(way,)))]

        if reach():
            found.append(pick(Shift, "paths", reach))
    return found


def relief(table: Table) -> Shift | None:
    """A step out of a hex that is too full, into one that is not; None if there is none."""
    movers = able(table)
    for h in dict.fromkeys(place(table, unit) for unit in movers):
        stack = units_in(table, h, GERMAN)
        if crush(table, stack, h) is None:
            continue
        for unit in (unit for unit in stack if unit in movers):
            for there in steps_to(table, unit):
                order = Shift(paths=((unit, (number(table, there),)),))
                if passes(check, table, order):
                    return order
    return None


def check_end(table: Table) -> None:
    """16.5.2: normal limits at the end of the move, where they can be kept. Raises Illegal."""
    if (order := relief(table)) is not None:
        unit = order.paths[0][0]
        spot = number(table, place(table, unit))
        raise Illegal("16.5.2", f"{spot} is too full", at=spot, instead=f"It can be put right, as by `{order.line()}`")
