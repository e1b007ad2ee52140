"""Which card for which command: reserves early, then the corps that has most to do."""

from engine import hexset
from engine.orders.order import Order
from engine.rules.ground import place
from engine.table import kept
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table
from games.kharkov.judgement.outlook import goals
from games.kharkov.rules import cards
from games.kharkov.rules.deployment import deployable, of_corps
from games.kharkov.rules.fields import field
from games.kharkov.rules.ground import is_dispersed, is_supplied, on_map
from games.kharkov.rules.impulse import activated_by
from games.kharkov.rules.soviet.terms import distance

DEPLOYED, REPLACED, WILD = 2.0, 1.5, 1.0
EVENTS = {"airpower": 2.5, "air interdiction": 1.5, "engineers": 0.7, "over extended": 2.0}


def command(table: Table, order: Order) -> float:
    """What a card is played for; a wild card is better kept for combat."""
    match order:
        case o.Deploy():
            return DEPLOYED * len(deployable(table, of_corps(table, order.corps))) - _dear(table, order.card)
        case o.Activate() | o.Kampfgruppe():
            return sum(task(table, unit) for unit in activated_by(table, order)) - _dear(table, order.card)
        case o.Single():
            return 0.3 * task(table, order.unit) - _dear(table, order.card)
        case o.Replace():
            return REPLACED * len(order.units) - (_dear(table, order.card) if order.card else 0.0)
        case o.PlayEvent():
            return EVENTS[order.event] * len(order.at) - 1.0 - _dear(table, order.card)
    return 0.0


def _dear(table: Table, card: str) -> float:
    return WILD if "wild" in cards.german(table, card)["tactics"] else 0.0


@kept
def tasks(table: Table) -> dict[str, float]:
    """What each unit would have to do if it were active."""
    near = hexset.within(table.grid, field(table).soviet, 2)
    wanted = [goal for goal, weight in goals(table).items() if weight >= 1.0]
    found = {}
    for unit in on_map(table, GERMAN):
        h = place(table, unit)
        idle = 0.4 if any(2 <= distance(table.data, h, goal) <= 6 for goal in wanted) else 0.15
        value = 0.8 if near >> h & 1 else idle
        found[unit] = 1.0 if is_dispersed(table, unit) else value if is_supplied(table, unit) else value / 2
    return found


def task(table: Table, unit: str) -> float:
    return tasks(table)[unit]
