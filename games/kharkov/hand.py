"""The player's hand as cards, and the pools of which no letter tells: what comes of them is told where it happens."""

from collections.abc import Iterator

from engine.reference import CardFace, Hand
from games.kharkov.data import GERMAN, tables
from games.kharkov.rules import cards
from games.kharkov.rules.combat import chits
from games.kharkov.rules.combat.soviet_cards import IN_COMBAT
from games.kharkov.shapes import GermanCard

SORTS = {"corps": "corps", "kg": "Kampfgruppe", "army": "army", "group": "army group", "manstein": "Von Manstein"}
QUIET = frozenset((
    cards.HAND, cards.PILE, cards.AVAILABLE, cards.UNSEEN, cards.USED, cards.SOVIET_PILE, cards.SOVIET_USED,
    cards.COMMAND, cards.AUXILIARY, cards.TACTICS_ONLY, IN_COMBAT, chits.CUP, chits.DRAWN, chits.HERE,
))  # fmt: skip


def face(row: GermanCard) -> CardFace:
    """2.3, 5.0: what a card may be played for."""
    return CardFace(row["title"], SORTS[row["kind"]], str(row["value"]), tuple(_rows(row)))


def _rows(row: GermanCard) -> Iterator[tuple[str, str]]:
    tactics = ", ".join("any" if tactic == "wild" else tactic for tactic in row["tactics"])
    yield "Tactic", tactics
    if event := row.get("event", ""):
        turns = row.get("event_turns", "")
        yield "Event", event + (f", turns {turns}" if turns else "")
    if row["replace"]:
        yield "Rebuilds", "a step" if row["replace"] == 1 else f"{row['replace']} steps"


HANDS = (Hand(GERMAN, cards.HAND, {card: face(row) for card, row in tables()["german_cards"].items()}),)
