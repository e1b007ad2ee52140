"""Movement (6.0): units one after another, their action points spent as they need them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import pairwise
from operator import and_

from engine import hexset
from engine.facts import Fact, Halted, Moved, TookHex
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.orders.choice import Choice, pick
from engine.refusals import Illegal
from engine.rules.ground import held, number, numbers, path_numbers, place, units_at
from engine.table import kept
from games.korsun_vv.data import HALF, MOBILE, Table
from games.korsun_vv.names import DISORGANIZED, DUG_IN
from games.korsun_vv.orders import Move
from games.korsun_vv.rules.duty import answerable, binds, freed, owe, owed_to
from games.korsun_vv.rules.ground import alive, crowd, enemy_zoc, full_hexes, has_room, kind_of, set_mark, together
from games.korsun_vv.rules.points import bill, check_acting, left, spend, stride
from games.korsun_vv.rules.reach import Barred, cheapest, destinations, hindrance, purse, reachable, step


@dataclass(frozen=True)
class Walk:
    """A way that was checked, and what it costs in half points."""

    path: tuple[Hex, ...]
    spent: int


@kept
def plan(table: Table, unit: str, to: Hex, via: tuple[Hex, ...]) -> Walk:
    """The way to a hex, named or the cheapest, checked step by step. Raises Illegal."""
    start = place(table, unit)
    if to == start and not via:
        raise Illegal("6.1-a", f"{unit} is in {number(table, to)} already", unit=unit, at=number(table, to))
    if via:
        return _walk(table, unit, [*([] if via[0] == start else [start]), *via, *([] if via[-1] == to else [to])])
    if not reachable(table, unit) >> to & 1:
        raise _out_of_reach(table, unit, to)
    path, spent = cheapest(table, unit, to)
    return Walk(tuple(path), spent)


def _walk(table: Table, unit: str, path: Sequence[Hex]) -> Walk:
    """Checks a way hex by hex. Raises Illegal."""
    zones, spent, have = enemy_zoc(table, table.unit(unit).side), 0, purse(table, unit)
    for index, (here, there) in enumerate(pairwise(path)):
        spot = number(table, there)
        if table.grid.direction(here, there) is None:
            raise Illegal("6.1-a", f"{number(table, here)} and {spot} do not touch: name every hex", unit=unit, at=spot)
        if index and zones >> here & 1:
            raise Illegal("4.2-a", f"{unit} must stop in {number(table, here)}, an enemy zone of control", unit=unit,
                          at=number(table, here), instead="It may go on from there by another move")  # fmt: skip
        cost = step(table, unit, here, there)
        if isinstance(cost, Barred):
            raise Illegal(cost.case, f"{unit} may not enter {spot}: {cost.why}", unit=unit, at=spot,
                          instead="It can reach", alternatives=numbers(table, destinations(table, unit)))  # fmt: skip
        spent += cost
        if spent > have.whole:
            problem = f"{unit} has {points(have.whole)} movement points and needs {points(spent)} as far as {spot}"
            raise Illegal("6.1-a", problem, unit=unit, at=spot, instead="It can reach",
                          alternatives=numbers(table, reachable(table, unit)))  # fmt: skip
    if owed_to(table, unit) and (spent > have.kept or not answerable(table, unit, path[-1])):
        raise _owes(table, unit)
    if binds(table, table.unit(unit).side) >> path[-1] & 1 and spent > have.kept:
        raise _no_point_left(table, unit, path[-1])
    return Walk(tuple(path), spent)


def _owes(table: Table, unit: str) -> Illegal:
    """4.2-b: it may go on to another enemy, with a point left for him, but not away."""
    spot = number(table, place(table, unit))
    problem = f"{unit} has entered an enemy zone of control in {spot} and must attack before it goes away"
    lines = [f"attack {number(table, h)} with {unit}" for h in owed_to(table, unit)]
    lines += [f"move {unit} to {number(table, h)}" for h in hexset.members(destinations(table, unit))]
    return Illegal("4.2-b", problem, unit=unit, at=spot, instead="For instance", alternatives=lines)


def _no_point_left(table: Table, unit: str, to: Hex) -> Illegal:
    spot = number(table, to)
    problem = f"{unit} would have to attack from {spot} and could not"
    return Illegal("4.2-c", problem, unit=unit, at=spot, instead="It can reach",
                   alternatives=numbers(table, destinations(table, unit)))  # fmt: skip


def _out_of_reach(table: Table, unit: str, to: Hex) -> Illegal:
    """The refusal of a hex that no way leads to, by the case that bars the last step if the unit stands beside it."""
    spot, start = number(table, to), place(table, unit)
    case, why = hindrance(table, unit, to)
    if cheapest(table, unit, to)[0]:
        return _owes(table, unit) if owed_to(table, unit) else _no_point_left(table, unit, to)
    if held(table, table.enemy(table.unit(unit).side)) >> to & 1:
        case, why = "4.1-d", "the enemy is there"
    elif table.grid.direction(start, to) is not None:
        last = step(table, unit, start, to)
        if isinstance(last, Barred):
            case, why = last.case, last.why
    problem = f"{unit} cannot reach {spot} ({why})"
    near = numbers(table, destinations(table, unit))
    return Illegal(case, problem, unit=unit, at=spot, instead="It can reach", alternatives=near or ["nothing"])


def points(halves: int) -> str:
    """Half points as a player reads them."""
    whole, half = divmod(halves, HALF)
    return f"{whole or ''}½" if half else str(whole)


def check_move(table: Table, side: str, order: Move) -> None:
    """Raises Illegal."""
    to = table.grid.hex(order.to)
    via = tuple(table.grid.hex(h) for h in order.via)
    later = table
    for unit in order.units:
        check_acting(table, side, unit, 0 if stride(table, unit) else 1, "3.4.1-b")
        if table.position.hex_of(unit) is None:
            raise Illegal("18.1.1-a", f"{unit} must enter the map first", unit=unit,
                          instead=f"Write `enter {unit} at HEX`")  # fmt: skip
        walk = plan(later, unit, to, via)
        if unit != order.units[-1]:  # whoever comes after finds the road taken
            later = later.suppose([Moved(unit=unit, path=path_numbers(table, walk.path))])
    if not has_room(table, side, to, order.units):
        staying = [unit for unit in units_at(table, to, side) if unit not in order.units]
        raise Illegal("5-d", crowd(table, to, [*staying, *order.units]), at=order.to)


def move(table: Table, order: Move) -> Iterator[Fact]:
    """6.1: each unit by its own way; the enemy's hidden zones may stop it."""
    to = table.grid.hex(order.to)
    via = tuple(table.grid.hex(h) for h in order.via)
    for unit in order.units:
        seen = table.seen_by(table.unit(unit).side)
        try:
            walk = plan(seen, unit, to, via)
        except Illegal as refusal:  # the one before it met what nobody saw, or fills the road
            yield Halted(unit=unit, at=table.position.where[unit], why=refusal.problem)
            return
        yield from _go(table, unit, walk)


def _go(table: Table, unit: str, walk: Walk) -> Iterator[Fact]:
    side, still = table.unit(unit).side, bool(owed_to(table, unit))
    path = walk.path
    stop = first_surprise(table, side, path)
    spent = walk.spent
    if stop < len(path) - 1:
        path = path[: stop + 1]
        steps = [step(table, unit, a, b) for a, b in pairwise(path)]
        spent = sum(cost for cost in steps if isinstance(cost, int))
        spot = number(table, path[-1])
        yield Halted(unit=unit, at=spot, why="an enemy zone of control that nobody saw", because="4.2-a")
    actions, rest = bill(table, unit, spent)
    yield Moved(unit=unit, path=path_numbers(table, path), how="move", spent=spent, because="6.1-a")
    yield from took(table, side, path[1:])
    inside = enemy_zoc(table, side) >> path[-1] & 1
    yield from spend(table, unit, actions, "3.4.1-b", stride=0 if inside else rest)
    yield from uncover(table, unit)
    yield from owe(table, unit, still)


def first_surprise(table: Table, side: str, path: Sequence[Hex]) -> int:
    """Where on the way a zone that the mover did not see stops it; the last hex if nothing does."""
    zones = enemy_zoc(table, side)
    for index, h in enumerate(path):
        if index and zones >> h & 1:
            return index
    return len(path) - 1


def uncover(table: Table, unit: str) -> Iterator[Fact]:
    """12.1-e: whoever goes leaves his improved position."""
    yield from set_mark(table, unit, DUG_IN, None, "12.1-e")


def shaken(table: Table, unit: str) -> Iterator[Fact]:
    """3.6, 7.7.1-g: what a retreat does to a unit."""
    yield from set_mark(table, unit, DISORGANIZED, 1, "7.7.1-g")
    yield from uncover(table, unit)
    yield from freed(table, unit)


def took(table: Table, side: str, path: Sequence[Hex]) -> Iterator[Fact]:
    """18.4-c: who was the last to enter Korsun."""
    spot = table.data.airfield
    if spot in path and table.position.owners.get(number(table, spot)) != side:
        yield TookHex(hex=number(table, spot), side=side, because="18.4-c")


def move_choices(table: Table, side: str, units: Sequence[str]) -> list[Choice]:
    """One unit, or a whole stack of the activated, and where it may go."""
    ready = [u for u in alive(table, units) if left(table, u) or stride(table, u)]
    stacks = [sorted(there, key=partial(kind_of, table), reverse=True) for there in together(table, ready).values()]
    groups = [*((unit,) for unit in ready), *(tuple(stack) for stack in stacks if len(stack) > 1)]
    able = [group for group in groups if _open_to(table, side, group, _beside) or _open_to(table, side, group)]
    return [pick(Move, "to", partial(_spots, table, side, group), units=group) for group in able]


def _spots(table: Table, side: str, units: tuple[str, ...]) -> list[str]:
    return [number(table, h) for h in hexset.members(_open_to(table, side, units))]


def _open_to(
    table: Table, side: str, units: tuple[str, ...], reach: Callable[[Table, str], HexSet] = destinations
) -> HexSet:
    """Where all of them may go; not by a road if a second tank unit would find it taken (6.2-b)."""
    found = reduce(and_, (reach(table, unit) for unit in units))
    if len(units) > 1:
        found &= ~full_hexes(table, side, units)
        found &= ~table.data.road_hexes if kind_of(table, units[1]) == MOBILE else found
    return found


@kept
def _beside(table: Table, unit: str) -> HexSet:
    """Hexes next to a unit where it may stop: mostly enough to know that it can go, without all its reach."""
    here, have, found = place(table, unit), purse(table, unit), 0
    bound = binds(table, table.unit(unit).side)
    for there in () if owed_to(table, unit) else table.grid.neighbours(here):
        cost = step(table, unit, here, there)
        if isinstance(cost, int) and cost <= (have.kept if bound >> there & 1 else have.whole):
            found |= 1 << there
    return found & ~full_hexes(table, table.unit(unit).side, [unit])
