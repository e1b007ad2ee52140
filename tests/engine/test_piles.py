"""Piles: their order is one of a turn and of a purpose, whatever else was dealt and shuffled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine import facts as f
from engine.asks import Deal, Shuffle
from engine.dice import Dice
from engine.position import Position, apply
from engine.rules.pools import dealt, given_back, shuffled
from engine.table import Table
from tests.engine.outpost import outpost

CARDS = [f"C{n}" for n in range(1, 9)]


class Pile:
    """A pile on a table of its own, with true dice."""

    def __init__(self, secret: bytes = b"one") -> None:
        game = outpost()
        self.table, self.dice = Table(game, Position(game.setting)), Dice(secret, "outpost", {})
        self.turn(1)

    def turn(self, number: int) -> None:
        apply(self.table.position, f.StageBegan(stage="cards", turn=number, side="garrison"))

    def do(self, procedure) -> str:  # type: ignore[no-untyped-def]
        """As a referee would, but that nothing is written down."""
        value = None
        while True:
            try:
                step = procedure.send(value)
            except StopIteration as done:
                return str(done.value)
            value = None
            if isinstance(step, Shuffle):
                value = step.turn * 1000 + self.dice.roll(f"pile {step.pile} {step.turn}", 1).k
            elif isinstance(step, Deal):
                name = f"{step.pile}/{step.shuffle}"
                value = min(step.cards, key=lambda card: self.dice.rank(name, card))
            else:
                apply(self.table.position, step)

    def shuffle(self, cards: list[str] = CARDS, turn: int | None = None) -> None:
        self.do(shuffled(self.table, "deck", cards, "1", turn=turn))

    def deal(self, by: str = "") -> str:
        return self.do(dealt(self.table, "deck", "1", by=by))

    def rest(self, by: str = "") -> Iterator[str]:
        while self.table.position.pools["deck"]:
            yield self.deal(by)


def test_how_often_a_pile_was_shuffled_in_one_turn_does_not_change_the_next() -> None:
    once, often = Pile(), Pile()
    for pile, times in ((once, 1), (often, 4)):
        for _ in range(times):
            pile.shuffle()
        pile.turn(2)
        pile.shuffle()
    assert list(once.rest()) == list(often.rest())


def test_a_pile_shuffled_for_the_next_turn_is_that_turns_first() -> None:
    once, often = Pile(), Pile()
    often.shuffle()
    often.shuffle()
    for pile in (once, often):
        pile.shuffle(turn=2)
        pile.turn(2)
    assert once.table.position.tracks["deck shuffle"] == often.table.position.tracks["deck shuffle"] == 2001
    assert list(once.rest()) == list(often.rest())


def test_what_one_purpose_has_dealt_leaves_the_order_of_another() -> None:
    plain, fought = Pile(), Pile()
    for pile in (plain, fought):
        pile.shuffle()
    gone = {fought.deal("for tactics") for _ in range(3)}
    assert list(fought.rest()) == [card for card in plain.rest() if card not in gone]


def test_a_card_given_back_changes_its_own_order_alone() -> None:
    plain, fought = Pile(), Pile()
    for pile in (plain, fought):
        pile.shuffle()
    card = fought.deal("for tactics")
    fought.do(given_back(fought.table, "deck", [card], "for tactics", "1"))
    assert list(fought.rest()) == list(plain.rest())


def test_a_card_given_back_is_as_often_on_top_as_any_other() -> None:
    first, again = 0, Counter[str]()
    for n in range(1200):
        pile = Pile(str(n).encode())
        pile.shuffle(CARDS[:4])
        card = pile.deal("for tactics")
        pile.do(given_back(pile.table, "deck", [card], "for tactics", "1"))
        first += pile.deal() == card
        pile.do(shuffled(pile.table, "deck", CARDS[:4], "1"))
        again[pile.deal("for tactics")] += 1
    assert 240 < first < 360  # 300 are expected
    assert all(240 < count < 360 for count in again.values())
