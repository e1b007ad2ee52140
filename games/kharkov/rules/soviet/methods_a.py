"""Methods A of Soviet movement (9.21), one function each: what it offers a unit, or nothing."""

from collections.abc import Callable
from typing import Any

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import place
from engine.rules.movement import cost_of_step
from games.kharkov.data import GERMAN, HALF, SOVIET
from games.kharkov.rules.fields import supposed
from games.kharkov.rules.ground import (
    army,
    front,
    germans,
    has_armor,
    is_active,
    is_supplied,
    on_map,
    soviets,
)
from games.kharkov.rules.reach import _ferried as ferried
from games.kharkov.rules.reach import _ground, legs
from games.kharkov.rules.soviet.plans import Mover, Option, Plan, hexes
from games.kharkov.rules.soviet.terms import around, distance, german_near, ringed, westward
from games.kharkov.rules.soviet.vp_methods import beside_vp, near_objective, next_to, take_vp, to_soviet_vp
from games.kharkov.rules.supply import supplied

Method = Callable[[Mover], Plan | None]
STRONGEST = 999  # stronger than any German stack


def open_supply(mover: Mover) -> Plan | None:
    """A3: where it would let units of the front trace that cannot now."""
    if not mover.data.on("open_supply_line", mover.table.position.turn):
        return None
    gains = helped_by(mover)
    return (
        Plan("3", "9.21.3", [*hexes(hexset.of(gains))], [("most", lambda o: gains.get(o[0], 0))], fixed=True)
        if gains
        else None
    )


def helped_by(mover: Mover) -> dict[Hex, int]:
    """How many units that cannot trace supply could, one of the mover's front among them, by where the mover stands."""
    table, data = mover.table, mover.data
    traced = supplied(data, mover.now, SOVIET)
    lacking = [unit for unit in on_map(table, SOVIET) if not traced >> place(table, unit) & 1]
    if not any(front(table, unit) == mover.front for unit in lacking):
        return {}
    found = {}
    for h in hexset.members(mover.can):
        after = supplied(data, mover.then(h), SOVIET)
        helped = [unit for unit in lacking if after >> (h if unit == mover.unit else place(table, unit)) & 1]
        if any(front(table, unit) == mover.front for unit in helped):
            found[h] = len(helped)
    return found


def cause_surround(mover: Mover) -> Plan | None:
    """A4: where it makes a German unit surrounded that was not; who does so from afar moves next to it."""
    return new_ring(mover, "4", "9.21.4", mover.can) or close_in(mover, "4", "9.21.4", mover.can)


def new_ring(mover: Mover, method: str, case: str, among: HexSet) -> Plan | None:
    """The hexes among these that surround a German unit not surrounded now."""
    data, table = mover.data, mover.table
    before = ringed(data, mover.now)
    near = hexset.within(table.grid, mover.now.german & ~before, 2)
    rings = {}
    for h in hexset.members(among & near):
        caught = ringed(data, mover.then(h)) & ~before
        if caught and mover.may_end(h):
            rings[h] = caught
    if not rings:
        return None
    traced = supplied(data, mover.now, GERMAN)

    def cuts(option: Option) -> bool:
        return bool(mover.now.german & traced & ~supplied(data, mover.then(option[0]), GERMAN))

    options: list[Option] = []
    for h, caught in rings.items():
        beside = [*hexset.members(around(data, h) & caught)]
        options += [(h, there) for there in beside] or [(h, None)]
    preferences = [
        ("a", lambda o: sum(len(germans(table, h)) for h in hexset.members(rings.get(o[0], 0)))),
        ("b", lambda o: bool(around(data, o[0]) & rings.get(o[0], 0))),
        ("c", cuts),
        ("d", lambda o: not mover.beside_soviets(o[0])),
    ]
    return Plan(method, case, options, preferences, about=True)


def close_in(mover: Mover, method: str, case: str, among: HexSet) -> Plan | None:
    """A unit that causes a surround from afar moves next to the German, if it can and the ring holds."""
    data = mover.data
    caused = ringed(data, mover.now) & ~ringed(data, supposed(mover.table, mover.unit, None))
    if not caused or around(data, mover.here) & caused:
        return None
    options = [(h, about) for h, about in next_to(mover, caused, among) if not caused & ~ringed(data, mover.then(h))]
    return Plan(method, case, options, about=True) if options else None


def beside_logistics(mover: Mover) -> Plan | None:
    """A7: next to an unsurrounded German unit in a logistics hex of the front."""
    data = mover.data
    wanted = mover.now.german & data.logistics[mover.front] & ~ringed(data, mover.now)
    at_home = [(mover.here, about) for about in hexset.members(wanted & around(data, mover.here))]
    if at_home:
        return Plan("7", "9.21.7", at_home, stays=True, about=True)
    options = next_to(mover, wanted, mover.can)
    preferences = [("a", lambda o: -mover.strength(o[1])), ("b", lambda o: -westward(data, o[1]))]
    return Plan("7", "9.21.7", options, preferences, about=True) if options else None


def beside_german(mover: Mover) -> Plan | None:
    """A8: an unoccupied hex next to a German unit, but not next to a Soviet that touches it already."""
    at_home = [
        (mover.here, about)
        for about in hexset.members(mover.beside_germans(mover.here))
        if _apart(mover, mover.here, about)
    ]
    alone = len(soviets(mover.table, mover.here)) == 1
    if at_home and alone:
        return Plan("8", "9.21.8", at_home, about=True, stays=True)
    options = beside_german_options(mover, mover.can)
    return Plan("8", "9.21.8", options, beside_german_preferences(mover), about=True) if options else None


def beside_german_options(mover: Mover, among: HexSet) -> list[Option]:
    return [
        (h, about)
        for h, about in next_to(mover, mover.now.german, among)
        if about is not None and not mover.occupied(h) and _apart(mover, h, about)
    ]


def beside_german_preferences(mover: Mover) -> list[tuple[str, Callable[[Any], float]]]:
    data = mover.data
    others = others_of(mover)
    return [
        ("a", lambda o: sum(len(germans(mover.table, h)) for h in hexset.members(mover.beside_germans(o[0])))),
        ("b", lambda o: not around(data, o[1]) & others),
        ("c", lambda o: -distance(data, mover.here, o[1])),
    ]


def others_of(mover: Mover) -> HexSet:
    """Where Soviets stand, the mover apart."""
    own = 1 << mover.here if len(soviets(mover.table, mover.here)) == 1 else 0
    return mover.now.soviet & ~own


def _apart(mover: Mover, h: Hex, about: Hex) -> bool:
    """Not next to a Soviet unit that already touches that German."""
    touching = around(mover.data, about) & others_of(mover) & ~(1 << h)
    return not around(mover.data, h) & touching


def relieve_garrison(mover: Mover) -> Plan | None:
    """A9: a garrisoned hex of the front that Germans threaten and Soviet supply reaches."""
    if not mover.data.on("relieve_garrison", mover.table.position.turn):
        return None
    found = [h for h in threatened_garrisons(mover) if mover.data.vp_hexes >> h & 1 or not mover.beside_soviets(h)]
    preferences = [
        ("relieves", lambda o: o[0] in found),
        ("adjacent", lambda o: bool(mover.beside_germans(o[0]))),
    ]
    return Plan("9", "9.21.9", [(h, None) for h in found], preferences) if found else None


def threatened_garrisons(mover: Mover) -> list[Hex]:
    data, table = mover.data, mover.table
    hexes_ = mover.now.garrisons & mover.targets & mover.can & supplied(data, mover.now, SOVIET)
    german = supplied(data, mover.now, GERMAN)
    return [h for h in hexset.members(hexes_) if german >> h & 1 or german_near(table, h, mover.now)]


def follow_arrows(mover: Mover) -> Plan | None:
    """A10: along the arrows, if the whole allowance can be spent."""
    ends = arrow_ends(mover)
    if not ends:
        return None
    data, goal = mover.data, mover.goal
    preferences = [
        ("a", lambda o: not mover.occupied(o[0])),
        ("b", lambda o: distance(data, o[0], mover.here)),
        ("c", lambda o: -distance(data, o[0], goal) if goal is not None else 0),
        ("d", lambda o: ends.get(o[0], -1)),
    ]
    return Plan("10", "9.21.10", [*hexes(hexset.of(ends) & mover.can)], preferences)


def arrow_ends(mover: Mover) -> dict[Hex, int]:
    """Where arrows lead with no movement points left, and how many primary ones were followed."""
    data, table = mover.data, mover.table
    how = legs(table, mover.unit)
    exits, zoc, stop = _ground(data, mover.now, how)
    leaving = data.tables["movement"]["leave_zoc"] * HALF if zoc >> mover.here & 1 else 0
    found: dict[Hex, int] = {}

    def go(h: Hex, left: int, primary: int, first: bool) -> None:
        if left == 0 and not first:
            found[h] = max(found.get(h, -1), primary)
            return
        if not first and stop >> h & 1:
            return
        for which in ("primary", "secondary"):
            there = data.arrow(mover.front, h, which)
            if there is None:
                continue
            cost = cost_of_step(exits, table.grid, h, there)
            if cost is None and first and ferried(data, mover.now, how, h, there):
                cost = how.points - leaving  # 10.31: the Dniepr takes all
            if cost is None or (first and leaving and zoc >> there & 1):
                continue
            after = left - cost - (leaving if first else 0)
            if after >= 0:
                go(there, after, primary + (which == "primary"), False)

    go(mover.here, how.points, 0, True)
    return found


def toward_objective(mover: Mover) -> Plan | None:
    """A11: strictly closer to the front's objective."""
    goal = mover.front_goal
    if goal is None:
        return None
    data = mover.data
    start = distance(data, mover.here, goal)
    closer = hexset.of(h for h in hexset.members(mover.can) if distance(data, h, goal) < start)
    if not closer:
        return None
    preferences = [
        ("a", lambda o: -distance(data, o[0], goal)),
        ("b", lambda o: -mover.strength(o[1]) if o[1] is not None else -STRONGEST),
        ("c", lambda o: mover.empty(o[0])),
    ]
    options = [(h, _weakest(mover, h, goal)) for h in hexset.members(closer)]
    return Plan("11", "9.21.11", options, preferences, about=True)


def _weakest(mover: Mover, h: Hex, goal: Hex) -> Hex | None:
    """11b: the German hex of least strength beside a hex, the nearer to the objective of two; it stays the target."""
    near = [*hexset.members(mover.beside_germans(h))]
    return min(near, key=lambda g: (mover.strength(g), distance(mover.data, g, goal), g), default=None)


def strengthen(mover: Mover) -> Plan | None:
    """A12: who touches no German goes where another active unit touches one."""
    if mover.beside_germans(mover.here):
        return None
    table = mover.table
    touched = 0
    for unit in on_map(table, SOVIET):
        if unit != mover.unit and is_active(table, unit):
            touched |= mover.beside_germans(place(table, unit))
    options = next_to(mover, touched, mover.can)
    return Plan("12", "9.21.12", options, about=True) if options else None


def skips(mover: Mover) -> bool:
    """9.21.S: spearheads skip methods 4 to 9, unless in a town or city."""
    table, data, turn = mover.table, mover.data, mover.table.position.turn
    if army(table, mover.unit) not in data.tables["soviet"]["spearheads"]:
        return False
    if mover.front_goal is None or not is_supplied(table, mover.unit):
        return False
    if data.towns >> mover.here & 1:
        return False
    if data.on("spearheads", turn):
        return True
    return data.on("armored_spearheads", turn) and has_armor(table, mover.unit)


DESCENDING = frozenset({1, 3, 4, 5, 7, 8, 9})
METHODS: dict[int, Method] = {
    1: take_vp, 2: near_objective, 3: open_supply, 4: cause_surround, 5: to_soviet_vp, 6: beside_vp,
    7: beside_logistics, 8: beside_german, 9: relieve_garrison, 10: follow_arrows, 11: toward_objective, 12: strengthen,
}  # fmt: skip


def methods(mover: Mover, method: int) -> Plan | None:
    if 4 <= method <= 9 and skips(mover):
        return None
    return METHODS[method](mover)
