"""One way walked hex by hex (9.0, 10.0): where it is blocked, by which case, and what could be reached instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.refusals import Illegal
from engine.rules.ground import crosses, is_a, number, numbers, place
from engine.rules.marks import game_mark
from engine.rules.movement import Exits, cost_of_step
from engine.table import kept, kept_while_side_still
from games.jaws.data import SIXTH, Table
from games.jaws.rules.allowance import CLOSED, STRATEGIC, How, allowance, check_may_move, moving, spent, under_way
from games.jaws.rules.boundary import allowed, check_end
from games.jaws.rules.escorts import check_escorts
from games.jaws.rules.extension import IN_STEP, twin
from games.jaws.rules.fords import may_ford
from games.jaws.rules.front_line import check_line, may_leave
from games.jaws.rules.ground import BRIDGE, FORD, MINES, bridged, bridges_by, open_fords
from games.jaws.rules.mines import ARMOR, FOOT, GUN, field_entered, meets, mined
from games.jaws.rules.partisans import lair
from games.jaws.rules.reach import (
    BARRED,
    crossing,
    fords,
    gait,
    gaits,
    halting,
    into_mines,
    layers,
    limit,
    near_enemy,
    one_hex,
    reachable,
    steps,
    stopping,
    straight_in,
    tether,
    uneven_way,
    wades,
    ways_of,
)
from games.jaws.rules.units import attack_capable, attackers, going, needs_guard, standing, units_in
from games.jaws.rules.zones import over_rivers, projectors, zones


@dataclass(frozen=True)
class Walk:
    """A way that was checked: what each unit has spent at its end, and who went from ZOC to ZOC."""

    path: tuple[Hex, ...]
    spent: dict[str, int]
    crossed: bool  # 10.3: somewhere from an enemy ZOC into another
    waded: bool  # 9.2.1-1: over a river without a bridge


def plan(
    table: Table, side: str, units: tuple[str, ...], to: str, via: tuple[str, ...], how: How, ends: bool = True
) -> Walk:
    """The way of units that stand together, named or the cheapest, checked step by step; unless it `ends` there, they
    go on from its last hex. Raises Illegal."""
    walk = _way(table, side, units, to, via, how)
    if ends:
        check_stop(table, side, units, walk.path[-1])
    return walk


@kept
def _way(table: Table, side: str, units: tuple[str, ...], to: str, via: tuple[str, ...], how: How) -> Walk:
    start = place(table, units[0])
    for unit in units:
        check_may_move(table, side, unit, how)
    check_begun(table, units)
    check_slower(table, units, how)
    check_escorts(table, dict.fromkeys(units, to))
    target = table.grid.hex(to)
    if target == start and not via:
        raise Illegal("9.0-a", f"{', '.join(units)} stand in {to} already", at=to)
    if how in STRATEGIC and near_enemy(table, side) >> start & 1:
        raise _too_near(table, start)
    stops = [start, *(table.grid.hex(h) for h in via)]
    stops = stops[1:] if stops[1:2] == [start] else stops  # who names the hex he comes from
    stops += [target] if stops[-1] != target else []
    path = [start]
    named = bool(via) and all(table.grid.direction(a, b) is not None for a, b in pairwise(stops))
    for here, there in pairwise(stops):  # who names every hex walks by them and no others
        path += [there] if named else _leg(table, side, units, how, here, there)[1:]
    return _walked(_as_known(table, side), side, units, tuple(path), how)


def _as_known(table: Table, side: str) -> Table:
    """What a side sees, if all that a way rests on lies open to it, as it mostly does (10.2): a way that was walked
    when it was checked is not walked again when it is gone."""
    seen, enemy = table.seen_by(side), table.enemy(side)
    return seen if seen is not table and _rests_on(seen, enemy) == _rests_on(table, enemy) else table


@kept
def _rests_on(table: Table, enemy: str) -> tuple[object, ...]:
    """All that a way rests on but for the walkers themselves: the enemy, what lies on hexsides, whose move is open."""
    laid = tuple(bridges_by(table, mark) for mark in (BRIDGE, MINES, FORD))
    return standing(table, enemy), projectors(table, enemy), laid, moving(table)


def check_begun(table: Table, units: Sequence[str]) -> None:
    """9.0-a, 9.9.4: whoever has spent points takes along nobody who has spent none; 4.5.4: but the Shermans of a
    division, whose move is open with its own. Raises Illegal."""
    begun = [unit for unit in units if spent(table, unit)]
    fresh = [unit for unit in units if unit not in begun and unit not in moving(table)]
    if begun and fresh:
        raise Illegal("9.0-a", f"{begun[0]} has begun to move without {fresh[0]}, and goes on without it",
                      unit=fresh[0], instead=f"Finish the move of {begun[0]} first")  # fmt: skip


def check_slower(table: Table, units: Sequence[str], how: How) -> None:
    """9.9.4: whoever moved in a stack does not go on after a slower one of it has stopped. Raises Illegal."""
    if game_mark(table, IN_STEP):
        return
    open_ = [unit for unit in moving(table) if table.position.hex_of(unit) == place(table, units[0])]
    for unit in (unit for unit in units if unit in open_):
        stack = [u for u in open_ if u not in units and u != twin(table, unit)]
        slower = [u for u in stack if allowance(table, u, how) < allowance(table, unit, how)]
        if slower:
            raise Illegal("9.9.4", f"{unit} moved in a stack with {slower[0]}, which is slower and has stopped",
                          unit=unit, instead=f"Move {slower[0]} with it")  # fmt: skip


def _leg(table: Table, side: str, units: tuple[str, ...], how: How, here: Hex, there: Hex) -> list[Hex]:
    """The cheapest way between two stops; neighbours without one are walked, so that the walk says what is wrong."""
    enemy, by = table.enemy(side), gaits(table, units, how)
    exits, halt = ways_of(table, side, units, how), stopping(table, enemy, by)
    budget = max(0, limit(table, units, how))
    cheapest = hexset.reach(table.grid, 1 << here, exits, budget, halt, until=1 << there)
    found = hexset.path(table.grid, cheapest, exits, there, halt) or uneven_way(table, side, units, how, here, there)
    if found:
        return found
    if table.grid.direction(here, there) is not None:
        return [here, there]
    last = into_mines(table, side, units, how).get(there) if here == place(table, units[0]) else None
    if last is not None:
        return [*_leg(table, side, units, how, here, last), there]
    _check_tether(table, side, units, there, how)
    raise _out_of_reach(table, side, units, there, how)


def _check_tether(table: Table, side: str, units: tuple[str, ...], there: Hex, how: How) -> None:
    """4.7-p1, 4.7.1-5: the halves of an extended division stay beside each other. Raises Illegal."""
    if (tether(table, units) | ~table.data.land) >> there & 1:
        return
    if not lair(table, units) >> there & 1:
        spot = number(table, there)
        raise Illegal("18.1.2", f"{units[0]} enters woods and forest alone: {spot}", unit=units[0], at=spot,
                      instead="In reach", alternatives=numbers(table, reachable(table, side, units, how)))  # fmt: skip
    unit = next(unit for unit in units if twin(table, unit) and not tether(table, (unit,)) >> there & 1)
    other, spot = twin(table, unit), number(table, there)
    open_ = numbers(table, reachable(table, side, units, how))
    if there == place(table, other):
        raise Illegal("4.7.1-5", f"{unit} may not recombine with {other} in {spot}, in the ZOC of two enemy hexes",
                      unit=unit, at=spot, instead="In reach", alternatives=open_)  # fmt: skip
    beside = number(table, place(table, other))
    raise Illegal("4.7-p1", f"{unit} stays beside {other}, which is in {beside}: {spot} is not", unit=unit, at=spot,
                  instead="In reach", alternatives=open_)  # fmt: skip


class Footing(NamedTuple):
    """What every step of a walk is held against, the same for all of them."""

    exits: dict[str, Exits]  # what steps cost, by unit
    taken: HexSet  # where the enemy stands
    near: HexSet  # 9.4.2: too near to him for strategic movement
    tether: HexSet
    straight: list[HexSet]  # 4.7.1-5: whence not into the other half's hex, by direction


def _footing(table: Table, side: str, units: tuple[str, ...], how: How) -> Footing:
    enemy = table.enemy(side)
    exits = {unit: steps(table, enemy, gait(table, unit, units, how)) for unit in units}
    near = near_enemy(table, side) if how in STRATEGIC else 0
    return Footing(exits, standing(table, enemy), near, tether(table, units), straight_in(table, units))


@kept
def _walked(table: Table, side: str, units: tuple[str, ...], path: tuple[Hex, ...], how: How) -> Walk:
    """Every unit pays for every step. Raises Illegal."""
    enemy = table.enemy(side)
    if len(path) == 2 and wading(table, *path) and not _fording(table, units, how, *path):
        return _waded(table, side, units, path, how)
    strong, halt = zones(table, enemy)[0], halting(table, enemy, gaits(table, units, how))
    footing, rivers = _footing(table, side, units, how), table.data.sides("river")
    totals = {unit: spent(table, unit) for unit in units}
    fresh, crossed, most = not any(totals.values()), False, limit(table, units, how)
    for index, (here, there) in enumerate(pairwise(path)):
        costs = _paid(table, side, footing, how, here, there)
        if halt >> here & 1 and (index or under_way(table, units)):
            stopped = next(u for u in units if crossing(table, u, units) == BARRED)
            raise Illegal("10.3.1", f"{stopped} stops on entering an enemy ZOC: {number(table, here)}", unit=stopped,
                          at=number(table, here))  # fmt: skip
        if index and field_entered(table, path[index - 1], here) and any(meets(table, u) == FOOT for u in units):
            stopped = next(unit for unit in units if meets(table, unit) == FOOT)
            raise Illegal("15.3.2-M2", f"{stopped} halts in the minefield in {number(table, here)}", unit=stopped,
                          at=number(table, here))  # fmt: skip
        if strong >> there & 1 and not crossed:
            leaving = strong | (over_rivers(table, enemy) if crosses(table, rivers, here, there) else 0)
            crossed = bool(leaving >> here & 1)
        for unit, cost in costs.items():
            totals[unit] += cost
        if max(totals.values()) > most:
            if len(path) == 2 and fresh and one_hex(table, side, units, how) >> there & 1:
                return Walk(path, dict.fromkeys(units, CLOSED), crossed, False)  # 9.9.2
            if index == len(path) - 2 and max(_unmined(table, totals, here, there).values()) <= most:
                return Walk(path, dict.fromkeys(units, CLOSED), crossed, False)  # 15.3.2-M1
            raise _unpaid(table, side, units, there, how, totals, most)
    return Walk(path, totals, crossed, False)


def _unmined(table: Table, totals: dict[str, int], here: Hex, there: Hex) -> dict[str, int]:
    """15.3.2-M1: what units have spent but for the points that armor pays to go on from a minefield hexside."""
    more = table.data.tables["movement"]["minefield"]["armor"] * SIXTH if mined(table, here, there) else 0
    return {unit: total - more * (meets(table, unit) == ARMOR) for unit, total in totals.items()}


def wading(table: Table, here: Hex, there: Hex) -> bool:
    """Whether a step crosses a river where no bridge stands."""
    rivers = crosses(table, table.data.sides("river"), here, there)
    return rivers and not crosses(table, bridged(table, BRIDGE), here, there)


def _fording(table: Table, units: tuple[str, ...], how: How, here: Hex, there: Hex) -> bool:
    """18.6: whether a ford serves them all."""
    return all(crosses(table, gait(table, unit, units, how).fords, here, there) for unit in units)


def _why_wet(table: Table, unit: str, here: Hex, there: Hex) -> str:
    """The case that keeps a unit from crossing a river without a bridge; 18.6-p4: or at a ford."""
    if crosses(table, open_fords(table, table.unit(unit).side), here, there) and not may_ford(table, unit):
        return "18.6-p4"
    return "9.2.1-3" if is_a(table, unit, "armor") else "9.2.1-4"


def _waded(table: Table, side: str, units: tuple[str, ...], path: Sequence[Hex], how: How) -> Walk:
    """9.2.1: over an unbridged river, with the whole allowance. Raises Illegal."""
    here, there = path
    spot = number(table, there)
    if standing(table, table.enemy(side)) >> there & 1:
        raise Illegal("9.10.4", f"enemy units stand in {spot}", at=spot)
    for unit in units:
        if not wades(table, unit):
            case = _why_wet(table, unit, here, there)
            raise Illegal(case, f"{unit} may not cross a river without a bridge into {spot}", unit=unit, at=spot)
    if any(spent(table, unit) for unit in units) or how in STRATEGIC:
        raise Illegal("9.2.1-1", f"crossing the river into {spot} takes the whole allowance", at=spot)
    if not fords(table, side, units, how) >> there & 1:
        barred = next(u for u in units if crossing(table, u, units) == BARRED)
        raise Illegal(
            "10.6.2-1", f"{barred} may not go from ZOC to ZOC over the river into {spot}", unit=barred, at=spot
        )
    strong, enemy = zones(table, table.enemy(side))[0], table.enemy(side)
    crossed = bool((strong | over_rivers(table, enemy)) >> here & strong >> there & 1)
    return Walk((here, there), dict.fromkeys(units, CLOSED), crossed, True)


def _paid(table: Table, side: str, footing: Footing, how: How, here: Hex, there: Hex) -> dict[str, int]:
    """What a step costs every unit that takes it. Raises Illegal."""
    units, spot = tuple(footing.exits), number(table, there)
    if table.grid.direction(here, there) is None:
        raise Illegal("9.0-a", f"{number(table, here)} and {spot} do not touch", at=spot)
    if not table.data.land >> there & 1:
        case = "10.6.3" if table.board.kinds.get(there) == "left bank" else "9.10.5"
        raise Illegal(case, f"{spot} is not in play", at=spot)
    if crosses(table, table.data.shut, here, there):
        raise Illegal("9.2.3", f"nobody crosses the water between {number(table, here)} and {spot}", at=spot)
    if footing.taken >> there & 1:
        raise Illegal("9.10.4", f"enemy units stand in {spot}", at=spot)
    if footing.near >> there & 1:
        raise _too_near(table, there)
    if not footing.tether >> there & 1:
        _check_tether(table, side, units, there, how)
    if any(sides >> here & 1 and table.grid.neighbour(here, d) == there for d, sides in enumerate(footing.straight)):
        raise Illegal("4.7.1-5", f"no half comes straight from ZOC to ZOC into the other's hex, {spot}", unit=units[0],
                      at=spot)  # fmt: skip
    costs = {}
    for unit, exits in footing.exits.items():
        cost = cost_of_step(exits, table.grid, here, there)
        if cost is None:
            raise _barred(table, side, units, unit, here, there)
        costs[unit] = cost
    return costs


def _barred(table: Table, side: str, units: tuple[str, ...], unit: str, here: Hex, there: Hex) -> Illegal:
    """Why a unit may not take a step that leads to open ground."""
    spot, enemy = number(table, there), table.enemy(side)
    if wading(table, here, there):
        case = "9.2.1-1" if wades(table, unit) else _why_wet(table, unit, here, there)
        return Illegal(case, f"{unit} may not cross the river into {spot} without a bridge in the course of a move",
                       unit=unit, at=spot)  # fmt: skip
    heavy = is_a(table, unit, "pz5") or is_a(table, unit, "pz6")
    if heavy and crosses(table, bridged(table, BRIDGE), here, there):
        return Illegal("15.2.4-a", f"a K bridge does not carry {unit} into {spot}", unit=unit, at=spot)
    strong = zones(table, enemy)[0]
    if meets(table, unit) == GUN and mined(table, here, there):
        return Illegal("15.3.2-M4", f"{unit} may not move across the minefield into {spot}", unit=unit, at=spot)
    if strong >> there & 1 and crossing(table, unit, units) == BARRED:
        case = "10.3.1" if side == "soviet" else "10.3.2-3"
        return Illegal(case, f"{unit} may not go from ZOC to ZOC, into {spot}", unit=unit, at=spot)
    kind = "swamp" if crosses(table, table.data.sides("swamp"), here, there) else table.board.kinds[there]
    return Illegal(
        "9.2.3", f"{unit} may not enter {spot} from {number(table, here)} but by road: {kind}", unit=unit, at=spot
    )


def may_stop(table: Table, side: str, units: Sequence[str]) -> HexSet:
    """9.10.2: guns and bracketed engineers end next to an enemy only with a friend who can attack; 22.1, 22.11: and
    nobody where the line or his Front forbids it."""
    free = allowed(table, side, units, place(table, units[0])) & may_leave(table, side, units)
    if not _weak(table, units):
        return free
    return free & (~hexset.spread(table.grid, standing(table, table.enemy(side))) | guarded(table, side))


def _weak(table: Table, units: Sequence[str]) -> bool:
    """9.10.2: whether guns or bracketed engineers are among them, and nobody who can attack."""
    return any(needs_guard(table, unit) for unit in units) and not any(attack_capable(table, unit) for unit in units)


@kept_while_side_still()
def guarded(table: Table, side: str) -> HexSet:
    """The hexes with a unit that can attack."""
    return hexset.of({place(table, unit) for unit in table.position.present(attackers(table, side))})


def check_stop(table: Table, side: str, units: Sequence[str], end: Hex, friends: Sequence[str] = ()) -> None:
    """9.10.2: whether units may stop in a hex, to which these friends come too; 22.1, 22.11: and whether the line or
    their Front lets them. Raises Illegal."""
    check_end(table, side, units, place(table, units[0]), end)
    check_line(table, side, units, end)
    if not _weak(table, units) or any(attack_capable(table, unit) for unit in (*friends, *units_in(table, end, side))):
        return
    if hexset.spread(table.grid, 1 << end) & standing(table, table.enemy(side)):
        spot, gun = number(table, end), next(unit for unit in units if needs_guard(table, unit))
        raise Illegal("9.10.2", f"{gun} may stop next to an enemy only with a unit that can attack: {spot}", unit=gun,
                      at=spot)  # fmt: skip


def _too_near(table: Table, h: Hex) -> Illegal:
    least, spot = table.data.tables["movement"]["strategic"]["hexes"], number(table, h)
    return Illegal("9.4.2", f"strategic movement keeps {least} hexes away from enemy units: {spot}", at=spot)


def _unpaid(
    table: Table, side: str, units: tuple[str, ...], there: Hex, how: How, totals: dict[str, int], most: int
) -> Illegal:
    unit = max(units, key=totals.__getitem__)
    need, have = totals[unit] / SIXTH, most / SIXTH
    case = "9.9.4" if len(units) > 1 else "9.0-a"
    problem = f"{unit} would have spent {need:g} of {have:g} Movement Points in {number(table, there)}"
    if spent(table, unit) >= CLOSED:
        problem = f"{unit} goes no farther in this phase"
    reach = numbers(table, reachable(table, side, units, how))
    return Illegal(case, problem, unit=unit, at=number(table, there), instead="In reach", alternatives=reach)


def _out_of_reach(table: Table, side: str, units: tuple[str, ...], there: Hex, how: How) -> Illegal:
    """There is no way that can be paid: the hex itself may be closed."""
    spot = number(table, there)
    if standing(table, table.enemy(side)) >> there & 1:
        return Illegal("9.10.4", f"enemy units stand in {spot}", at=spot)
    if not table.data.land >> there & 1:
        return Illegal("9.10.5", f"{spot} is not in play", at=spot)
    if how in STRATEGIC and near_enemy(table, side) >> there & 1:
        return _too_near(table, there)
    reach = numbers(table, hexset.union(layers(table, side, units, how)) & ~(1 << place(table, units[0])))
    slow = min(units, key=lambda unit: (limit(table, (unit,), how), going(table, unit)))
    case = "9.9.4" if len(units) > 1 else "9.0-a"
    return Illegal(
        case, f"{spot} is out of reach for {slow}", unit=slow, at=spot, instead="In reach", alternatives=reach
    )
