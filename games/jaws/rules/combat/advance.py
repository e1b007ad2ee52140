"""Advance after combat (12.15, 12.16)."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from engine.asks import Ask, Step
from engine.facts import Halted, Moved
from engine.hexes import Hex
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.advance import advance_ask, ways_named, wrong_way
from engine.rules.ground import crosses, is_a, number, path_numbers, place
from engine.rules.retreat import Way
from engine.table import kept
from games.jaws.data import Table
from games.jaws.orders.combat import Advance, NoAdvance
from games.jaws.rules.boundary import allowed
from games.jaws.rules.bridges import threatened
from games.jaws.rules.collapse import as_far
from games.jaws.rules.combat.battle import alive, could_step
from games.jaws.rules.combat.halves import check_halves, closed_up, fresh_markers
from games.jaws.rules.displacement import exposed
from games.jaws.rules.escorts import check_escorts
from games.jaws.rules.extending import placed
from games.jaws.rules.extension import body
from games.jaws.rules.ground import BRIDGE, bridged, passed
from games.jaws.rules.march import arrived
from games.jaws.rules.mines import advanced
from games.jaws.rules.stacking import breach
from games.jaws.rules.units import attack_capable, standing, units_in, upset
from games.jaws.rules.wading import waded

Steps = tuple[Hex, ...]


@dataclass(frozen=True)
class Opening:
    """A vacated hex, who may go in, how far, and along which ways of retreat (none: everywhere)."""

    side: str
    units: tuple[str, ...]
    target: Hex
    length: int
    retreats: tuple[Way, ...]
    active: bool


def advance(table: Table, opening: Opening) -> Generator[Step, Any, list[str]]:
    """12.15: who goes in, alone or together; gives those who did."""
    units = (*alive(table, opening.units), *fresh_markers(table, opening.units))
    able = tuple(unit for unit in units if ways(table, opening, unit))
    if not able or standing(table, table.enemy(opening.side)) >> opening.target & 1:
        return []
    order = yield _ask(table, replace(opening, units=able))
    if isinstance(order, NoAdvance):
        return []
    gone = []
    for unit, steps in ways_named(table, opening.target, order).items():
        if table.position.hex_of(unit) is None:
            yield from placed(table, body(table, unit), "4.7-p2")
        if (yield from _goes(table, opening.side, unit, (place(table, unit), *steps))):
            gone.append(unit)
    yield from closed_up(table, gone, "4.7")
    return alive(table, tuple(gone))


def _goes(table: Table, side: str, unit: str, way: Steps) -> Generator[Step, Any, bool]:
    """A unit advances; gives whether it got anywhere. 13.2.4, 15.2.1-1: where an SDM must go back, or a bridge may be
    blown, it stands for a moment, and goes over none that is."""
    gone, enemy = False, table.enemy(side)
    halts = len(way) > 2 and bool(exposed(table, enemy, way[1]) or threatened(table, enemy, way[1]))
    for leg in (way[:2], way[1:]) if halts else (way,):
        open_ = leg if len(way) < 3 or leg[-1] != way[2] or _second(table, unit, *way) else leg[:-1]
        path = (yield from as_far(table, (unit,), open_)) if len(open_) > 1 else open_
        if len(path) > 1:
            gone = True
            yield Moved(unit=unit, path=path_numbers(table, path), how="advance", because="12.15")
            yield from passed(table, side, path)
            yield from waded(table, unit, path)
            for here, there in pairwise(path):
                yield from advanced(table, side, here, there)
            for h in path[1:]:
                yield from arrived(table, side, h)
        if len(path) < len(leg):
            why = f"no way is open into {number(table, leg[-1])}"
            yield Halted(unit=unit, at=number(table, path[-1]), why=why, because="12.16.3")
            break
    return gone


@kept
def ways(table: Table, opening: Opening, unit: str) -> list[Steps]:
    """Every way a unit may advance, stacking apart."""
    start, first = _start(table, unit), opening.target
    if not attack_capable(table, unit) or not could_step(table, unit, start, first):
        return []
    near = allowed(table, opening.side, (unit,), start)
    found: list[Steps] = [(first,)] if near >> first & 1 else []
    if opening.length < 2 or table.position.hex_of(unit) is None or upset(table, unit) or _stops(table, start, first):
        return found
    enemy = standing(table, table.enemy(opening.side))
    for there in table.grid.neighbours(first):
        if (
            there == start
            or not near >> there & 1
            or enemy >> there & 1
            or not _second(table, unit, start, first, there)
        ):
            continue
        if _free(table, opening, unit) or any(way[1:2] == (there,) for way in opening.retreats):
            found.append((first, there))
    return found


def _start(table: Table, unit: str) -> Hex:
    """Where a unit stands; 4.7-p2: a marker that is not laid yet, where its division does."""
    return place(table, body(table, unit) if table.position.hex_of(unit) is None else unit)


def _stops(table: Table, here: Hex, there: Hex) -> bool:
    """12.16: water, swamp, woods and forest without a road, and towns end an advance at the first hex."""
    data = table.data
    if any(crosses(table, data.sides(name), here, there) for name in ("river", "stream", "swamp")):
        return True
    return _wooded(table, there) or bool(data.towns >> there & 1)


def _second(table: Table, unit: str, start: Hex, here: Hex, there: Hex) -> bool:
    """Terrain; a river only as it may be; 12.16.4: no woods either without a road, and no town."""
    rivers = table.data.sides("river")
    if not could_step(table, unit, here, there) or _shuts(table, here, there):
        return False
    return not crosses(table, rivers, here, there) or _by_bridge(table, start, here, there)


def _by_bridge(table: Table, start: Hex, here: Hex, there: Hex) -> bool:
    """12.15.2-5, 12.16.3: over a river in the second step only by a bridge, and if the unit began beside the river."""
    rivers = table.data.sides("river")
    beside = any(crosses(table, rivers, start, bank) for bank in table.grid.neighbours(start))
    return beside and crosses(table, bridged(table, BRIDGE), here, there)


def _shuts(table: Table, here: Hex, there: Hex) -> bool:
    """12.16.4 to 12.16.6: what may be entered only as the first hex."""
    data = table.data
    return _wooded(table, there) or bool(data.towns >> there & 1) or crosses(table, data.sides("swamp"), here, there)


def _wooded(table: Table, h: Hex) -> bool:
    """12.16.4: woods or forest, and no road in the hex."""
    return table.board.kinds.get(h) in ("woods", "forest") and not table.data.road_hexes >> h & 1


def _free(table: Table, opening: Opening, unit: str) -> bool:
    """12.15.1-4, 12.15.3: nobody was left to follow; or armor, reconnaissance, mechanized infantry."""
    return not opening.retreats or any(is_a(table, unit, kind) for kind in ("armor", "recon", "mechanized"))


def _ask(table: Table, opening: Opening) -> Ask:
    seen, spot = table.seen_by(opening.side), number(table, opening.target)
    far = f", up to {opening.length} hexes" if opening.length > 1 else ""
    ask = advance_ask(
        seen, opening.side, opening.units, spot, (Advance, NoAdvance), partial(ways, seen, opening),
        partial(check, seen, opening), case="12.15", far=far,
    )  # fmt: skip
    return replace(ask, passable=opening.active)


def check(table: Table, opening: Opening, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, Advance):
        return
    chosen = ways_named(table, opening.target, order)
    for unit, steps in chosen.items():
        if unit not in opening.units:
            raise Illegal("12.15", f"{unit} may not advance into {number(table, opening.target)}", unit=unit,
                          instead="These may", alternatives=opening.units)  # fmt: skip
        if steps not in ways(table, opening, unit):
            raise wrong_way(table, unit, steps, ways(table, opening, unit), _reason(table, opening, unit, steps))
    check_escorts(table, chosen)
    check_halves(table, chosen)
    for h in {steps[-1] for steps in chosen.values()}:
        coming = [unit for unit, steps in chosen.items() if steps[-1] == h]
        stay = [unit for unit in units_in(table, h, opening.side) if unit not in chosen]
        if (broken := breach(table, opening.side, [*stay, *coming], h)) is not None:
            raise Illegal("12.15.2-4", f"{number(table, h)} would be too full: {broken.problem}", at=number(table, h),
                          instead="Leave out some of", alternatives=coming)  # fmt: skip


def _reason(table: Table, opening: Opening, unit: str, steps: Steps) -> str:
    """The case that bars a way."""
    here = _start(table, unit)
    if not allowed(table, opening.side, (unit,), here) >> steps[-1] & 1:
        return "22.11"
    if steps[0] != opening.target:
        return "12.15.1-3"
    if len(steps) > opening.length:
        return "12.15"
    if len(steps) < 2:
        return "12.15.2-2"
    if table.position.hex_of(unit) is None:
        return "4.7-p2"
    if upset(table, unit):
        return "12.17.2-6"
    data = table.data
    if crosses(table, data.sides("stream"), here, steps[0]):
        return "12.16.2"
    if crosses(table, data.sides("river"), here, steps[0]):
        return "12.16.3"
    if _stops(table, here, steps[0]) or _shuts(table, *steps):
        last = steps[0] if _stops(table, here, steps[0]) else steps[1]
        return (
            "12.16.6" if data.towns >> last & 1 else "12.16.4" if table.board.kinds.get(last) != "clear" else "12.16.5"
        )
    if not crosses(table, data.sides("river"), *steps):
        return "12.15"
    return "12.16.3" if crosses(table, bridged(table, BRIDGE), *steps) else "12.15.2-5"
