"""Overrun (6.0): an attack in the middle of movement."""

from collections.abc import Sequence

from engine import hexset
from engine.asks import Procedure
from engine.facts import Eliminated, Fact, Marked, Moved, Noted
from engine.forecast import Forecast
from engine.hexes import Hex
from engine.orders.choice import Choice, whole
from engine.refusals import Illegal, passes
from engine.rules.ground import held, is_a, number, path_numbers, place, units_at
from engine.table import kept
from games.korsun_spi.data import HALF, Table
from games.korsun_spi.orders import Air, Overrun
from games.korsun_spi.rules import odds as reckoning
from games.korsun_spi.rules.allowance import allowance, check_may_move, left, moved_as_one, spent
from games.korsun_spi.rules.command import charge, coordinators
from games.korsun_spi.rules.fight import Fight, fought
from games.korsun_spi.rules.ground import SOVIET, crosses_major, is_hq, touches
from games.korsun_spi.rules.leaving import onward
from games.korsun_spi.rules.limits import allowed_area, check_limit
from games.korsun_spi.rules.movement import began, close_move, go, open_move, passed_towns
from games.korsun_spi.rules.reach import reachable
from games.korsun_spi.rules.results import Outcome
from games.korsun_spi.rules.strength import overrun_total
from games.korsun_spi.rules.untried import reveal
from games.korsun_spi.rules.walking import Walk, walk


@kept
def check_overrun(table: Table, side: str, order: Overrun) -> tuple[Walk | None, list[str]]:
    """The approach, if there is one, and the HQs that run the overrun. Raises Illegal."""
    start = _check_party(table, side, order.units)
    target = table.grid.hex(order.target)
    if not units_at(table, target, table.enemy(side)):
        raise Illegal("6.14", f"there is nobody to overrun in {order.target}", at=order.target)
    if any(isinstance(clause, Air) for clause in order.clauses):
        raise Illegal("14.15", "Air Points help in attacks, never in overruns", at=order.target)
    approach = _approach(table, side, order, start)
    launch = approach.path[-1] if approach else start
    _check_launch(table, side, order.units, launch, target)
    price = table.data.cost("overrun")
    totals = {unit: price + (approach.spent[unit] if approach else spent(table, unit)) for unit in order.units}
    for unit, total in totals.items():
        have = allowance(table, unit) - total + price
        if have < price:
            problem = f"{unit} has {max(have, 0) / HALF:g} Movement Points left and an overrun costs {price / HALF:g}"
            raise Illegal("6.0", problem, unit=unit, at=number(table, launch))
    _check_way_back(table, side, totals, target)
    return approach, coordinators(table, order.units, order.by, lambda unit: commanded_at_start(table, unit))


def _check_way_back(table: Table, side: str, totals: dict[str, int], target: Hex) -> None:
    """21.15: whoever leaves his area can be back by the phase's end if the hex is cleared. Raises Illegal."""
    areas = {unit: allowed_area(table, unit) for unit in totals}
    outside = [unit for unit, area in areas.items() if area is not None and not area >> target & 1]
    if not outside:
        return
    spot = number(table, target)
    happened: list[Fact] = [Eliminated(unit=unit, at=spot) for unit in units_at(table, target, table.enemy(side))]
    for unit, total in totals.items():
        happened.append(Moved(unit=unit, path=(spot,)))
        happened.append(Noted(subject=unit, mark="spent", value=total))
    then = table.suppose(happened)
    lost = [unit for unit in outside if not reachable(then, side, (unit,), onward(then, (unit,))) & (areas[unit] or 0)]
    check_limit(table, lost, target)


def _approach(table: Table, side: str, order: Overrun, start: Hex) -> Walk | None:
    """The way to the launch hex, where the units stay if they fail: 21.15 holds there too. Raises Illegal."""
    if not order.via:
        return None
    path = [start, *(h for h in map(table.grid.hex, order.via) if h != start)]
    way = walk(table, side, order.units, path, onward(table, order.units))
    check_limit(table, order.units, way.path[-1])
    return way


def commanded_at_start(table: Table, unit: str) -> list[str]:
    """23.14: the active HQs that had a line to the unit when the phase began, if they are still there."""
    hqs = str(table.position.mark(unit, "command") or "").split()
    return [hq for hq in hqs if table.position.hex_of(hq) is not None]


def _check_party(table: Table, side: str, units: Sequence[str]) -> Hex:
    """6.13: several units overrun as one if they began the phase in one hex and nobody has moved by itself."""
    begun = [unit for unit in units if table.position.mark(unit, "spent") is not None]
    spots = {table.position.where.get(unit) for unit in units}
    entered = any(table.position.mark(unit, "placed") is not None for unit in units)
    if len(spots) > 1 or (len(units) > 1 and (entered or (begun and not moved_as_one(table, units)))):
        problem = f"{', '.join(units)} have not been together since the phase began"
        raise Illegal("6.13", problem, unit=(begun or list(units))[0], instead="Overrun with one of them alone")
    start = check_may_move(table, side, units)
    for unit in units:
        _check_unit(table, side, unit)
    return start


def _check_unit(table: Table, side: str, unit: str) -> None:
    if is_hq(table, unit):
        raise Illegal("19.4", f"{unit} is an HQ and overruns nobody", unit=unit)
    if side == SOVIET and not is_a(table, unit, "mech"):
        raise Illegal("19.4", f"{unit} is not mechanised: Soviet rifle units overrun nobody", unit=unit)
    if table.position.mark(unit, "unsupplied") is not None:
        raise Illegal("6.12", f"{unit} was out of supply when the phase began", unit=unit)
    if table.position.mark(unit, "unfed") is not None:
        raise Illegal("6.12", f"{unit} had no active HQ that was in supply when the phase began", unit=unit)
    if table.position.mark(unit, "heavy") == "under":
        raise Illegal("25.31", f"{unit} has left its heavy equipment and may not attack", unit=unit)


def _check_launch(table: Table, side: str, units: Sequence[str], launch: Hex, target: Hex) -> None:
    spot = number(table, target)
    if not touches(table, launch, target):
        raise Illegal("6.0", f"{number(table, launch)} is not next to {spot}", at=spot)
    if crosses_major(table, launch, target):
        raise Illegal("10.13-c", f"no overrun across a major river into {spot}", at=spot)
    others = [unit for unit in units_at(table, launch, side) if unit not in units]
    idle = [unit for unit in others if not is_hq(table, unit)]
    if idle:
        where = number(table, launch)
        raise Illegal("6.17", f"{', '.join(idle)} in {where} would stand by while {', '.join(units)} overrun", at=where,
                      instead="Overrun with everybody in the hex, or from another hex")  # fmt: skip


def overrun(table: Table, side: str, order: Overrun) -> Procedure:
    """6.0: pay, roll, the defender's result, the overrunners', then in or no further."""
    approach, hqs = check_overrun(table, side, order)
    target = table.grid.hex(order.target)
    if approach is not None:
        yield from go(table, side, order.units, approach, "move", "5.0")
    yield from _pay(table, order.units)
    yield from charge(table, hqs)
    launch = place(table, order.units[0])
    bystanders = [unit for unit in units_at(table, launch, side) if unit not in order.units]
    units = yield from reveal(table, list(order.units))
    stack = units_at(table, target, table.enemy(side))
    defenders = yield from reveal(table, stack)
    fled = [unit for unit in stack if is_hq(table, unit) and unit not in defenders]
    attacked = Outcome()
    if units and defenders:
        odds = reckoning.odds(table, overrun_total(table, units), [target], units)
        fight = Fight("overrun", side, units, defenders, [target], bystanders)
        result, defended, attacked = yield from fought(table, fight, odds)
        if result != "eng":
            yield from _disrupt(table, defended, defenders)
    # 11.23: an HQ that was sent back is not followed.
    if units and not attacked.hurt and not fled and not units_at(table, target, table.enemy(side)):
        yield from _enter(table, side, units, target)
    else:
        yield from close_move(table, units)


def _pay(table: Table, units: Sequence[str]) -> Procedure:
    for unit in units:
        yield from began(table, unit)
        total = spent(table, unit) + table.data.cost("overrun")
        yield Noted(subject=unit, mark="spent", value=total, because="6.0")
    yield from open_move(table, units)


def _disrupt(table: Table, defended: Outcome, defenders: Sequence[str]) -> Procedure:
    """6.31: defenders who lost a step or retreated; an engaged result disrupts nobody."""
    if not defended.hurt:
        return
    for unit in defenders:
        if table.position.hex_of(unit) is None or table.position.mark(unit, "disrupted") is not None:
            continue
        loser_only = table.data.switch["disruption"] == "losing unit" and not defended.ways
        if not loser_only or unit in defended.losers:
            yield Marked(subject=unit, mark="disrupted", because="6.31")


def _enter(table: Table, side: str, units: Sequence[str], target: Hex) -> Procedure:
    """6.24: they must go in, at no cost; then they may go on, together or each by itself."""
    path = path_numbers(table, (place(table, units[0]), target))
    for unit in units:
        yield Moved(unit=unit, path=path, how="overrun", because="6.24")
    yield from open_move(table, units)
    if len(units) > 1:
        yield Noted(subject="game", mark="together", value=" ".join(units), because="6.24")
    yield from passed_towns(table, side, [target])


def overrun_choices(table: Table, side: str) -> list[Choice]:
    """Overruns by everybody who is no HQ in a hex next to an enemy now."""
    found = []
    enemy, price = held(table, table.enemy(side)), table.data.cost("overrun")
    for h in hexset.members(hexset.spread(table.grid, enemy) & held(table, side)):
        units = tuple(unit for unit in units_at(table, h, side) if not is_hq(table, unit))
        rested = bool(units) and all(left(table, unit) >= price for unit in units)
        if rested and passes(_check_party, table, side, units):
            near = [number(table, target) for target in table.grid.neighbours(h) if enemy >> target & 1]
            orders = [Overrun(target=spot, units=units) for spot in near]
            found += [whole(order) for order in orders if passes(check_overrun, table, side, order)]
    return found


def forecast(table: Table, side: str, order: Overrun) -> Forecast:
    """What an overrun would come to. Raises Illegal."""
    approach, _ = check_overrun(table, side, order)
    target = table.grid.hex(order.target)
    if approach is not None:
        path = path_numbers(table, approach.path)
        table = table.suppose([Moved(unit=unit, path=path) for unit in order.units])
    defenders = units_at(table, target, table.enemy(side))

    def reckon(then: Table, units: list[str]) -> reckoning.Odds:
        return reckoning.odds(then, overrun_total(then, units), [target], units)

    return reckoning.forecast(table, "overrun of", [target], order.units, defenders, reckon)
