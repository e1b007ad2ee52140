"""Advance after combat (12.8): the player's, and the Soviets' by the table (12.83)."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from engine import hexset
from engine.asks import Ask, Procedure, Roll, Step
from engine.facts import Chose, Fact, Moved
from engine.hexes import Hex
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.advance import advance_choices, ways_named
from engine.rules.ground import crosses, number, path_numbers, place
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.orders import Advance, NoAdvance
from games.kharkov.rules.combat.retreat import Flight
from games.kharkov.rules.combat.situation import Combat
from games.kharkov.rules.fields import Field, after_moves, field, supposed, zone
from games.kharkov.rules.ground import army, ascending, fits, front, is_dispersed, is_mech, soviets
from games.kharkov.rules.soviet.objectives import objective
from games.kharkov.rules.soviet.terms import around, distance, exposes, nearly_surrounded, ringed
from games.kharkov.rules.supply import can_trace, supplied
from games.kharkov.rules.towns import entered

DIE, FAR = 10, 2  # FAR: hexes of a long retreat or advance
ROUTES = ("VP hex", "primary arrow", "opens supply", "over a river, closer", "secondary arrow", "path of retreat",
          "surrounds", "closer", "attacked hex")  # fmt: skip
GOOD = 6  # so many of them are in the first row of the table


def able(table: Table, combat: Combat) -> list[str]:
    """12.8: undispersed attackers that were not brought in by a tactic."""
    alive = [unit for unit in combat.attackers if table.position.hex_of(unit) is not None]
    return [unit for unit in alive if unit not in combat.joined and not is_dispersed(table, unit)]


def _wet(table: Table, here: Hex, there: Hex) -> bool:
    """12.82: an unbridged Donets or Dniepr hexside."""
    unbridged = [river & ~road for river, road in zip(table.data.big_rivers, table.data.roads, strict=True)]
    return crosses(table, unbridged, here, there)


@dataclass(frozen=True)
class Breach:
    """What a combat opened: whether mechanized units may go two hexes, and the path of retreat (12.81)."""

    far: bool
    trail: tuple[Hex, ...] = ()


def breach(table: Table, units: Sequence[str], flight: Flight) -> Breach:
    """12.81: two hexes if the defenders went back two, or are all gone; who is gone leaves no path."""
    if all(table.position.hex_of(unit) is None for unit in units):
        return Breach(far=True)
    return Breach(flight.hexes == FAR, tuple(flight.trail))


def second_hexes(table: Table, combat: Combat, came: Hex, trail: Sequence[Hex]) -> list[Hex]:
    """12.81, 12.82: where a mechanized unit that came from a hex may go from the target hex."""
    side, target = combat.side, combat.target
    now = field(table)
    if _wet(table, came, target):
        return []
    zoc = now.zoc(combat.enemy)
    beside_garrison = side == GERMAN and bool(zone(table.grid, now.garrisons) >> target & 1)
    found = []
    for h in hexset.members(around(table.data, target)):
        if now.held(combat.enemy) >> h & 1 or (side == GERMAN and now.garrisons >> h & 1):
            continue
        if h not in trail and (beside_garrison or _wet(table, target, h) or (zoc >> target & zoc >> h & 1)):
            continue
        found.append(h)
    return found


def halts(table: Table, combat: Combat) -> bool:
    """14.1: whoever enters an enemy town or city first must stop there."""
    return bool(field(table).towns(combat.enemy) >> combat.target & 1)


# The player's.


def german_advance(table: Table, combat: Combat, opened: Breach) -> Procedure:
    """12.8: the player says who goes where."""
    units = able(table, combat)
    if not units or table.position.at(combat.target):
        return
    fast = "panzer battalion" in combat.attack_tactics  # 12.81: one infantry unit as a mechanized one

    def ways(unit: str) -> Iterator[tuple[Hex, ...]]:
        yield (combat.target,)
        if opened.far and (fast or is_mech(table, unit)):
            for h in second_hexes(table, combat, place(table, unit), opened.trail):
                yield (combat.target, h)

    check = partial(_check, table, combat, {unit: list(ways(unit)) for unit in units})
    offers = partial(advance_choices, table, units, ways, Advance, NoAdvance, check)
    spot = number(table, combat.target)
    order = yield Ask(
        GERMAN, "advance", spot, f"who advances into {spot}", (Advance, NoAdvance), default=NoAdvance, offers=offers,
        check=check, case="12.8", passable=True, units=tuple(units),
    )  # fmt: skip
    if isinstance(order, Advance):
        for unit, steps in ways_named(table, combat.target, order).items():
            yield from _advanced(table, unit, steps)


def _check(table: Table, combat: Combat, can: dict[str, list[tuple[Hex, ...]]], order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, Advance):
        return
    chosen = ways_named(table, combat.target, order)
    ends: dict[Hex, list[str]] = {}
    moved: dict[str, Hex | None] = {}
    spot = number(table, combat.target)
    for place_, (unit, steps) in enumerate(chosen.items()):
        if unit not in can:
            raise Illegal("12.8", f"{unit} may not advance", alternatives=list(can))
        if steps not in can[unit]:
            allowed = [number(table, way[-1]) for way in can[unit]]
            raise Illegal("12.81", f"{unit} may not advance that way", alternatives=allowed)
        if len(steps) == FAR and not place_ and halts(table, combat):
            raise Illegal("14.1", f"{unit} must stop in {spot}, an enemy town: who goes first takes it and stays")
        moved[unit] = steps[-1]
        _check_supply(table, after_moves(table, moved), unit, can[unit], steps[-1])
        ends.setdefault(steps[-1], []).append(unit)
    if sum(len(steps) == FAR and not is_mech(table, unit) for unit, steps in chosen.items()) > 1:
        raise Illegal("12.81", "one infantry unit may advance as mechanized, not more")
    for h, units in ends.items():
        if not fits(table, GERMAN, h, units, leaving=chosen):
            raise Illegal("10.4", f"{', '.join(units)} have no room at {number(table, h)}")


def _check_supply(table: Table, then: Field, unit: str, can: Sequence[tuple[Hex, ...]], end: Hex) -> None:
    """12.8: an advance ends in supply, unless the unit has none and can get to none. Raises Illegal."""
    if supplied(table.data, then, GERMAN) >> end & 1:
        return
    traced = supplied(table.data, field(table), GERMAN)
    if can_trace(table, unit) or any(traced >> way[-1] & 1 for way in can):
        raise Illegal("10.5", f"{unit} could not trace supply from {number(table, end)}")


def _advanced(table: Table, unit: str, steps: Sequence[Hex]) -> Iterator[Fact]:
    path = (place(table, unit), *steps)
    yield Moved(unit=unit, path=path_numbers(table, path), how="advance", because="12.8")
    yield from entered(table, unit, steps)


# The Soviets' (12.83).


def soviet_advance(table: Table, combat: Combat, opened: Breach) -> Procedure:
    """12.83: each unit in ascending order, by the best route and the Soviets already in the hex."""
    for unit in ascending(table, able(table, combat)):
        came, stops = place(table, unit), halts(table, combat)
        went = yield from _try(table, combat, unit, [combat.target], opened.trail, first=True)
        if went and opened.far and is_mech(table, unit) and not stops:
            onward = second_hexes(table, combat, came, opened.trail)
            yield from _try(table, combat, unit, onward, opened.trail, first=False)


def _try(
    table: Table, combat: Combat, unit: str, hexes: Sequence[Hex], path: Sequence[Hex], *, first: bool
) -> Generator[Step, Any, bool]:
    """The hex with the best chance is checked, by a die where the table wants one."""
    open_ = [h for h in hexes if fits(table, SOVIET, h, [unit]) and allowed(table, unit, h)]
    if not open_:
        return False
    chances = {h: chance(table, unit, h, path, attacked=first) for h in open_}
    best = max(open_, key=lambda h: (chances[h][0], -chances[h][1], number(table, h)))
    least = chances[best][0]
    if not least:
        return False
    if least < DIE:
        turn = table.position.turn
        route_ = ROUTES[chances[best][1]]
        purpose = f"advance of {unit} to {number(table, best)} ({route_}), {least} or less"
        die: int = yield Roll(purpose, sides=DIE, stream=f"advance {turn}")
        if die > least:
            return False
    here = place(table, unit)
    yield Chose(who=unit, what=f"advances to {number(table, best)}", by=ROUTES[chances[best][1]], because="12.83")
    yield Moved(unit=unit, path=path_numbers(table, (here, best)), how="advance", because="12.83")
    yield from entered(table, unit, [best])
    return True


def chance(table: Table, unit: str, h: Hex, path: Sequence[Hex], *, attacked: bool) -> tuple[int, int]:
    """The highest die that advances, and the place of the route in the table."""
    rules, there = table.data.tables["soviet_advance"], min(2, len(soviets(table, h)))
    place_ = route(table, unit, h, path, attacked=attacked)
    row = rules["good"] if place_ < GOOD else rules["fair"] if place_ < len(ROUTES) else rules["other"]
    return row[there], place_


def route(table: Table, unit: str, h: Hex, path: Sequence[Hex], *, attacked: bool) -> int:
    """12.83: the first route of the table that fits."""
    data, here = table.data, place(table, unit)
    of = front(table, unit)
    goal = objective(table, army(table, unit)) or objective(table, of)
    closer = goal is not None and distance(data, h, goal) < distance(data, here, goal)
    now, then = field(table), supposed(table, unit, h)
    holds = (
        bool(data.vp_hexes >> h & 1),
        data.arrow(of, here, "primary") == h,
        _opens_supply(table, unit, h),
        closer and _over_water(table, here, h),
        data.arrow(of, here, "secondary") == h,
        not attacked and h in path,
        bool(ringed(data, then) & ~ringed(data, now)),
        closer,
        attacked,
    )
    return next((place_ for place_, so in enumerate(holds) if so), len(ROUTES))


def _over_water(table: Table, here: Hex, there: Hex) -> bool:
    """Any unbridged river, minor ones too."""
    rivers = [table.data.river(name) for name in ("minor", "donets", "dnieper")]
    return any(
        crosses(table, [side & ~road for side, road in zip(river, table.data.roads, strict=True)], here, there)
        for river in rivers
    )


def _opens_supply(table: Table, unit: str, h: Hex) -> bool:
    """12.83: whether a Soviet unit that cannot trace supply could with this one there; the unit itself among them."""
    now, then = field(table), supposed(table, unit, h)
    before, after = supplied(table.data, now, SOVIET), supplied(table.data, then, SOVIET)
    own = not before >> place(table, unit) & 1 and after >> h & 1
    return bool(own) or bool(now.soviet & then.soviet & ~(1 << h) & ~before & after)


def allowed(table: Table, unit: str, h: Hex) -> bool:
    """12.83-b: what a Soviet advance may not do."""
    data, turn = table.data, table.position.turn
    here, now, then = place(table, unit), field(table), supposed(table, unit, h)
    if data.marsh >> h & 1 and is_mech(table, unit):
        return False
    if data.edge_vp >> here & 1 and not then.soviet >> here & 1 and supplied(data, now, SOVIET) >> here & 1:
        return False
    if exposes(table, now, then):
        return False
    if data.on("advance_keeps_supply", turn):
        others = then.soviet & ~(1 << h)
        if others & supplied(data, now, SOVIET) & ~supplied(data, then, SOVIET):
            return False
    if data.on("advance_not_surrounded", turn) and not data.vp_hexes >> h & 1 and not _opens_supply(table, unit, h):
        return not nearly_surrounded(table, unit, h, then)
    return True
