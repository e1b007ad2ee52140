"""Activations, markers, replacements, places: what a staff decides."""

from engine import hexset
from engine.rules.ground import held
from games.korsun_vv.data import Table
from games.korsun_vv.judgement.moving import stand
from games.korsun_vv.judgement.worth import FAR, distances, strength, waist
from games.korsun_vv.names import ACTIVATED, GERMAN, RUSSIAN
from games.korsun_vv.orders import Activate, Alarm, Allot, General, Place, Replace
from games.korsun_vv.rules.command import in_formation, may_activate
from games.korsun_vv.rules.ground import formation, is_hq, stands
from games.korsun_vv.rules.sequence import followers


def fresh(table: Table, unit: str) -> bool:
    return table.position.mark(unit, ACTIVATED) is None


def activate(table: Table, order: Activate) -> float:
    """Fresh units only: nobody is tired out for little."""
    if not fresh(table, order.hq):
        return -1.0
    taken = followers(table, order.hq)
    good = sum(1.0 for unit in taken if unit not in order.spared and fresh(table, unit))
    joined = sum(0.9 if fresh(table, unit) else -1.0 for unit in order.joined)
    return good - 1.5 * len(order.again) + joined


def general(table: Table, order: General) -> float:
    """Whoever no HQ can take along."""
    return sum(_left_out(table, unit) for unit in order.units) - 0.5


def _left_out(table: Table, unit: str) -> float:
    if not fresh(table, unit):
        return -2.0
    if is_hq(table, unit):
        return -0.5
    hq = formation(table, unit)
    led = hq and stands(table, hq) and fresh(table, hq) and in_formation(table, unit) and may_activate(table, hq)
    return -0.2 if led else 0.8 + 0.01 * strength(table, unit)


def allot(table: Table, order: Allot) -> float:
    """Markers out of the pool to HQs near the enemy."""
    value = 0.0
    for hq, marker, giver in order.allotments:
        here = table.position.hex_of(hq)
        near = 0.0
        if here is not None:
            reach = hexset.within(table.grid, 1 << here, table.data.reach[table.unit(hq).side])
            near = min(10, (reach & held(table, table.enemy(table.unit(hq).side))).bit_count()) / 10
        worth = 0.5 + 0.25 * table.data.marker(marker)["shift"] + near
        value += worth if not giver else -0.5
    return value


def replace(table: Table, order: Replace) -> float:
    return sum(1.0 + 0.1 * strength(table, unit) for unit in order.units)


def deploy(table: Table, order: Place) -> float:
    """Where the unit would stand best."""
    return 50.0 + sum(stand(table, unit, table.grid.hex(order.at)) for unit in order.units)


def alarm(table: Table, order: Alarm) -> float:
    """Before a spearhead, on the waist, where nobody else stands."""
    h = table.grid.hex(order.at)
    near = hexset.within(table.grid, 1 << h, 2)
    if held(table, GERMAN) & near or not held(table, RUSSIAN) & near:
        return -1.0
    return 0.6 - 0.2 * min(5, distances(table, order.unit).get(h, FAR)) + (0.5 if waist(table) >> h & 1 else 0.0)
