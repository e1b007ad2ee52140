"""Which card for which command: reserves early, then the corps that has most to do."""

from engine import hexset
from engine.orders.order import Order
from engine.rules.ground import place
from engine.table import kept
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table
from games.kharkov.judgement.danger import enemy_distance
from games.kharkov.judgement.outlook import beside, better, blow, zeal
from games.kharkov.rules import cards
from games.kharkov.rules.activation import may_dig
from games.kharkov.rules.deployment import deployable, of_corps
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import fits, is_dispersed, is_supplied
from games.kharkov.rules.impulse import activated_by
from games.kharkov.rules.reach import legs, reach
from games.kharkov.rules.soviet.terms import around

DEPLOYED, REPLACED, WILD = 2.0, 0.9, 0.5
RALLIED, DUG, ASSAULT = 0.8, 0.15, 1.0
EVENTS = {"airpower": 1.5, "air interdiction": 1.0, "engineers": 0.25, "over extended": 1.2}


def command(table: Table, order: Order) -> float:
    """What a card is played for; a wild card is better kept for combat."""
    match order:
        case o.Deploy():
            return DEPLOYED * len(deployable(table, of_corps(table, order.corps))) - _dear(table, order.card)
        case o.Activate() | o.Kampfgruppe():
            return 0.1 + sum(task(table, unit) for unit in activated_by(table, order)) - _dear(table, order.card)
        case o.Single():
            return 0.05 + 0.8 * task(table, order.unit) - _dear(table, order.card)
        case o.Replace():
            return REPLACED * len(order.units) - (_dear(table, order.card) if order.card else 0.0)
        case o.PlayEvent():
            return EVENTS[order.event] * len(order.at) - _dear(table, order.card)
    return 0.0


def _dear(table: Table, card: str) -> float:
    return WILD if "wild" in cards.german(table, card)["tactics"] else 0.0


@kept
def _tasks(table: Table) -> dict[str, float]:
    """What was asked for, until something happens."""
    return {}


def task(table: Table, unit: str) -> float:
    """What a unit would have to do if it were active."""
    known = _tasks(table)
    if unit not in known:
        known[unit] = _task(table, unit)
    return known[unit]


def _task(table: Table, unit: str) -> float:
    if is_dispersed(table, unit):
        return RALLIED
    here = place(table, unit)
    can = reach(table.data, field(table), legs(table, unit), here) & ~(1 << here)
    moves = (better(table, unit, h) for h in hexset.members(can) if fits(table, GERMAN, h, [unit]))
    dug = DUG if may_dig(table, here) and enemy_distance(table, here) <= 3 and is_supplied(table, unit) else 0.0
    return max(0.0, dug, _blow(table, unit), max(moves, default=0.0))


def _blow(table: Table, unit: str) -> float:
    """What it could beat where it stands, together with those beside it."""
    near = hexset.members(around(table.data, place(table, unit)) & field(table).soviet)
    return ASSAULT * zeal(table) * max((blow(table, n, beside(table, n)) for n in near), default=0.0)
