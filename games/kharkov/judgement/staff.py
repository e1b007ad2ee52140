"""Which card for which command: reserves early, then the corps that has most to do."""

from collections.abc import Sequence

from engine.orders.order import Order
from engine.rules.ground import place
from engine.table import kept
from games.kharkov import orders as o
from games.kharkov.data import GERMAN, Table
from games.kharkov.judgement.danger import enemy_distance
from games.kharkov.judgement.blows import plan, spots
from games.kharkov.judgement.outlook import EFFORT, best_of, zeal
from games.kharkov.rules import cards
from games.kharkov.rules.activation import may_dig
from games.kharkov.rules.deployment import deployable, of_corps
from games.kharkov.rules.ground import full, is_dispersed, is_supplied
from games.kharkov.rules.impulse import activated_by

DEPLOYED, REPLACED, WILD = 2.0, 0.9, 0.5
RALLIED, DUG = 0.8, 0.15
BLOWS, REST = 1.0, 0.6  # of an activation: its blows, what else its units do
EVENTS = {"airpower": 1.5, "air interdiction": 1.0, "engineers": 0.25, "over extended": 1.2}


def command(table: Table, order: Order) -> float:
    """What a card is played for; a wild card is better kept for combat."""
    match order:
        case o.Deploy():
            return DEPLOYED * len(deployable(table, of_corps(table, order.corps))) - _dear(table, order.card)
        case o.Activate() | o.Kampfgruppe():
            return 0.1 + activation(table, activated_by(table, order), order.card) - _dear(table, order.card)
        case o.Single():
            return 0.05 + 0.8 * task(table, order.unit) - _dear(table, order.card)
        case o.Replace():
            return REPLACED * len(order.units) - (_dear(table, order.card) if order.card else 0.0)
        case o.PlayEvent():
            return EVENTS[order.event] * len(order.at) - _dear(table, order.card)
    return 0.0


def _dear(table: Table, card: str) -> float:
    return WILD if "wild" in cards.german(table, card)["tactics"] else 0.0


def activation(table: Table, units: Sequence[str], card: str) -> float:
    """The blows that these units could strike, and what the others would have to do."""
    blows = plan(table, frozenset(units), cards.german(table, card)["value"])
    return BLOWS * zeal(table) * blows.worth + REST * sum(task(table, u) for u in units if u not in blows.placed)


@kept
def task(table: Table, unit: str) -> float:
    """What a unit would have to do if it were active, blows apart."""
    if is_dispersed(table, unit):
        return RALLIED
    here = place(table, unit)
    _, moved = best_of(table, unit, spots(table, unit) & ~(1 << here) & ~full(table, GERMAN, 1))
    dug = DUG if may_dig(table, here) and enemy_distance(table, here) <= 3 and is_supplied(table, unit) else 0.0
    return max(0.0, dug, moved - EFFORT)
