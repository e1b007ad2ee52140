"""Chits, commands and negotiation: which HQ, which units, what to ask of the Fuhrer."""

from __future__ import annotations

from collections import Counter

from engine import hexset
from engine.hexes import Hex
from engine.rules.ground import held, place
from engine.rules.marks import game_mark
from engine.table import Table
from games.manstein.judgement.moving import stand
from games.manstein.judgement.worth import far_from, threat
from games.manstein.orders import Activate, Buy, CancelOrder, Direct, EnterChits, Place, Select
from games.manstein.rules.activation import MANSTEIN, counter_of, in_range
from games.manstein.rules.chits import cup_count
from games.manstein.rules.ground import AXIS, SOVIET, is_hq, is_mech
from games.manstein.rules.negotiation import left, price
from games.manstein.rules.odds import strength

ALARM = 4  # hexes at which the enemy threatens a city


def _contact(table: Table, hq: str) -> float:
    """How much an HQ commands near the enemy."""
    if table.position.hex_of(hq) is None:
        return 0.0
    enemy = table.enemy(table.unit(hq).side)
    near = hexset.within(table.grid, held(table, enemy), 3)
    return 0.1 * sum(1 for unit in in_range(table, hq) if near >> place(table, unit) & 1)


def selection(table: Table, side: str, order: Select) -> float:
    """Chits by what their HQs command; reinforcements while there are any."""
    value = 1.0
    rows = table.data.chits(side)
    groups = len(table.data.tables["reinforcements"]["groups"])
    more = table.position.tracks.get("groups", 0) < groups
    for chit, count in Counter(order.chits).items():
        if "hq" in rows[chit]:
            each = _contact(table, counter_of(table, rows[chit]["hq"]))
            value += each * (1.0 if count == 1 else 1.8)
        elif chit in ("Reinf", "Abn"):
            value += (2.4 if more else 0.0) + (0.5 if chit == "Abn" else 0.0)
        else:
            value += 1.6 * count
    held_back = Counter(order.held)
    value -= 0.5 * sum(n for chit, n in held_back.items() if chit != MANSTEIN)
    spare = held_back[MANSTEIN] == 1 and Counter(order.chits)[MANSTEIN] == 2
    danger = any(_in_danger(table, city) for city in hexset.members(table.data.cities))
    return value + (0.3 if spare and not danger else 0.0) - 0.2 * danger * held_back[MANSTEIN]


def enter(table: Table, order: EnterChits) -> float:
    """Chits of HQs before it is too late."""
    plain = sum(1 for chit in order.chits if chit != MANSTEIN)
    return (1.0 if cup_count(table) <= 2 else -1.0) * plain - 2.0 * (len(order.chits) - plain)


def interrupt(table: Table) -> float:
    """Before a Front strikes late in the turn, or when nothing else is left to draw."""
    chit = game_mark(table, "drawn")
    if cup_count(table) == 0:
        return 1.0
    hq = table.data.chits(SOVIET).get(chit, {}).get("hq", "")
    return 1.0 if hq and cup_count(table) <= 4 else -1.0


def activate(table: Table, order: Activate) -> float:
    return 0.5 + _contact(table, order.hq)


def direct(table: Table, order: Direct) -> float:
    """The strongest units near the enemy, wherever they stand."""
    near = hexset.within(table.grid, held(table, SOVIET), 4)
    value = 0.0
    for unit in order.units:
        if near >> place(table, unit) & 1 and not is_hq(table, unit):
            value += 0.02 * strength(table, unit, "attack") * (1.5 if is_mech(table, unit) else 0.7)
        else:
            value -= 0.1
    return value


def negotiate(table: Table) -> float:
    """One negotiation a turn, as long as there is something to be had."""
    again = table.position.pools.get("played", ()).count(MANSTEIN) > 1
    return 0.4 if again else 4.0


def lift(table: Table, order: CancelOrder) -> float:
    """The order of a city that the enemy is close to."""
    h = table.grid.hex(order.city)
    far = far_from(table, held(table, SOVIET)).get(h, 60)
    return 20.0 - far if far <= ALARM else 0.0


def buy(table: Table, order: Buy) -> float:
    """Strength for its price, placed where it stands well; points are kept for a city in danger."""
    cost = price(table, table.position.where[order.unit])
    threatened = [c for c in hexset.members(table.data.cities) if _in_danger(table, c)]
    if threatened and price(table, "cancel") <= left(table) < price(table, "cancel") + cost:
        return 0.0
    power = table.position.value(order.unit, "attack") + table.position.value(order.unit, "defence")
    return 3.0 + 0.4 * power / cost + 0.3 * stand(table, order.unit, table.grid.hex(order.at))


def _in_danger(table: Table, h: Hex) -> bool:
    ordered = table.position.mark(f"@{table.grid.number_of(h)}", "absolute order") is not None
    return ordered and far_from(table, held(table, SOVIET)).get(h, 60) <= ALARM


def deploy(table: Table, order: Place) -> float:
    """Reinforcements where they stand well, reserves in the cities that are in danger."""
    h = table.grid.hex(order.at)
    value = 30.0
    for unit in order.units:
        if table.unit(unit).side == AXIS:
            value += 3.0 - 0.1 * far_from(table, held(table, SOVIET)).get(h, 60)
            value -= 4.0 * len(table.position.at(h))
        else:
            value += stand(table, unit, h)
    return value


def drop(table: Table, h: Hex) -> float:
    """Where it takes a crossing point or a city, away from the enemy's strength."""
    value = 1.0
    if table.data.cities >> h & 1:
        ordered = table.position.mark(f"@{table.grid.number_of(h)}", "absolute order") is not None
        value += 100.0 if ordered else 8.0
    if h in table.data.crossings:
        value += 3.0
    return value + 2.0 / (1 + threat(table, SOVIET).get(h, 0))
