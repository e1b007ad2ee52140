"""Methods A1, A2, A5 and A6 of Soviet movement (9.21): those about victory point hexes."""

from collections.abc import Callable, Sequence
from typing import Any

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import crosses, number
from games.kharkov.data import GERMAN, SOVIET
from games.kharkov.rules.ground import (
    has_armor,
    is_isolated,
    soviets,
)
from games.kharkov.rules.soviet.plans import Mover, Option, Plan, hexes
from games.kharkov.rules.soviet.terms import around, distance, german_near
from games.kharkov.rules.supply import supplied


def german_vp(mover: Mover) -> HexSet:
    """9.3-vp: towns and cities that the Germans own."""
    return mover.now.german_towns & mover.data.vp_hexes


def soviet_vp(mover: Mover) -> HexSet:
    """9.3-vp: towns and cities that the Soviets own, and edge hexes that score for them."""
    table = mover.table
    edge = [h for h in hexset.members(mover.data.edge_vp) if table.position.owners.get(number(table, h)) == SOVIET]
    return mover.now.soviet_towns & mover.data.vp_hexes | hexset.of(edge)


def next_to(mover: Mover, about: HexSet, among: HexSet) -> list[Option]:
    """The hexes among these that touch one of some others, each with the one it touches."""
    return [(h, there) for there in hexset.members(about) for h in hexset.members(around(mover.data, there) & among)]


def take_vp(mover: Mover) -> Plan | None:
    """A1, B1: an empty German town or city; else an empty edge VP hex in Soviet supply."""
    towns = mover.now.german_towns & ~mover.now.german & ~mover.others_only
    reached = mover.can & towns
    if not is_isolated(mover.table, mover.unit):  # 13.22: an isolated unit enters no German town
        reached |= around(mover.data, mover.here) & towns  # urban infiltration (9.3-infil)
    if any(mover.may_end(h) for h in hexset.members(reached)):
        return Plan("1", "9.21.1a", [*hexes(reached)], fixed=True)
    edge = mover.data.edge_vp & mover.can & supplied(mover.data, mover.now, SOVIET)
    edge = hexset.of(h for h in hexset.members(edge) if mover.empty(h))
    return Plan("1", "9.21.1b", [*hexes(edge)], fixed=True) if edge else None


def near_objective(mover: Mover) -> Plan | None:
    """A2: next to a German VP hex, closer to the objective or within four hexes of it."""
    goal = mover.goal
    if goal is None or not mover.front_goal:
        return None
    data, near = mover.data, mover.data.tables["soviet"]["near_objective"]
    start = distance(data, mover.here, goal)
    options = [
        (h, about)
        for h, about in next_to(mover, german_vp(mover), mover.can)
        if distance(data, h, goal) < start or distance(data, h, goal) <= near
    ]
    at_home = [
        (mover.here, about)
        for about in hexset.members(german_vp(mover) & around(data, mover.here))
        if distance(data, about, goal) <= near
    ]
    preferences = [
        ("a", lambda o: mover.targets >> o[1] & 1 and not _shared(mover, o[1])),
        ("b", lambda o: -mover.strength(o[1])),
        ("c", lambda o: not crosses(mover.table, data.river("dnieper"), o[0], o[1])),
        ("d", lambda o: data.points[o[1]]),
    ]
    return settled("2", "9.21.2", mover, options, at_home, preferences)


def _shared(mover: Mover, h: Hex) -> bool:
    other = "SWF" if mover.front == "VF" else "VF"
    return bool(mover.data.targets[other] >> h & 1)


def settled(
    method: str,
    case: str,
    mover: Mover,
    options: Sequence[Option],
    at_home: Sequence[Option],
    preferences: Sequence[tuple[str, Callable[[Any], float]]],
) -> Plan | None:
    """A method that freezes who already stands by the most preferred: it goes only to one more preferred, if it can."""
    if not at_home:
        return Plan(method, case, options, preferences, about=True) if options else None

    def worth(option: Option) -> tuple[float, ...]:
        return tuple(value(option) for _, value in preferences)

    most = max(map(worth, at_home))
    better = [option for option in options if worth(option) > most and mover.may_end(option[0])]
    if better:
        return Plan(method, case, better, preferences, about=True)
    return Plan(method, case, [o for o in at_home if worth(o) == most], preferences, about=True, stays=True)


def to_soviet_vp(mover: Mover) -> Plan | None:
    """A5: a Soviet VP hex that Germans threaten; infantry to one that only armor holds, or stays in one."""
    data, table, turn = mover.data, mover.table, mover.table.position.turn
    if holds_with_armor(mover):
        return Plan("5", "9.21.5", fixed=True, stays=True)
    open_ = soviet_vp(mover) & mover.can & ~mover.now.soviet & mover.targets
    by_supply = supplied(data, mover.now, GERMAN) if data.on("to_vp_by_supply", turn) else 0
    threatened = [
        h
        for h in hexset.members(open_)
        if (by_supply >> h & 1 or german_near(table, h, mover.now)) and mover.may_end(h)
    ]
    if threatened:
        preferences = [
            ("a", lambda o: bool(mover.beside_germans(o[0]))),
            ("b", lambda o: mover.empty(o[0])),
            ("c", lambda o: data.points[o[0]]),
        ]
        return Plan("5", "9.21.5", [*hexes(hexset.of(threatened))], preferences, fixed=True)
    return relieve_armor(mover, "5", "9.21.5")


def holds_with_armor(mover: Mover) -> bool:
    """Infantry that starts in a VP hex stacked with armor only: it does not move."""
    return is_infantry(mover) and bool(soviet_vp(mover) >> mover.here & 1) and _only_armor(mover, mover.here)


def relieve_armor(mover: Mover, method: str, case: str) -> Plan | None:
    """Infantry goes to a VP hex that only armor holds."""
    if not is_infantry(mover):
        return None
    held = soviet_vp(mover) & mover.now.soviet & mover.can
    reached = [h for h in hexset.members(held) if _only_armor(mover, h)]
    return Plan(method, case, [(h, None) for h in reached], fixed=True) if reached else None


def is_infantry(mover: Mover) -> bool:
    """9.21.5: infantry, and mechanized infantry as the switch has it; not cavalry, not armor."""
    classes = mover.table.unit(mover.unit).classes
    if has_armor(mover.table, mover.unit) or "cavalry" in classes:
        return False
    return "infantry" in classes or mover.data.switch["infantry_clause"] == "mechanized infantry too"


def _only_armor(mover: Mover, h: Hex) -> bool:
    others = [unit for unit in soviets(mover.table, h) if unit != mover.unit]
    return bool(others) and all(has_armor(mover.table, unit) for unit in others)


def beside_vp(mover: Mover) -> Plan | None:
    """A6: next to a German VP hex that the front targets."""
    vp = german_vp(mover) & mover.targets
    options = next_to(mover, vp, mover.can)
    at_home = [(mover.here, about) for about in hexset.members(vp & around(mover.data, mover.here))]
    preferences = [
        ("a", lambda o: -mover.strength(o[1])),
        ("b", lambda o: mover.data.points[o[1]]),
    ]
    return settled("6", "9.21.6", mover, options, at_home, preferences)
