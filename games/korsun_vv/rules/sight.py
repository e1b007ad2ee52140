"""Fog of war (11, optional): what a side sees of enemy stacks, as one layer around the whole of play."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from engine import hexset
from engine.asks import Ask, Procedure, Step
from engine.facts import Eliminated, Fact, LostSight, Marked, Moved, Noted, Placed, StepGained, StepLost, Wiped
from engine.hexes import Hex
from engine.refusals import Illegal
from engine.rules.ground import held, number, place, units_at
from engine.rules.sight import sighted
from engine.view import view
from games.korsun_vv.data import Table
from games.korsun_vv.names import GERMAN, RUSSIAN, TOP
from games.korsun_vv.orders import Top
from games.korsun_vv.rules.ground import alive, enemy_zoc, fighters, units_of

SHOWING = (Moved, Placed, Eliminated, StepLost, StepGained, Wiped)


def check_top(table: Table, side: str, order: Top) -> None:
    """11.2. Raises Illegal."""
    if table.unit(order.unit).side != side or table.position.hex_of(order.unit) is None:
        stacks = [units_at(table, h, side) for h in hexset.members(held(table, side))]
        able = [unit for stack in stacks if len(stack) > 1 for unit in stack]
        raise Illegal("11.2", f"{order.unit} is no unit of yours on the map", unit=order.unit,
                      instead="Your units in stacks", alternatives=able)  # fmt: skip


def set_top(table: Table, order: Top) -> Iterator[Fact]:
    spot = number(table, place(table, order.unit))
    yield Noted(subject=f"@{spot}", mark=TOP, value=order.unit, because="11.2")


def visible(table: Table, side: str) -> set[str]:
    """11.1: the enemy units a side may look at: the top of a stack, all of it in its zones or in combat."""
    enemy, found = table.enemy(side), set[str]()
    for h in hexset.members(held(table, enemy)):
        stack = table.position.at(h)
        if len(stack) == 1 or lies_open(table, side, h):
            found.update(stack)
        else:
            top = _marks(table, h).get(TOP)
            found.add(str(top) if top in stack else (fighters(table, stack) or stack)[0])
    return found


def lies_open(table: Table, side: str, h: Hex) -> bool:
    """11.1: in combat, or in a zone of the side that no breakthrough of the enemy's cancels (7.8-b)."""
    return bool(enemy_zoc(table, table.enemy(side)) >> h & 1) or "fighting" in _marks(table, h)


def _marks(table: Table, h: Hex) -> Mapping[str, int | str]:
    return table.position.marks.get(f"@{number(table, h)}", {})


def seen(table: Table, unit: str, by: str) -> bool:
    """Whether a side's view has the unit where it is."""
    return view(table.position, by).where.get(unit) == table.position.where.get(unit)


def look(table: Table) -> Iterator[Fact]:
    """What came into sight or went out of it."""
    position = table.position
    for side in (RUSSIAN, GERMAN):
        now, known = visible(table, side), view(position, side)
        for unit in alive(table, units_of(table.roster, table.enemy(side))):
            if unit in now and known.where.get(unit) != position.where[unit]:
                yield sighted(table, unit, side, "11.1")
            elif unit not in now and known.hex_of(unit) is not None:
                yield LostSight(unit=unit, by=side, because="11.1", only=(side,))


def veiled(table: Table, play: Procedure) -> Procedure:
    """Play as it is, but for whom its facts and answers are."""
    value: Any = None
    if not table.position.views:
        yield from look(table)
    while True:
        try:
            step: Step = play.send(value)
        except StopIteration:
            return
        value = None
        if isinstance(step, Fact):
            yield _veil(table, step)
            if isinstance(step, SHOWING) or (isinstance(step, Marked) and step.subject.startswith("@")):
                yield from look(table)
        elif isinstance(step, Ask):
            value = yield replace(step, hidden=True)
        else:
            value = yield step


def _veil(table: Table, fact: Fact) -> Fact:
    """What happens to a unit that the enemy does not see is its owner's business."""
    unit = getattr(fact, "unit", "") or getattr(fact, "subject", "")
    if fact.only is not None or unit not in table.roster:
        return fact
    side = table.unit(unit).side
    on_map = table.position.hex_of(unit) is not None
    shown = seen(table, unit, table.enemy(side)) if on_map else _arrives_open(table, unit, fact)
    return fact if shown else fact.model_copy(update={"only": (side,)})


def _arrives_open(table: Table, unit: str, fact: Fact) -> bool:
    """Whoever is put under another counter as he comes onto the map is not seen coming."""
    if not isinstance(fact, Placed | Moved):
        return True
    after = table.suppose([fact])
    return after.position.hex_of(unit) is None or unit in visible(after, table.enemy(table.unit(unit).side))
