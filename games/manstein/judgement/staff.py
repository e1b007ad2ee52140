"""Chits and commands: which HQ, which units, when to interrupt, where newcomers go."""

from collections import Counter

from engine import hexset
from engine.hexes import Hex
from engine.rules.ground import place
from engine.rules.marks import game_mark
from engine.table import kept
from games.manstein.data import Table
from games.manstein.judgement import fuhrer
from games.manstein.judgement.moving import stand
from games.manstein.judgement.outlook import threat, to_enemy
from games.manstein.judgement.worth import weights
from games.manstein.orders import Activate, Direct, EnterChits, Place, Select
from games.manstein.rules.activation import MANSTEIN, ZHUKOV, counter_of, in_range
from games.manstein.rules.airborne import zones
from games.manstein.rules.chits import cup_count
from games.manstein.rules.crossings import under_order
from games.manstein.rules.ground import SOVIET, is_hq, is_mech
from games.manstein.rules.odds import strength

NEAR = 3  # hexes from the enemy within which an activated unit has something to do


@kept
def _contact(table: Table, hq: str) -> float:
    """How much an HQ commands near the enemy."""
    if table.position.hex_of(hq) is None:
        return 0.0
    side = table.unit(hq).side
    busy = sum(1 for unit in in_range(table, hq) if to_enemy(table, side, place(table, unit)) <= NEAR)
    return weights("staff")["contact"] * busy


def selection(table: Table, side: str, order: Select) -> float:
    """Chits by what their HQs command; reinforcements while there are any; Manstein for what he can obtain."""
    w = weights("staff")
    rows = table.data.chits[side]
    value = 1.0
    for chit, count in Counter(order.chits).items():
        if "hq" in rows[chit]:
            each = _contact(table, counter_of(table, rows[chit]["hq"]))
            value += each * (1.0 if count == 1 else 1.0 + w["again"])
        elif chit == ZHUKOV:
            value += w["zhukov"]
        elif chit == MANSTEIN:
            value += w["manstein"] * count
        else:
            value += (w["groups"] if _groups_to_come(table) else 0.0) + (
                _landing(table, w["drop"]) if chit == "Abn" else 0.0
            )
    held_back = Counter(order.held)
    value -= 0.5 * sum(count for chit, count in held_back.items() if chit != MANSTEIN)
    return value + held_back[MANSTEIN] * (w["kept"] if not fuhrer.useful(table) else -w["kept"])


def _landing(table: Table, usual: float) -> float:
    """What the airborne corps is worth: the game, if a city under an Absolute Order lies open to it."""
    open_cities = hexset.members(zones(table) & table.data.cities)
    return weights(SOVIET)["ordered"] if any(under_order(table, h) for h in open_cities) else usual


def _groups_to_come(table: Table) -> bool:
    groups = table.data.tables["reinforcements"]["groups"]
    return table.position.tracks.get("groups", 0) < len(groups)


def enter(table: Table, order: EnterChits) -> float:
    """Chits of HQs before it is too late."""
    plain = sum(1 for chit in order.chits if chit != MANSTEIN)
    return (1.0 if cup_count(table) <= 2 else -1.0) * plain - 2.0 * (len(order.chits) - plain)


def interrupt(table: Table) -> float:
    """Before a Front strikes late in the turn, or when nothing else is left to draw."""
    if cup_count(table) == 0:
        return 1.0
    front = "hq" in table.data.chits[SOVIET].get(game_mark(table, "drawn"), ())
    return 1.0 if front and cup_count(table) <= weights("staff")["strike"] else -1.0


def activate(table: Table, order: Activate) -> float:
    return 0.5 + _contact(table, order.hq)


def direct(table: Table, order: Direct) -> float:
    """The strongest units near the enemy, wherever they stand."""
    value = 0.0
    for unit in order.units:
        near = to_enemy(table, table.unit(unit).side, place(table, unit)) <= NEAR + 1
        if near and not is_hq(table, unit):
            value += 0.02 * strength(table, unit, "attack") * (1.5 if is_mech(table, unit) else 0.7)
        else:
            value -= 0.1
    return value


def deploy(table: Table, order: Place) -> float:
    """Reinforcements and reserves where they stand well."""
    h = table.grid.hex(order.at)
    return 60.0 + sum(stand(table, unit, h) for unit in order.units)


def drop(table: Table, h: Hex) -> float:
    """Where it takes a crossing point or a city, away from the enemy's strength."""
    w = weights(SOVIET)
    value = 1.0
    if table.data.cities >> h & 1:
        value += w["ordered" if under_order(table, h) else "city"]
    if h in table.data.crossings:
        value += 2 * weights("place")["crossing"]
    return value + 2.0 / (1 + threat(table, SOVIET)[h])
