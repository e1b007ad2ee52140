"""Advance after combat (12.8): the player's, and the Soviets' by the table (12.83)."""

from collections.abc import Iterator, Sequence
from functools import partial

from engine import hexset
from engine.asks import Ask, Procedure, Roll
from engine.facts import Fact, Moved
from engine.hexes import Hex
from engine.orders.order import Order
from engine.refusals import Illegal
from engine.rules.advance import advance_choices, ways_named
from engine.rules.ground import crosses, number, path_numbers, place
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.orders import Advance, NoAdvance
from games.kharkov.rules.combat.situation import Combat
from games.kharkov.rules.fields import Field, field, supposed, zone
from games.kharkov.rules.ground import army, ascending, fits, front, is_dispersed, is_mech, soviets
from games.kharkov.rules.soviet.objectives import objective
from games.kharkov.rules.soviet.terms import around, distance, german_near, nearly_surrounded, ringed
from games.kharkov.rules.supply import can_trace, supplied
from games.kharkov.rules.towns import entered

DIE = 10
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


def second_hexes(table: Table, combat: Combat, unit: str, path: Sequence[Hex], *, fast: bool) -> list[Hex]:
    """12.81: where a mechanized unit may go from the target hex; `path` is the way of a two-hex retreat."""
    side, target = combat.side, combat.target
    mech = is_mech(table, unit) or fast
    now = field(table)
    stopped = now.towns(combat.enemy) >> target & 1 and not path
    if not mech or _wet(table, place(table, unit), target) or stopped:
        return []
    zoc = now.zoc(combat.enemy)
    beside_garrison = side == GERMAN and bool(zone(table.grid, now.garrisons) >> target & 1)
    found = []
    for h in hexset.members(around(table.data, target)):
        on_path = h in path
        if now.held(combat.enemy) >> h & 1 or (side == GERMAN and now.garrisons >> h & 1):
            continue
        if not on_path and (beside_garrison or _wet(table, target, h) or (zoc >> target & zoc >> h & 1)):
            continue
        found.append(h)
    return found


# The player's.


def german_advance(table: Table, combat: Combat, path: Sequence[Hex], *, far: bool, fast: bool) -> Procedure:
    """12.8: the player says who goes where."""
    units = able(table, combat)
    if not units or table.position.at(combat.target):
        return

    def ways(unit: str) -> Iterator[tuple[Hex, ...]]:
        yield (combat.target,)
        if far:
            runs = fast and not is_mech(table, unit)
            for h in second_hexes(table, combat, unit, path, fast=runs):
                yield (combat.target, h)

    check = partial(_check, table, combat, {unit: list(ways(unit)) for unit in units}, fast)
    offers = partial(advance_choices, table, units, ways, Advance, NoAdvance, check)
    spot = number(table, combat.target)
    order = yield Ask(
        GERMAN, "advance", spot, f"who advances into {spot}", (Advance, NoAdvance), default=NoAdvance, offers=offers,
        check=check, case="12.8", passable=True, units=tuple(units),
    )  # fmt: skip
    if isinstance(order, Advance):
        for unit, steps in ways_named(table, combat.target, order).items():
            yield from _advanced(table, unit, steps)


def _check(table: Table, combat: Combat, can: dict[str, list[tuple[Hex, ...]]], fast: bool, order: Order) -> None:
    """Raises Illegal."""
    if not isinstance(order, Advance):
        return
    chosen = ways_named(table, combat.target, order)
    ends: dict[Hex, list[str]] = {}
    runners = 0
    traced = supplied(table.data, field(table), GERMAN)
    for unit, steps in chosen.items():
        if unit not in can:
            raise Illegal("12.8", f"{unit} may not advance", alternatives=list(can))
        if steps not in can[unit]:
            allowed = [number(table, way[-1]) for way in can[unit]]
            raise Illegal("12.81", f"{unit} may not advance that way", alternatives=allowed)
        runners += fast and len(steps) == 2 and not is_mech(table, unit)
        if not traced >> steps[-1] & 1 and (can_trace(table, unit) or any(traced >> way[-1] & 1 for way in can[unit])):
            raise Illegal("10.5", f"{unit} could not trace supply from {number(table, steps[-1])}")
        ends.setdefault(steps[-1], []).append(unit)
    if runners > 1:
        raise Illegal("12.81", "one infantry unit may advance as mechanized, not more")
    for h, units in ends.items():
        if not fits(table, GERMAN, h, units, leaving=chosen):
            raise Illegal("10.4", f"{', '.join(units)} have no room at {number(table, h)}")


def _advanced(table: Table, unit: str, steps: Sequence[Hex]) -> Iterator[Fact]:
    path = (place(table, unit), *steps)
    yield Moved(unit=unit, path=path_numbers(table, path), how="advance", because="12.8")
    yield from entered(table, unit, steps)


# The Soviets' (12.83).


def soviet_advance(table: Table, combat: Combat, path: Sequence[Hex], *, far: bool) -> Procedure:
    """12.83: each unit in ascending order, by the best route and the Soviets already in the hex."""
    for unit in ascending(table, able(table, combat)):
        went = yield from _try(table, combat, unit, [combat.target], path, first=True)
        if not went or not far:
            continue
        onward = second_hexes(table, combat, unit, path, fast=False) if is_mech(table, unit) else []
        if onward:
            yield from _try(table, combat, unit, onward, path, first=False)


def _try(table: Table, combat: Combat, unit: str, hexes: Sequence[Hex], path: Sequence[Hex], *, first: bool):  # type: ignore[no-untyped-def]
    """The hex with the best chance is checked, by a die where the table wants one."""
    open_ = [h for h in hexes if fits(table, SOVIET, h, [unit]) and allowed(table, unit, h)]
    if not open_:
        return False
    chances = {h: chance(table, combat, unit, h, path, attacked=first) for h in open_}
    best = max(open_, key=lambda h: (chances[h][0], -chances[h][1], number(table, h)))
    least = chances[best][0]
    if not least:
        return False
    if least < DIE:
        turn = table.position.turn
        die = yield Roll(f"advance of {unit} to {number(table, best)}", sides=DIE, stream=f"advance {turn}")
        if die > least:
            return False
    here = place(table, unit)
    yield Moved(unit=unit, path=path_numbers(table, (here, best)), how="advance", because="12.83")
    yield from entered(table, unit, [best])
    return True


def chance(table: Table, combat: Combat, unit: str, h: Hex, path: Sequence[Hex], *, attacked: bool) -> tuple[int, int]:
    """The highest die that advances, and the place of the route in the table."""
    rules, there = table.data.tables["soviet_advance"], min(2, len(soviets(table, h)))
    place_ = route(table, combat, unit, h, path, attacked=attacked)
    row = rules["good"] if place_ < GOOD else rules["fair"] if place_ < len(ROUTES) else rules["other"]
    return row[there], place_


def route(table: Table, combat: Combat, unit: str, h: Hex, path: Sequence[Hex], *, attacked: bool) -> int:
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
    """Whether a Soviet unit that cannot trace supply could with this one there."""
    before = supplied(table.data, field(table), SOVIET)
    after = supplied(table.data, supposed(table, unit, h), SOVIET)
    now = field(table).soviet
    return bool(now & ~before & after)


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


def exposes(table: Table, now: Field, then: Field) -> bool:
    """9.23.b: whether a move opens an empty or garrisoned Soviet town to a German, or (4+) to German supply."""
    data = table.data
    for h in hexset.members(then.soviet_towns & ~then.soviet):
        if german_near(table, h, then) and not german_near(table, h, now):
            return True
        newly = supplied(data, then, GERMAN) & ~supplied(data, now, GERMAN)
        if data.on("expose_by_supply", table.position.turn) and newly >> h & 1:
            return True
    return False
