"""Retreats (12.7): which hexes, at what price, and who goes together."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as part
from itertools import permutations
from typing import Any

from engine import hexset
from engine.asks import Step
from engine.facts import Fact, Moved, Noted
from engine.hexes import Hex
from engine.rules.chooser import Chosen, choose
from engine.rules.ground import crosses, number, path_numbers, place, units_at
from games.kharkov.data import GERMAN, SOVIET, Table
from games.kharkov.rules.combat.losses import Keep, german_losses, soviet_losses
from games.kharkov.rules.combat.situation import RETREATED
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import ascending, front, is_dispersed, is_isolated, is_mech, is_ready, steps
from games.kharkov.rules.soviet.terms import around, westward
from games.kharkov.rules.supply import in_supply
from games.kharkov.rules.towns import entered, owner

COSTLY = (3, 4)  # priorities that cost a step (12.7-a)
Coming = Mapping[Hex, Sequence[str]]  # who else of a stack that splits is on his way to a hex
Way = tuple[Hex, ...]
Ways = tuple[tuple[str, Way], ...]  # the way of each unit
Group = tuple[list[str], Hex]  # units that stand together, and where


@dataclass(frozen=True)
class Refuge:
    """A hex to fall back to, with its priority; a full one has no room for all who come."""

    hex: Hex
    priority: int
    full: bool = False

    @property
    def costs(self) -> int:
        return int(self.priority in COSTLY)


Leg = tuple[list[str], Chosen[Refuge]]  # units that go together, and where to


@dataclass
class Flight:
    """How far defenders went back, and the first hexes of their way: the path of retreat (12.81)."""

    hexes: int = 0
    trail: list[Hex] = part(default_factory=list)


def most_hexes(table: Table, units: Sequence[str], tactics: Sequence[str]) -> int:
    """12.7: two hexes; one with a dispersed or isolated foot unit; none with an isolated mechanized one, or NKVD."""
    if "nkvd" in tactics or any(is_isolated(table, u) and is_mech(table, u) for u in units):
        return 0
    return 1 if any(is_dispersed(table, u) or is_isolated(table, u) for u in units) else 2


def refuges(
    table: Table, units: Sequence[str], here: Hex, away: Hex | None = None, coming: Coming | None = None, shed: int = 0
) -> list[Refuge]:
    """12.7-a, 12.71: every hex that a group may fall back to, of any priority, full ones too.

    `away` is the hex of the combat, from which a second hex must lie two hexes; `shed` steps are lost before they go.
    """
    side = table.unit(units[0]).side
    found = [(h, priority) for h in hexset.members(around(table.data, here)) if (priority := _priority(table, side, h))]
    if away is not None:
        found = [(h, priority) for h, priority in found if table.grid.distance(h, away) == 2]
    able = [(h, p) for h, p in found if p not in COSTLY or steps(table, units) > 1]
    return [Refuge(h, p, full=not _room(table, side, h, [*(coming or {}).get(h, ()), *units], shed)) for h, p in able]


def _room(table: Table, side: str, h: Hex, units: Sequence[str], shed: int) -> bool:
    """10.4, with so many steps lost on the way."""
    stack = [*(unit for unit in units_at(table, h, side) if unit not in units), *units]
    limits = table.data.tables["stacking"]
    return len(stack) <= limits["units"] and steps(table, stack) - shed <= limits["steps"]


def _priority(table: Table, side: str, h: Hex) -> int:
    """12.7-a, 12.71: which of the four a hex is; 0 if nobody may retreat there."""
    now = field(table)
    enemy = SOVIET if side == GERMAN else GERMAN
    if now.held(enemy) >> h & 1:
        return 0
    friends = units_at(table, h, side)
    if now.towns(enemy) >> h & 1 and not friends:
        return 0
    if not now.zoc(enemy) >> h & 1:
        return 1
    if any(is_ready(table, unit) for unit in friends):
        return 2
    return 3 if not friends and in_supply(table, side, h) else 4


def best(table: Table, here: Hex, found: Sequence[Refuge]) -> list[Refuge]:
    """12.7-b: those of the best priority; over the unbridged Dniepr only if that has no other."""
    if not found:
        return []
    first = min(refuge.priority for refuge in found)
    same = [refuge for refuge in found if refuge.priority == first]
    return [refuge for refuge in same if not crosses(table, table.data.wide, here, refuge.hex)] or same


# The player's ways (12.7-b, 12.72, 12.73).


def german_ways(table: Table, units: Sequence[str], here: Hex, most: int, hits: int) -> list[Ways]:
    """All ways of one hex, and of two: together if there is room somewhere, else each unit by itself."""
    found: list[Ways] = []
    for far in range(1, most + 1):
        shed = hits - far
        together = _ways_of(table, units, here, far, shed)
        if together or len(units) == 1:
            found += [tuple((unit, way) for unit in units) for way in together]
        else:
            found += _apart(table, units, here, far)
    return found


def _ways_of(
    table: Table, units: Sequence[str], here: Hex, far: int, shed: int, coming: Coming | None = None
) -> list[Way]:
    """12.72: by the best priority of each hex; if that costs a unit, by others that do not."""
    first = refuges(table, units, here, None, coming, shed)
    if far == 1:
        open_ = [refuge for refuge in first if not refuge.full]
        routes: list[tuple[Refuge, ...]] = [(refuge,) for refuge in open_]
        usual: list[tuple[Refuge, ...]] = [(refuge,) for refuge in best(table, here, open_)]
    else:
        onward = {r.hex: _onward(table, units, r.hex, here, shed, coming) for r in first}
        first = [refuge for refuge in first if onward[refuge.hex]]
        routes = [(a, b) for a in first for b in onward[a.hex]]
        usual = [(a, b) for a in best(table, here, first) for b in best(table, a.hex, onward[a.hex])]
    left = steps(table, units) - shed
    spare = max(0, left - len(units))  # steps that may go without a unit

    def price(route: Sequence[Refuge]) -> int:
        return sum(refuge.costs for refuge in route)

    good = [route for route in usual if price(route) <= spare]
    if not good:
        saving = [route for route in routes if price(route) <= spare]
        least = min((tuple(refuge.priority for refuge in route) for route in saving), default=())
        good = [route for route in saving if tuple(refuge.priority for refuge in route) == least]
    good = good or [route for route in usual if price(route) < max(left, 1)]
    return [tuple(refuge.hex for refuge in route) for route in good]


def _onward(table: Table, units: Sequence[str], here: Hex, away: Hex, shed: int, coming: Coming | None) -> list[Refuge]:
    return [refuge for refuge in refuges(table, units, here, away, coming, shed) if not refuge.full]


def _apart(table: Table, units: Sequence[str], here: Hex, far: int) -> list[Ways]:
    """12.73: no hex has room for all: one after another in any order, each by the best that is left to it."""
    found: dict[frozenset[tuple[str, Way]], Ways] = {}
    for order in permutations(units):
        begun: list[tuple[Ways, dict[Hex, list[str]]]] = [((), {})]
        for unit in order:
            begun = [
                ((*chosen, (unit, way)), {**coming, way[-1]: [*coming.get(way[-1], ()), unit]})
                for chosen, coming in begun
                for way in _ways_of(table, [unit], here, far, 0, coming)
            ]
        for chosen, _ in begun:
            found.setdefault(frozenset(chosen), tuple(sorted(chosen, key=lambda each: units.index(each[0]))))
    return list(found.values())


# The Soviets' way (12.7-c, 12.73, 12.75).


def soviet_plan(table: Table, groups: Sequence[Group], target: Hex, *, second: bool, through: bool) -> list[Leg]:
    """Where each group goes, split up if it must be; nothing, if somebody has nowhere to go.

    `through` lets a first hex be overstacked, if there is a second one to go on to (12.75).
    """
    plan: list[Leg] = []
    coming: dict[Hex, list[str]] = {}

    def send(units: list[str], here: Hex) -> bool:
        found = refuges(table, units, here, target if second else None, coming)
        found = [
            refuge
            for refuge in found
            if not refuge.full or (through and _onward(table, units, refuge.hex, target, 0, None))
        ]
        if not found:
            return False
        chosen = _preferred(table, units, here, best(table, here, found))
        plan.append((units, chosen))
        coming.setdefault(chosen.best.hex, []).extend(units)
        return True

    for units, here in groups:
        if not send(units, here) and not (len(units) > 1 and all(send([u], here) for u in ascending(table, units))):
            return []
    return plan


def _preferred(table: Table, units: Sequence[str], here: Hex, found: Sequence[Refuge]) -> Chosen[Refuge]:
    """12.7-c: the preferences of Soviet units among hexes of one priority; the lowest number at last."""
    data = table.data
    arrow = data.arrow(front(table, units[0]), here, "primary")
    beside = around(data, arrow) if arrow is not None else 0
    own = hexset.of(h for h in hexset.members(data.vp_hexes) if owner(table, h) == SOVIET)
    ordered = sorted(found, key=lambda refuge: number(table, refuge.hex))
    return choose(
        ordered,
        [
            ("a", lambda refuge: own >> refuge.hex & 1),
            ("b", lambda refuge: refuge.hex != arrow),
            ("c", lambda refuge: not beside >> refuge.hex & 1),
            ("d", lambda refuge: data.woods >> refuge.hex & 1),
            ("e", lambda refuge: -westward(data, refuge.hex)),
        ],
        name=lambda refuge: number(table, refuge.hex),
    )


# Going.


def fall_back(
    table: Table, units: Sequence[str], to: Hex, case: str, keep: Keep | None = None
) -> Generator[Step, Any, None]:
    """Units go to the next hex of a way; what the hex costs is paid first (12.7-a)."""
    here, side = place(table, units[0]), table.unit(units[0]).side
    if _priority(table, side, to) in COSTLY:
        if side == GERMAN:
            yield from german_losses(table, units, 1, number(table, here), "12.7-a", first=False, keep=keep)
        else:
            yield from soviet_losses(table, units, 1, "12.7-a", {})
    for unit in units:
        if table.position.hex_of(unit) is not None:
            yield from _gone(table, unit, here, to, case)


def _gone(table: Table, unit: str, here: Hex, to: Hex, case: str) -> Iterator[Fact]:
    yield Moved(unit=unit, path=path_numbers(table, (here, to)), how="retreat", because=case)
    if not table.position.mark(unit, RETREATED):
        yield Noted(subject=unit, mark=RETREATED, because="12.74")
    yield from entered(table, unit, [to])
