"""The hand of a reader: the cards he holds, and what each of them may be played for now."""

from collections.abc import Iterator
from typing import Any

from engine.asks import Ask
from engine.orders.choice import Choice
from engine.reference import CardHand
from engine.table import Table
from pbem.report.report import HeldCard, ShownHand

MOST_USES = 8  # lines that are told of a card; the order board has all
ELLIPSIS = "\u2026"


def held(table: Table, side: str) -> Iterator[tuple[CardHand, str]]:
    """The cards that a side holds, as far as its view goes."""
    for hand in table.game.hands:
        if hand.side == side:
            yield from ((hand, card) for card in table.position.pools.get(hand.pool, ()))


def shown_hand(table: Table, side: str, ask: Ask | None) -> ShownHand | None:
    """The reader's hand while something is asked of him; None if he holds no card."""
    if ask is None:
        return None
    choices = ask.choices()
    cards = [HeldCard(card, hand.faces[card], tuple(_uses(choices, card))) for hand, card in held(table, side)]
    return ShownHand(tuple(cards)) if cards else None


def _uses(choices: list[Choice], card: str) -> Iterator[str]:
    """The lines that name a card; a line that still wants something says how much there is to choose from."""
    found = [_line(choice, card) for choice in choices if names(choice.given, card)]
    yield from found[:MOST_USES]
    if len(found) > MOST_USES:
        yield f"{len(found) - MOST_USES} more lines"


def names(given: Any, card: str) -> bool:
    """Whether a card is among what is said, alone, in a list, or with what it stands for."""
    if isinstance(given, dict):
        return any(names(value, card) for value in given.values())
    if isinstance(given, tuple):
        return any(names(value, card) for value in given)
    return bool(given == card)


def _line(choice: Choice, card: str) -> str:
    """Without the card itself, which stands beside it."""
    given = {name: value for name, value in choice.given.items() if value != card}
    if choice.complete:
        return choice.kind.shape.begun(given, "")
    return f"{choice.kind.shape.gapped(given, choice.field, ELLIPSIS)} ({len(choice.values)} to choose from)"
