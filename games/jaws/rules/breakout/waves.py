"""The staged Breakout (16.5.3): four waves, each stack up to four hexes, through the Soviets if it must."""

from collections.abc import Generator, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from engine import hexset
from engine.asks import Ask, Procedure, Step
from engine.facts import Fact, Halted, Marked, Moved, Noted, Placed, Told
from engine.hexes import Hex
from engine.orders.choice import Choice, Given, gather
from engine.orders.order import Order
from engine.refusals import Illegal, passes
from engine.rules.ground import number, path_numbers, place
from games.jaws.data import GERMAN, SOVIET, Table
from games.jaws.orders.breakout import BreakOut
from games.jaws.orders.turn import End
from games.jaws.rules.allowance import ALARM_UP
from games.jaws.rules.breakout.combat import assault
from games.jaws.rules.breakout.room import crush
from games.jaws.rules.collapse import tried
from games.jaws.rules.combat.battle import alive, could_step
from games.jaws.rules.displacement import displaced
from games.jaws.rules.ground import passed
from games.jaws.rules.korsun import POCKET
from games.jaws.rules.mines import FOOT, GUN, crossed, field_entered, meets, mined
from games.jaws.rules.pocket import ESCAPED, gruppe, relief
from games.jaws.rules.recovery import silenced
from games.jaws.rules.units import attack_capable, standing, units_in

WAVE = "wave"  # 16.5.3-a: a unit's mark
STEP = "breakout step"  # the game's mark: which part of the phase has begun
BROKE = "broken out"  # 16.5.3-p3: a unit's mark: the hexes that it has gone, all of them when its move is over


def assigned(table: Table) -> Iterator[Fact]:
    """16.5.3-a: by the hexes between a unit and the nearest German that is not pocketed."""
    limits, there = table.data.tables["breakout"]["waves"], relief(table)
    rings = [hexset.within(table.grid, there, far) if there else 0 for far in limits]
    for unit in gruppe(table):
        inside = [n for n, ring in enumerate(rings, 1) if ring >> place(table, unit) & 1]
        yield Noted(subject=unit, mark=WAVE, value=min(inside, default=len(limits) + 1), because="16.5.3-a")


def gone(table: Table, unit: str) -> int:
    return int(table.position.mark(unit, BROKE) or 0)


def stack_in(table: Table, h: Hex, wave: int) -> tuple[str, ...]:
    """16.5.3-p1: the units of the wave in a hex that move together: those under way, or those that have not moved."""
    most = table.data.tables["breakout"]["hexes"]
    units = [unit for unit in units_in(table, h, GERMAN) if table.position.mark(unit, WAVE) == wave]
    units = [unit for unit in units if gone(table, unit) < most and table.position.mark(unit, ALARM_UP) is None]
    return tuple([unit for unit in units if gone(table, unit)] or units)


def left_to(table: Table, units: Sequence[str]) -> int:
    return table.data.tables["breakout"]["hexes"] - max(gone(table, unit) for unit in units)


# What is legal


def check_step(table: Table, units: Sequence[str], here: Hex, there: Hex) -> None:
    """16.5.3-p3: neither zones nor cost are asked for, but what bars the ground does. Raises Illegal."""
    spot = number(table, there)
    if table.grid.direction(here, there) is None:
        raise Illegal("16.5.3-p3", f"{number(table, here)} and {spot} do not touch", at=spot)
    for unit in units:
        if not could_step(table, unit, here, there):
            raise Illegal("16.5.3-p3", f"the ground does not let {unit} into {spot}", unit=unit, at=spot)
        if meets(table, unit) == GUN and mined(table, here, there):
            raise Illegal("15.3.2-M4", f"{unit} may not move across the minefield into {spot}", unit=unit, at=spot)
    if standing(table, SOVIET) >> there & 1 and not any(attack_capable(table, unit) for unit in units):
        raise Illegal("12.2", f"nobody of {', '.join(units)} can attack the Soviets in {spot}", at=spot)


def _check_end(table: Table, units: Sequence[str], end: Hex) -> None:
    """16.5.3-a: no stack over-stacks; who gets out stacks with nobody. Raises Illegal."""
    if relief(table) >> end & 1:
        return
    stay = [unit for unit in units_in(table, end, GERMAN) if unit not in units]
    if (broken := crush(table, [*stay, *units], end)) is not None:
        raise Illegal(broken.case, f"{number(table, end)} would be too full: {broken.problem}", at=number(table, end))


def check_path(table: Table, wave: int, order: BreakOut) -> None:
    """Raises Illegal."""
    start = table.grid.hex(order.at)
    units = stack_in(table, start, wave)
    if not units:
        waiting = [number(table, h) for h in stacks(table, wave)]
        raise Illegal("16.5.3-a", f"no stack of wave {wave} that may still move is in {order.at}", at=order.at,
                      instead="There are in", alternatives=waiting)  # fmt: skip
    path = [start, *(table.grid.hex(spot) for spot in order.hexes)]
    if len(path) - 1 > left_to(table, units):
        raise Illegal("16.5.3-p3", f"the stack in {order.at} may go {left_to(table, units)} hexes, not {len(path) - 1}",
                      at=order.hexes[-1])  # fmt: skip
    out, halted = relief(table), False
    for behind, (here, there) in enumerate(pairwise(path)):
        if halted:
            raise Illegal("15.3.2-M2", f"the stack halts in the minefield in {number(table, here)}",
                          at=number(table, here))  # fmt: skip
        if behind and out >> here & 1:
            raise Illegal("16.5.3-p5", f"who comes to {number(table, here)} is out, and goes no farther",
                          at=number(table, here))  # fmt: skip
        check_step(table, units, here, there)
        halted = _halts(table, units, here, there)
    _check_end(table, units, path[-1])


def _halts(table: Table, units: Sequence[str], here: Hex, there: Hex) -> bool:
    """15.3.2-M2"""
    return field_entered(table, here, there) and any(meets(table, unit) == FOOT for unit in units)


def _steps(table: Table, wave: int, at: str, way: tuple[str, ...]) -> list[str]:
    """The hexes that a way may go on to."""
    here = table.grid.hex(way[-1] if way else at)
    units = stack_in(table, table.grid.hex(at), wave)
    if len(way) >= left_to(table, units) or (way and relief(table) >> here & 1):
        return []
    near = [h for h in table.grid.neighbours(here) if passes(check_step, table, units, here, h)]
    if len(way) and _halts(table, units, table.grid.hex(way[-2] if len(way) > 1 else at), here):
        return []
    return sorted(number(table, h) for h in near if number(table, h) not in (at, *way))


def _reaches(table: Table, wave: int, at: str, way: tuple[str, ...]) -> bool:
    """Whether a way begun so can end somewhere."""
    if way and passes(check_path, table, wave, BreakOut(at=at, hexes=way)):
        return True
    return any(_reaches(table, wave, at, (*way, spot)) for spot in _steps(table, wave, at, way))


def stacks(table: Table, wave: int) -> list[Hex]:
    """The hexes with a stack of the wave that has hexes left."""
    units = [unit for unit in gruppe(table) if table.position.mark(unit, WAVE) == wave]
    return [h for h in sorted({place(table, unit) for unit in units}) if stack_in(table, h, wave)]


def choices(table: Table, wave: int) -> list[Choice]:
    found = []
    for h in stacks(table, wave):
        spot = number(table, h)

        def onward(given: Given, spot: str = spot) -> list[str]:
            way = tuple(given.get("hexes", ()))
            return [h for h in _steps(table, wave, spot, way) if _reaches(table, wave, spot, (*way, h))]

        if onward({}):
            found.append(gather(BreakOut, "hexes", onward, partial(check_path, table, wave), at=spot))
    return found


# What happens


def wave_of(table: Table, wave: int) -> Procedure:
    """16.5.3-p1, -p2: stack after stack, in the order that the Germans like."""
    while choices(table.seen_by(GERMAN), wave):
        order = yield _ask(table, wave)
        if isinstance(order, End):
            break
        yield from _closed(table, stack_in(table, table.grid.hex(order.at), wave))
        yield from _led(table, order, wave)
    yield from _closed(table, ())


def _closed(table: Table, units: Sequence[str]) -> Iterator[Fact]:
    """16.5.3-p1: a stack that was under way has moved when another begins."""
    most = table.data.tables["breakout"]["hexes"]
    for unit in gruppe(table):
        if unit not in units and 0 < gone(table, unit) < most:
            yield Noted(subject=unit, mark=BROKE, value=most, because="16.5.3-p1")


def _led(table: Table, order: BreakOut, wave: int) -> Generator[Step, Any, None]:
    """16.5.3-p3: hex by hex; after an attack, or stopped on its way, the stack may be led on by another order, else it
    has moved."""
    most, goes_on = table.data.tables["breakout"]["hexes"], False
    units = list(stack_in(table, table.grid.hex(order.at), wave))
    for spot in order.hexes:
        here, there = place(table, units[0]), table.grid.hex(spot)
        try:
            check_step(table, units, here, there)  # losses may have left nobody who can attack
            yield from tried(table, units, here, there)
            check_step(table, units, here, there)  # 18.3-p2
        except Illegal as refusal:
            yield Halted(unit=units[0], at=number(table, here), why=refusal.problem, because=refusal.case)
            goes_on = True
            break
        goes_on = bool(standing(table, SOVIET) >> there & 1)
        yield from _entered(table, units, here, there)
        units = alive(table, tuple(units))
        if goes_on and any(attack_capable(table, unit) for unit in units):
            yield from assault(table, units, there, wave)
            units = alive(table, tuple(units))
        if not units:
            return
        if not standing(table, SOVIET) >> there & 1:
            yield from passed(table, GERMAN, (here, there))
    for unit in units:
        if not goes_on and table.position.hex_of(unit) is not None:
            yield Noted(subject=unit, mark=BROKE, value=most, because="16.5.3-p1")


def _entered(table: Table, units: Sequence[str], here: Hex, there: Hex) -> Generator[Step, Any, None]:
    """One step of a stack; 16.5.3-p5: who comes to a German that is not pocketed is out."""
    out = relief(table)
    for unit in units:
        yield Moved(unit=unit, path=path_numbers(table, (here, there)), how="break out", because="16.5.3-p3")
        yield Noted(subject=unit, mark=BROKE, value=gone(table, unit) + 1, because="16.5.3-p3")
        yield from silenced(table, unit)
    yield from crossed(table, units, here, there, halts=False)
    yield from displaced(table, SOVIET, there)
    if out >> there & 1:
        for unit in alive(table, tuple(units)):
            yield from _escaped(table, unit)


def _escaped(table: Table, unit: str) -> Iterator[Fact]:
    spot = number(table, place(table, unit))
    for mark in dict(table.position.marks.get(unit, {})):
        if mark != POCKET:
            kind = Noted if mark in table.position.noted else Marked
            yield kind(subject=unit, mark=mark, value=None, because="16.5.3-p5")
    yield Placed(unit=unit, at=ESCAPED, because="16.5.3-p5")
    yield Told(text=f"{unit} has got out at {spot}.", because="16.5.3-p5")


# The ask


def _ask(table: Table, wave: int) -> Ask:
    seen = table.seen_by(GERMAN)
    spots = ", ".join(number(table, h) for h in stacks(seen, wave))

    def check(order: Order) -> None:
        if isinstance(order, BreakOut):
            check_path(seen, wave, order)

    return Ask(
        side=GERMAN,
        name="breakout",
        subject=f"wave {wave}",
        prompt=f"wave {wave} of the Breakout: lead the stacks of {spots} out, one after another; `end` closes the wave",
        verbs=(BreakOut, End),
        check=check,
        offers=lambda: [Choice(End), *choices(seen, wave)],
        default=End,
        case="16.5.3-a",
        top=True,
        course="breakout",
    )
