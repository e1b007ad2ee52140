"""Attacks by their odds, cards in defence, advances."""

from engine.asks import Ask
from engine.rules.ground import place
from games.kharkov import orders as o
from games.kharkov.data import Table
from games.kharkov.judgement.outlook import worth
from games.kharkov.rules import cards
from games.kharkov.rules.ground import is_dispersed, is_supplied, soviets, strength

ODDS = {"city": 3.0, "town": 2.4, "woods": 2.1, "marsh": 2.1, "broken": 1.9, "clear": 1.7}  # at least, to attack
PER_CARD, KEPT = 0.4, 2  # what a card adds to the odds; cards that are kept in hand


def attack(table: Table, order: o.Attack) -> float:
    """The odds over what the ground asks for; points and unready defenders make it worth more."""
    h = table.grid.hex(order.target)
    there = soviets(table, h)
    ratio = strength(table, [*order.units, *order.helpers]) / max(1, strength(table, there))
    spent = len(order.cards)
    if len(cards.in_hand(table)) - spent < KEPT and spent:
        return -1.0
    ready = [unit for unit in there if is_supplied(table, unit) and not is_dispersed(table, unit)]
    ratio += PER_CARD * spent + (0.0 if ready else 0.6)
    over = ratio - ODDS[table.data.terrain(h)]
    return over + 0.3 * table.data.points.get(h, 0) - 0.3 * spent if over > 0 else -1.0


def defend(table: Table, ask: Ask, order: o.Defend) -> float:
    """A card for a town that scores, or against long odds, while some are left."""
    left = len(cards.in_hand(table)) - len(order.cards)
    ratio = dict(ask.amounts).get("ratio", 0)
    value = table.data.points.get(table.grid.hex(ask.subject), 0)
    wanted = value + (1 if 2 <= ratio <= 5 else 0)
    return wanted - len(order.cards) * (1.2 if left >= KEPT else 3.0)


def advance(table: Table, order: o.Advance) -> float:
    """As a move: where the units would be of more use."""
    found = 0.0
    for unit, path in order.paths:
        if path:
            found += worth(table, unit, table.grid.hex(path[-1])) - worth(table, unit, place(table, unit))
    return found
