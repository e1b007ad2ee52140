"""Soviet movement (9.2): the objective is looked at, then method by method, unit by unit."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from engine import hexset
from engine.asks import Procedure, Roll
from engine.facts import Fact, Moved, Noted, Told
from engine.hexes import Hex
from engine.rules.ground import number, path_numbers, place
from engine.rules.marks import set_game
from games.kharkov.data import SOVIET, Table
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import (
    MOVED,
    army,
    ascending,
    descending,
    front,
    is_active,
    is_dispersed,
    is_isolated,
    is_supplied,
    on_map,
)
from games.kharkov.rules.reach import legs, way
from games.kharkov.rules.soviet import methods_a, methods_b, vp_methods
from games.kharkov.rules.soviet.objectives import objective, rank
from games.kharkov.rules.soviet.plans import Mover, Plan, Preference, hexes, mover_of, picked, told
from games.kharkov.rules.soviet.terms import around, distance, nearest, proximate, surrounded
from games.kharkov.rules.supply import supplied, supported
from games.kharkov.rules.towns import entered

DIE = 10
BEFORE_DESPERATION, PROXIMATE = 5, 11  # 9.22.D
Methods = Callable[[Mover, int], Plan | None]


def movement(table: Table) -> Procedure:
    """9.0 steps 1 and 2."""
    active = [unit for unit in on_map(table, SOVIET) if is_active(table, unit)]
    yield from _objectives(table, sorted({front(table, unit) for unit in _activated(table)}))
    settled: set[str] = set()
    ready = [unit for unit in active if not is_dispersed(table, unit)]
    plain = [unit for unit in ready if is_supplied(table, unit) and not _has_own(table, unit)]
    for of in ("VF", "SWF"):
        yield from _by_methods(table, [unit for unit in plain if front(table, unit) == of], of, settled)
    yield from _with_own(table, [u for u in ready if is_supplied(table, u) and _has_own(table, u)], settled)
    for unit in ascending(table, [u for u in ready if not is_supplied(table, u)]):
        yield from _unsupplied(table, unit, settled)
    if left := [unit for unit in ready if unit not in settled]:
        yield Told(text=f"No method moves {', '.join(left)}.", because="9.2")


def _activated(table: Table) -> list[str]:
    return [unit.id for unit in table.roster.by_side(SOVIET) if is_active(table, unit.id)]


def _has_own(table: Table, unit: str) -> bool:
    """9.26: units of an army whose own objective is in play."""
    own = army(table, unit)
    return own in table.data.tables["objectives"]["armies"] and objective(table, own) is not None


# Objectives (9.11)


def _objectives(table: Table, fronts: Sequence[str]) -> Procedure:
    """9.11: the marker of each active front moves on when the front has come near it, once an activation."""
    if not table.data.on("objectives", table.position.turn):
        return
    for of in fronts:
        step = rank(table, of)
        if step in (1, 2) and (near := _is_near(table, of)):
            yield Told(text=f"{of} has come to its objective: {near}.", because="9.11")
            turn, rows = table.position.turn, table.data.tables["objectives"]
            die = yield Roll(f"the objective of {of}", sides=DIE, stream=f"objective {turn}")
            spot = number(table, objective(table, of) or 0)
            row = (rows["first"] if step == 1 else rows["second"])[spot]
            yield from set_game(table, f"{of} objective", row[0 if die <= 6 else 1 if die <= 9 else 2], "9.11")


def _is_near(table: Table, of: str) -> str:
    """9.11: a unit of the front in the hex, beside it while Germans hold it, or able to enter it while it is empty."""
    goal = objective(table, of)
    assert goal is not None
    now, spot = field(table), number(table, goal)
    own = [unit for unit in on_map(table, SOVIET) if front(table, unit) == of]
    there = next((unit for unit in own if place(table, unit) == goal), "")
    if there:
        return f"{there} is in {spot}"
    if now.german >> goal & 1:
        beside = next((unit for unit in own if around(table.data, goal) >> place(table, unit) & 1), "")
        return f"{beside} stands beside the Germans in {spot}" if beside else ""
    able = "" if now.soviet >> goal & 1 else next((u for u in own if proximate(table, u) >> goal & 1), "")
    return f"{able} could enter {spot}" if able else ""


# Methods


def which(table: Table, of: str) -> tuple[str, Methods, Iterable[int], frozenset[int]]:
    """9.2: list A, or B from turn 5 on once the front's marker is gone."""
    if table.data.on("methods_b", table.position.turn) and objective(table, of) is None:
        return "B", methods_b.methods, methods_b.METHODS, methods_b.DESCENDING
    return "A", methods_a.methods, methods_a.METHODS, methods_a.DESCENDING


def _by_methods(table: Table, units: Sequence[str], of: str, settled: set[str]) -> Procedure:
    """9.2: every unit that a method serves moves by it before the next method."""
    if not units:
        return
    letter, methods, every, down = which(table, of)
    for method in _order(table, letter, every):
        yield from _one_method(table, units, methods, method, down, settled)


def _order(table: Table, letter: str, every: Iterable[int]) -> Iterator[int]:
    """The methods in their order; 9.22.D: after the fifth of list B desperate Soviets look at the last one at once."""
    early = False
    for method in every:
        if method == PROXIMATE and early:
            continue
        yield method
        if letter == "B" and method == BEFORE_DESPERATION and _desperate(table):
            early = True
            yield PROXIMATE


def _desperate(table: Table) -> bool:
    return table.position.tracks["vp"] < table.data.tables["levels"]["desperation"]


def _one_method(
    table: Table, units: Sequence[str], methods: Methods, method: int, down: frozenset[int], settled: set[str]
) -> Iterator[Fact]:
    left = [unit for unit in units if unit not in settled]
    for unit in descending(table, left) if method in down else ascending(table, left):
        mover = mover_of(table, unit)
        plan = methods(mover, method)
        if plan is not None:
            yield from _carried_out(table, mover, plan, settled)


def _carried_out(table: Table, mover: Mover, plan: Plan, settled: set[str]) -> Iterator[Fact]:
    """A unit moves by a plan, or is frozen by it; if no hex of it is allowed the next method is tried."""
    chosen = picked(mover, plan)
    if chosen is None and not plan.stays:
        return
    settled.add(mover.unit)
    if chosen is None or chosen.best[0] == mover.here:
        here = number(table, mover.here)
        yield Told(text=f"{mover.unit} stays in {here} by method {plan.method}.", because=plan.case)
        return
    yield told(mover, plan, chosen)
    yield from moved(table, mover.unit, chosen.best[0], plan.case)


def moved(table: Table, unit: str, to: Hex, case: str) -> Iterator[Fact]:
    """9.2-c: one cheapest way; a town entered by infiltration is next door."""
    here = place(table, unit)
    path = way(table.data, field(table), legs(table, unit), here, to) or [here, to]
    yield Moved(unit=unit, path=path_numbers(table, path), because=case)
    yield Noted(subject=unit, mark=MOVED, because="9.2")
    yield from entered(table, unit, path[1:])


# 9.26


def _with_own(table: Table, units: Sequence[str], settled: set[str]) -> Procedure:
    """9.26, 9.13-b: one unit at a time; once the army's last hex is entered the rest goes by the front's methods."""
    left = []
    for unit in descending(table, units):
        if _has_own(table, unit):
            yield from _army_methods(table, unit, settled)
        else:
            left.append(unit)
    for of in sorted({front(table, unit) for unit in left}):
        yield from _by_methods(table, [unit for unit in left if front(table, unit) == of], of, settled)


def _army_methods(table: Table, unit: str, settled: set[str]) -> Iterator[Fact]:
    """9.26: a unit whose army has an objective of its own runs through four methods."""
    for plan in _army_plans(mover_of(table, unit)):
        if plan is not None:
            yield from _carried_out(table, mover_of(table, unit), plan, settled)
        if unit in settled:
            return


def _army_plans(mover: Mover) -> Iterator[Plan | None]:
    yield vp_methods.take_vp(mover)
    yield methods_a.beside_german(mover)
    yield _toward_german(mover)
    yield _toward_front(mover)


def _toward_german(mover: Mover) -> Plan | None:
    """9.26.3: as close as possible to the German unit in or nearest to the army's objective."""
    goal, data = mover.goal, mover.data
    if goal is None or not mover.now.german:
        return None
    spots = hexset.members(mover.now.german)
    best = min(
        spots, key=lambda h: (distance(data, h, goal), distance(data, mover.here, h), -int(number(mover.table, h)))
    )
    if around(data, mover.here) >> best & 1:
        return Plan("army 3", "9.26.3", [(mover.here, best)], about=True, stays=True)
    start = distance(data, mover.here, best)
    options = [(h, best) for h in hexset.members(mover.can) if distance(data, h, best) < start]
    preferences = [("closest", lambda o: -distance(data, o[0], best))]
    return Plan("army 3", "9.26.3", options, preferences, about=True) if options else None


def _toward_front(mover: Mover) -> Plan | None:
    """9.26.4: as close as possible to the front's objective."""
    goal, own, data = mover.front_goal, mover.goal, mover.data
    if goal is None:
        return None
    start = distance(data, mover.here, goal)
    closer = hexset.of(h for h in hexset.members(mover.can) if distance(data, h, goal) < start)
    preferences = [
        ("closest", lambda o: -distance(data, o[0], goal)),
        ("closer to the army's", lambda o: -distance(data, o[0], own) if own is not None else 0),
    ]
    return Plan("army 4", "9.26.4", [*hexes(closer)], preferences) if closer else None


# 9.27


def _unsupplied(table: Table, unit: str, settled: set[str]) -> Procedure:
    """9.27: after all others, one at a time, within the limits of its state."""
    mover = mover_of(table, unit)
    now, data = mover.now, mover.data
    if surrounded(data, now, mover.here, SOVIET):
        return
    if is_isolated(table, unit) and mover.beside_germans(mover.here):
        return
    traced = supplied(data, now, SOVIET)
    if traced >> mover.here & 1:
        yield from _by_methods(table, [unit], mover.front, settled)
        return
    yield from _to_supply(table, mover, settled)


def _to_supply(table: Table, mover: Mover, settled: set[str]) -> Iterator[Fact]:
    """9.27-c: to a hex in supply, or away from Germans and closer to one."""
    data, helped = mover.data, supported(table)
    there = hexset.of(h for h in hexset.members(mover.can) if supplied(data, mover.then(h), SOVIET) >> h & 1)
    if any(mover.may_end(h) for h in hexset.members(there)):
        preferences: list[Preference] = [
            ("in supply", lambda o: there >> o[0] & 1),
            ("a", lambda o: helped >> o[0] & 1),
            ("b", lambda o: -distance(data, o[0], mover.here)),
        ]
        plan = Plan("unsupplied", "9.27-c", [*hexes(there)], preferences)
    else:
        traced = supplied(data, mover.now, SOVIET)
        both = mover.can | 1 << mover.here
        away = hexset.of(h for h in hexset.members(both) if not mover.beside_germans(h))
        closest: list[Preference] = [
            ("closest", lambda o: -nearest(data, o[0], traced)),
            ("stays", lambda o: o[0] == mover.here),
        ]
        plan = Plan("unsupplied", "9.27-c", [*hexes(away)], closest)
    yield from _carried_out(table, mover, plan, settled)
