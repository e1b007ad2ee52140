"""Advance after combat (7.7.2)."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine.asks import Ask, Step
from engine.facts import Moved
from engine.hexes import Hex
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.advance import advance_ask, ways_named, wrong_way
from engine.rules.ground import crosses, held, number, path_numbers, place, units_at
from engine.rules.retreat import Way
from engine.table import kept
from games.korsun_vv.data import Table
from games.korsun_vv.orders import Advance, NoAdvance
from games.korsun_vv.rules.duty import freed
from games.korsun_vv.rules.ground import alive, barred_to, crowd, enemy_zoc, has_room, is_mech, is_mobile, open_to
from games.korsun_vv.rules.movement import first_surprise, took, uncover

Steps = tuple[Hex, ...]


@dataclass(frozen=True)
class Opening:
    """A vacated hex, who may go after the enemy, how far, and along which ways."""

    side: str
    units: tuple[str, ...]
    target: Hex
    length: int
    retreats: tuple[Way, ...]  # none: the enemy was eliminated, and every direction is open
    mandatory: bool


def advance(table: Table, opening: Opening) -> Generator[Step, Any, None]:
    """7.7.2-a, -e: units that took part; after a prepared attack at least one of them."""
    able = tuple(alive(table, opening.units))
    if not able:
        return
    order = yield _ask(table, replace(opening, units=able))
    if isinstance(order, NoAdvance):
        return
    for unit, wanted in ways_named(table, opening.target, order).items():
        steps = wanted[: first_surprise(table, opening.side, wanted) + 1]  # 7.7.2-c
        path = (place(table, unit), *steps)
        yield Moved(unit=unit, path=path_numbers(table, path), how="advance", because="7.7.2-a")
        yield from uncover(table, unit)
        yield from freed(table, unit)
        yield from took(table, opening.side, steps)


@kept
def ways(table: Table, opening: Opening, unit: str) -> list[Steps]:
    """Every way a unit may advance, stacking aside; into the vacated hex it could go, or it would not have attacked."""
    ground = open_to(table, unit)
    rivers = table.data.rivers
    start, first = place(table, unit), opening.target
    shut = held(table, table.enemy(opening.side)) | barred_to(table, unit)
    found: list[Steps] = [(first,)]
    if crosses(table, rivers, start, first):
        return found  # 7.7.2-f
    zones = enemy_zoc(table, opening.side)
    growing: list[Steps] = [(first,)]
    for _ in range(opening.length - 1):
        longer = []
        for way in growing:
            for there in table.grid.neighbours(way[-1]):
                if there in way or there == start or shut >> there & 1 or not crosses(table, ground, way[-1], there):
                    continue
                if not _follows(table, opening, unit, (*way, there)):
                    continue
                found.append((*way, there))
                if not zones >> there & 1 and not crosses(table, rivers, way[-1], there):  # 7.7.2-c, -f
                    longer.append((*way, there))
        growing = longer
    return found


def _follows(table: Table, opening: Opening, unit: str, way: Steps) -> bool:
    """7.7.2-b: armoured and mechanized units are free after the first hex; others keep to a retreat."""
    if is_mech(table, unit) or not opening.retreats:
        return True
    return any(retreat[: len(way)] == way for retreat in opening.retreats)


def _ask(table: Table, opening: Opening) -> Ask:
    seen = table.seen_by(opening.side)
    spot = number(table, opening.target)
    far = f", up to {opening.length} hexes" if opening.length > 1 else ""
    far += "; one of them must" if opening.mandatory else ""
    first = Advance(paths=((opening.units[0], (spot,)),)) if opening.mandatory else None  # who finds room
    allowed, reach = partial(check, seen, opening), partial(ways, seen, opening)
    orders = (Advance, NoAdvance)
    return advance_ask(
        seen, opening.side, opening.units, spot, orders, reach, allowed, case="7.7.2-a", far=far, must=first
    )


def check(table: Table, opening: Opening, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, Advance):
        if opening.mandatory:
            raise Illegal("7.7.2-e", "after a prepared attack at least one unit must advance",
                          at=number(table, opening.target), instead="One of", alternatives=opening.units)  # fmt: skip
        return
    chosen = ways_named(table, opening.target, order)
    for unit, steps in chosen.items():
        if unit not in opening.units:
            raise Illegal("7.7.2-a", f"{unit} may not advance into {number(table, opening.target)}", unit=unit,
                          instead="These may", alternatives=opening.units)  # fmt: skip
        if steps not in ways(table, opening, unit):
            case = _reason(table, opening, unit, steps)
            raise wrong_way(table, unit, steps, ways(table, opening, unit), case)
    _check_room(table, opening, chosen)


def _check_room(table: Table, opening: Opening, chosen: dict[str, Steps]) -> None:
    for h in {steps[-1] for steps in chosen.values()}:
        coming = [unit for unit, steps in chosen.items() if steps[-1] == h]
        spot = number(table, h)
        if not has_room(table, opening.side, h, coming, leaving=chosen):
            staying = [u for u in units_at(table, h, opening.side) if u not in chosen]
            raise Illegal("5-d", crowd(table, h, [*staying, *coming]), at=spot, instead="Leave out some of",
                          alternatives=coming)  # fmt: skip
        mobile = [unit for unit in coming if is_mobile(table, unit)]
        if table.data.difficult_roads >> h & 1 and len(mobile) > 1:
            raise Illegal("6.2-c", f"{spot} holds one mechanized unit", at=spot, instead="One of", alternatives=mobile)


def _reason(table: Table, opening: Opening, unit: str, steps: Sequence[Hex]) -> str:
    """The case that bars a way."""
    zones, before = enemy_zoc(table, opening.side), place(table, unit)
    for index, h in enumerate(steps[:-1]):
        if crosses(table, table.data.rivers, before, h):
            return "7.7.2-f"
        if index and zones >> h & 1:
            return "7.7.2-c"
        before = h
    return "7.7.2-a" if is_mech(table, unit) or len(steps) > opening.length else "7.7.2-b"
