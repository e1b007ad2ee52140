"""Methods B of Soviet movement (9.22): once a front's objective is gone, from turn 5 on."""

from collections.abc import Callable

from engine import hexset
from engine.hexes import Hex
from engine.hexset import HexSet
from engine.rules.ground import number
from games.kharkov.data import GERMAN, SOVIET
from games.kharkov.rules.ground import full, soviets, steps
from games.kharkov.rules.reach import legs, reach
from games.kharkov.rules.soviet import methods_a as a
from games.kharkov.rules.soviet import vp_methods
from games.kharkov.rules.soviet.plans import Mover, Plan, hexes
from games.kharkov.rules.soviet.terms import around, distance, german_near, nearest, nearly_surrounded, ringed
from games.kharkov.rules.supply import supplied, supported

Method = Callable[[Mover], Plan | None]


def _safe(mover: Mover, h: Hex) -> bool:
    """Not nearly surrounded there."""
    return not nearly_surrounded(mover.table, mover.unit, h, mover.then(h))


def _few(mover: Mover, h: Hex, others: int) -> bool:
    """B3a: a VP hex with at most one other step in it, two in Kharkov."""
    rules = mover.data.tables["soviet"]
    kharkov = number(mover.table, h) == mover.data.tables["start"]["kharkov"]
    return others <= rules["kharkov_held_by" if kharkov else "held_by"]


def _other_steps(mover: Mover, h: Hex) -> int:
    return steps(mover.table, [unit for unit in soviets(mover.table, h) if unit != mover.unit])


def open_supply(mover: Mover) -> Plan | None:
    """B2"""
    gains = a.helped_by(mover)
    if not gains:
        return None
    helped = supported(mover.table)
    preferences = [
        ("a", lambda o: gains.get(o[0], 0)),
        ("b", lambda o: _safe(mover, o[0])),
        ("c", lambda o: helped >> o[0] & 1),
        ("d", lambda o: -nearest(mover.data, o[0], helped)),
    ]
    return Plan("B2", "9.22.2", [*hexes(hexset.of(gains))], preferences, fixed=True)


def to_soviet_vp(mover: Mover) -> Plan | None:
    """B3a, B3b"""
    data, table = mover.data, mover.table
    held = vp_methods.soviet_vp(mover)
    german = supplied(data, mover.now, GERMAN)

    def threatened(h: Hex) -> bool:
        return bool(german >> h & 1) or german_near(table, h, mover.now)

    if held >> mover.here & 1 and _few(mover, mover.here, _other_steps(mover, mover.here)) and threatened(mover.here):
        return Plan("B3", "9.22.3a", fixed=True, stays=True)
    open_ = [
        h
        for h in hexset.members(held & mover.targets & mover.can)
        if _few(mover, h, _other_steps(mover, h)) and threatened(h) and mover.may_end(h)
    ]
    if open_:
        helped = supported(table)
        preferences = [
            ("a", lambda o: not mover.now.soviet >> o[0] & 1),
            ("b", lambda o: data.points[o[0]]),
            ("c", lambda o: bool(mover.beside_germans(o[0]))),
            ("d", lambda o: helped >> o[0] & 1),
        ]
        return Plan("B3", "9.22.3a", [(h, None) for h in open_], preferences, fixed=True)
    if vp_methods.holds_with_armor(mover):
        return Plan("B3", "9.22.3b", fixed=True, stays=True)
    return vp_methods.relieve_armor(mover, "B3", "9.22.3b")


def avoid_surround(mover: Mover) -> Plan | None:
    """B4: a nearly surrounded unit outside VP hexes goes where it would not be."""
    table, data = mover.table, mover.data
    if data.vp_hexes >> mover.here & 1 or not nearly_surrounded(table, mover.unit):
        return None
    safe = hexset.of(h for h in hexset.members(mover.can) if _safe(mover, h))
    if not safe:
        return None
    helped = supported(table)
    start = nearest(data, mover.here, helped)
    preferences = [
        ("a", lambda o: helped >> o[0] & 1),
        ("b", lambda o: mover.limit >> o[0] & 1),
        ("c", lambda o: nearest(data, o[0], helped) < start),
        ("d", lambda o: not mover.occupied(o[0])),
        ("e", lambda o: not mover.beside_soviets(o[0])),
        ("f", lambda o: -distance(data, o[0], mover.here)),
    ]
    return Plan("B4", "9.22.4", [*hexes(safe)], preferences)


def _reachable_vp(mover: Mover) -> HexSet:
    """German VP hexes of the front; beyond the limit only if empty or held by one step."""
    vp = vp_methods.german_vp(mover) & mover.targets
    return _weak_beyond(mover, vp)


def _weak_beyond(mover: Mover, vp: HexSet) -> HexSet:
    table, most = mover.table, mover.data.tables["soviet"]["weakly_held"]
    weak = hexset.of(h for h in hexset.members(vp & ~mover.limit) if steps(table, table.position.at(h)) <= most)
    return vp & mover.limit | weak


def beside_vp(mover: Mover) -> Plan | None:
    """B5"""
    vp = _reachable_vp(mover)
    at_home = [(mover.here, about) for about in hexset.members(vp & around(mover.data, mover.here))]
    if at_home and not nearly_surrounded(mover.table, mover.unit):
        return Plan("B5", "9.22.5", at_home, about=True, stays=True)
    options = [(h, about) for h, about in vp_methods.next_to(mover, vp, mover.can) if _safe(mover, h)]
    preferences = [("a", lambda o: -mover.strength(o[1])), ("b", lambda o: mover.data.points[o[1]])]
    return Plan("B5", "9.22.5", options, preferences, about=True) if options else None


def toward_limit(mover: Mover) -> Plan | None:
    """B6: who is beyond the limit goes inside, or closer to it."""
    table, data = mover.table, mover.data
    if mover.limit >> mover.here & 1:
        return None
    start = nearest(data, mover.here, mover.limit)
    nearer = hexset.of(h for h in hexset.members(mover.can) if nearest(data, h, mover.limit) < start)
    if not nearer:
        return None
    helped = supported(table)
    preferences = [
        ("a", lambda o: mover.limit >> o[0] & 1),
        ("b", lambda o: not data.rim >> o[0] & 1),
        ("c", lambda o: not mover.now.soviet >> o[0] & 1 and not mover.beside_soviets(o[0])),
        ("d", lambda o: helped >> o[0] & 1),
        ("e", lambda o: -nearest(data, o[0], helped)),
        ("f", lambda o: bool(data.villages & mover.targets & 1 << o[0])),
    ]
    return Plan("B6", "9.22.6", [*hexes(nearer)], preferences)


def cause_surround(mover: Mover) -> Plan | None:
    """B7: as A4 within the limit; nor may it be nearly surrounded where it makes a new ring."""
    inside = mover.can & mover.limit
    near = hexset.within(mover.table.grid, mover.now.german, 2)
    safe = hexset.of(h for h in hexset.members(inside & near) if _rings(mover, h) and _safe(mover, h))
    return a.new_ring(mover, "B7", "9.22.7", safe) or a.close_in(mover, "B7", "9.22.7", inside)


def _rings(mover: Mover, h: Hex) -> bool:
    return bool(ringed(mover.data, mover.then(h)) & ~ringed(mover.data, mover.now))


def beside_german(mover: Mover) -> Plan | None:
    """B8: as A8, within the limit and not nearly surrounded; the only Soviet by a German stays."""
    data, table = mover.data, mover.table
    at_home = [
        (mover.here, about)
        for about in hexset.members(mover.beside_germans(mover.here))
        if not around(data, about) & a.others_of(mover) and len(soviets(table, mover.here)) == 1
    ]
    if at_home and mover.limit >> mover.here & 1 and not nearly_surrounded(table, mover.unit):
        return Plan("B8", "9.22.8", at_home, about=True, stays=True)
    options = [o for o in a.beside_german_options(mover, mover.can & mover.limit) if _safe(mover, o[0])]
    preferences = [*a.beside_german_preferences(mover), ("d", lambda o: int(number(table, o[0])))]
    return Plan("B8", "9.22.8", options, preferences, about=True) if options else None


def relieve_garrison(mover: Mover) -> Plan | None:
    """B9"""
    table, data = mover.table, mover.data
    village = bool(data.villages & mover.targets & 1 << mover.here)
    if village and german_near(table, mover.here, mover.now):
        return Plan("B9", "9.22.9", fixed=True, stays=True)
    found = [h for h in a.threatened_garrisons(mover) if mover.limit >> h & 1]
    preferences = [
        ("relieves", lambda o: o[0] in found),
        ("a", lambda o: bool(mover.beside_germans(o[0]))),
        ("b", lambda o: german_near(table, o[0], mover.now)),
    ]
    return Plan("B9", "9.22.9", [(h, None) for h in found], preferences) if found else None


def follow_arrows(mover: Mover) -> Plan | None:
    """B10"""
    ends = {h: primary for h, primary in a.arrow_ends(mover).items() if mover.limit >> h & 1}
    if not ends:
        return None
    preferences = [
        ("a", lambda o: not mover.occupied(o[0])),
        ("b", lambda o: distance(mover.data, o[0], mover.here)),
        ("c", lambda o: ends.get(o[0], -1)),
    ]
    return Plan("B10", "9.22.10", [*hexes(hexset.of(ends) & mover.can)], preferences)


def near_vp(mover: Mover) -> Plan | None:
    """B11: proximate to a German VP hex of the front; of no front, if the front has none left."""
    data = mover.data
    vp = _reachable_vp(mover)
    if not vp_methods.german_vp(mover) & mover.targets:
        free = vp_methods.german_vp(mover) & ~data.targets["VF"] & ~data.targets["SWF"]
        vp = _weak_beyond(mover, free)
    if not vp:
        return None
    options = [
        (h, about)
        for about in hexset.members(vp)
        for h in hexset.members(mover.can)
        if near_from(mover, h, about) and _gains(mover, h, about)
    ]
    traced = supplied(data, mover.now, SOVIET)
    preferences = [
        ("a", lambda o: around(data, o[1]) >> o[0] & 1),
        ("b", lambda o: traced >> o[0] & 1),
        ("c", lambda o: -distance(data, o[0], o[1])),
    ]
    return Plan("B11", "9.22.11", options, preferences, about=True) if options else None


def near_from(mover: Mover, h: Hex, about: Hex) -> bool:
    """9.3-proximate: whether the unit, were it in a hex, could enter an empty VP hex, or come next to Germans in it."""
    data = mover.data
    close = around(data, about) if mover.now.german >> about & 1 else 1 << about
    if close >> h & 1:
        return True
    how = legs(mover.table, mover.unit)
    room = ~full(mover.table, SOVIET, mover.table.position.steps_left(mover.unit))
    return bool(reach(data, mover.now, how, h) & room & close)


def _gains(mover: Mover, h: Hex, about: Hex) -> bool:
    """It becomes proximate; one that is so already only goes nearer."""
    nearer = distance(mover.data, h, about) < distance(mover.data, mover.here, about)
    return nearer or not near_from(mover, mover.here, about)


DESCENDING = frozenset({1, 2, 7, 8, 9})
METHODS: dict[int, Method] = {
    1: vp_methods.take_vp, 2: open_supply, 3: to_soviet_vp, 4: avoid_surround, 5: beside_vp, 6: toward_limit,
    7: cause_surround, 8: beside_german, 9: relieve_garrison, 10: follow_arrows, 11: near_vp,
}  # fmt: skip


def methods(mover: Mover, method: int) -> Plan | None:
    return METHODS[method](mover)
