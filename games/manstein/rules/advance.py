"""Advance after combat (10.7)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from engine.asks import Ask, Procedure
from engine.facts import Moved
from engine.hexes import Hex
from engine.orders.order import Order
from engine.orders.usual import NoAdvance
from engine.refusals import Illegal
from engine.rules.advance import advance_ask, ways_named, wrong_way
from engine.rules.ground import crosses, held, number, path_numbers, place, units_at
from engine.table import kept
from games.manstein.data import Table
from games.manstein.orders import Advance
from games.manstein.rules.crossings import entered
from games.manstein.rules.ground import crowd, has_room, is_hq, is_mech, touches


@dataclass(frozen=True)
class Opening:
    """A hex that was emptied, who attacked it, and who may go there: the HQs of their stacks too."""

    side: str
    attackers: tuple[str, ...]
    units: tuple[str, ...]
    target: Hex


Steps = tuple[Hex, ...]


def advance(table: Table, side: str, units: Sequence[str], target: Hex) -> Procedure:
    """10.7.1: whoever attacked may go into the emptied hex, mechanized units one further, HQs with their stack."""
    if table.position.at(target):
        return
    staffs = [hq for unit in units for hq in units_at(table, place(table, unit), side) if is_hq(table, hq)]
    found = Opening(side, tuple(units), tuple(dict.fromkeys([*units, *staffs])), target)
    order = yield _ask(table, found)
    if isinstance(order, NoAdvance):
        return
    for unit, steps in ways_named(table, found.target, order).items():
        path = (place(table, unit), *steps)
        yield Moved(unit=unit, path=path_numbers(table, path), how="advance", because="10.7.1")
        yield from entered(table, unit, steps)


@kept
def ways(table: Table, found: Opening, unit: str) -> list[Steps]:
    """10.7.3, 10.7.5: every way a unit may advance, stacking aside; for an HQ those of its stack."""
    start, first = place(table, unit), found.target
    results: list[Steps] = [(first,)]
    if is_hq(table, unit):
        led = [way for mate in _stack(table, found, unit) for way in ways(table, found, mate)]
        return list(dict.fromkeys([*results, *led]))
    figures = table.data.tables["combat"]["advance"]
    furthest = figures["mech"] if is_mech(table, unit) else figures["hexes"]
    if furthest < 2 or crosses(table, table.data.unbridged_major, start, first):
        return results
    enemy = held(table, table.enemy(found.side))
    for second in table.grid.neighbours(first):
        if enemy >> second & 1 or not table.data.passable >> second & 1:
            continue
        if touches(table, first, second) and not crosses(table, table.data.unbridged_major, first, second):
            results.append((first, second))
    return results


def _stack(table: Table, found: Opening, hq: str) -> list[str]:
    """The attackers with whom an HQ may advance."""
    return [unit for unit in found.attackers if unit != hq and place(table, unit) == place(table, hq)]


def _ask(table: Table, found: Opening) -> Ask:
    seen = table.seen_by(found.side)
    spot = number(table, found.target)
    check, reach = partial(_check, seen, found), partial(ways, seen, found)
    return advance_ask(seen, found.side, found.units, spot, (Advance, NoAdvance), reach, check, case="10.7.1")


def _check(table: Table, found: Opening, order: Order) -> None:
    if not isinstance(order, Advance):
        return
    chosen = ways_named(table, found.target, order)
    for unit, steps in chosen.items():
        if unit not in found.units:
            raise Illegal("10.7.1", f"{unit} did not attack {number(table, found.target)}", unit=unit,
                          instead="These may advance", alternatives=found.units)  # fmt: skip
        if steps not in ways(table, found, unit):
            case, why = _why_not(table, found, unit, steps)
            raise wrong_way(table, unit, steps, ways(table, found, unit), case, f": {why}")
        alone = unit in found.attackers and len(steps) == 1  # 10.7.4
        leads = [chosen[mate][: len(steps)] == steps for mate in _stack(table, found, unit) if mate in chosen]
        if is_hq(table, unit) and not alone and not any(leads):
            raise Illegal("10.7.1", f"{unit} goes with its stack, and no further than they do", unit=unit,
                          instead="With", alternatives=_stack(table, found, unit))  # fmt: skip
    for h in {steps[-1] for steps in chosen.values()}:
        coming = [unit for unit, steps in chosen.items() if steps[-1] == h]
        if not has_room(table, found.side, h, coming, leaving=chosen):
            staying = [u for u in units_at(table, h, found.side) if u not in chosen]
            raise Illegal("10.7.6", crowd(table, h, [*staying, *coming]), at=number(table, h))


def _why_not(table: Table, found: Opening, unit: str, steps: Steps) -> tuple[str, str]:
    """The case that a way breaks, and in words what is wrong with it."""
    start, last = place(table, unit), number(table, steps[-1])
    if not is_mech(table, unit):
        return "10.7.1", "only mechanized units go a second hex"
    if len(steps) > 2:
        return "10.7.1", "nobody goes a third hex"
    if steps[0] != found.target:
        return "10.7.3", f"the first hex is {number(table, found.target)}"
    if crosses(table, table.data.unbridged_major, start, steps[0]):
        return "10.7.5", "it has crossed a major river without a bridge, and stops behind it"
    if crosses(table, table.data.unbridged_major, *steps):
        return "10.7.5", "there is no bridge over the major river, and it is not the first hex"
    if held(table, table.enemy(found.side)) >> steps[-1] & 1:
        return "10.7.3", f"the enemy is in {last}"
    return "10.7.3", f"there is no way into {last} from {number(table, found.target)}"
