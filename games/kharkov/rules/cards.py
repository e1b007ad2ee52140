"""Cards (2.3, 4.II, 5.0, 8.0): the piles of both sides, the hand, what is discarded and what comes back."""

from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine.asks import Procedure, Step
from engine.facts import Counted, Fact, Pooled
from engine.rules.marks import game_mark
from engine.rules.pools import dealt, in_pool, pour, put, shuffled, take
from games.kharkov.data import Data, Table
from games.kharkov.shapes import GermanCard, SovietCard

HAND, PILE, AVAILABLE = "hand", "german pile", "available"  # AVAILABLE: supplementals that may be drawn into the pile
UNSEEN = "supplementals"  # the supplementals of the turn, ranked: the first of them lie in the pile as blanks
USED = "german discards"
SOVIET_PILE, SOVIET_USED, COMMAND, AUXILIARY = "soviet pile", "soviet discards", "command card", "auxiliary card"
TACTICS_ONLY = "tactics pile"  # 12.37
IN_COMBAT = "cards in combat"  # until the combat is over (12.0, step 9)
REMOVED = "removed cards"
SOVIET_POOLS = (SOVIET_PILE, SOVIET_USED, COMMAND, AUXILIARY, TACTICS_ONLY, IN_COMBAT, REMOVED)
EMPTY_POOLS = (HAND, PILE, UNSEEN, USED, SOVIET_PILE, SOVIET_USED, COMMAND, AUXILIARY, TACTICS_ONLY, REMOVED)
BLANK = "supplemental"  # a card in the pile that nobody has seen; they are numbered
STAVKA = "E22"
PREPARED = "cards prepared"  # a track: the turn of the last full Card Preparation Phase


def german(table: Table, card: str) -> GermanCard:
    return table.data.tables["german_cards"][card]


def soviet(table: Table, card: str) -> SovietCard:
    return table.data.tables["soviet_cards"][card]


def initial(data: Data) -> tuple[str, ...]:
    """3.0-d: the supplementals that are there from the start, but for the one that is dealt to hand."""
    cards, hand = data.tables["german_cards"], data.tables["start"]["hand_card"]
    return tuple(sorted(c for c, row in cards.items() if row["turn"] == 1 and not row["primary"] and c != hand))


def in_hand(table: Table) -> list[str]:
    return sorted(in_pool(table, HAND))


def pile_left(table: Table) -> int:
    """Cards in the Soviet draw pile."""
    return len(in_pool(table, SOVIET_PILE))


def few_cards(table: Table) -> bool:
    """9.4-f, 12.32, 12.54: fewer than four cards in the Soviet draw pile."""
    return pile_left(table) < table.data.tables["attack_check"]["few_cards"]


def first_cards(table: Table, discards: Sequence[str]) -> Procedure:
    """3.0-d, 3.0-e: the first hand and the Soviet deck."""
    start = table.data.tables["start"]
    yield Pooled(pool=HAND, items=(start["hand_card"],), because="3.0-d")
    primaries = [c for c, row in table.data.tables["german_cards"].items() if row["turn"] == 1 and row["primary"]]
    yield from _fill_pile(table, primaries, start["supplementals"], "3.0-d")
    yield from draw_to(table, 1 + start["draw"], "3.0-d")
    deck = [c for c, row in table.data.tables["soviet_cards"].items() if row["turn"] == 1 and c not in discards]
    yield Pooled(pool=SOVIET_USED, items=tuple(sorted(discards)), because="3.0-e")
    yield from shuffled(table, SOVIET_PILE, deck, "3.0-e")


def _fill_pile(table: Table, primaries: Sequence[str], number: int, case: str) -> Procedure:
    """5.0: the Primary cards and so many supplementals, unseen; fewer, if there are not so many."""
    available = in_pool(table, AVAILABLE)
    yield from shuffled(table, UNSEEN, available, case)
    blanks = [f"{BLANK} {n}" for n in range(1, min(number, len(available)) + 1)]
    yield from shuffled(table, PILE, [*primaries, *blanks], case)


def draw_to(table: Table, size: int, case: str) -> Procedure:
    """5.0: the hand is filled up from the pile."""
    while len(in_pool(table, HAND)) < size and in_pool(table, PILE):
        card = yield from dealt(table, PILE, case)
        if card.startswith(BLANK):
            card = yield from dealt(table, UNSEEN, case)
            yield from take(table, AVAILABLE, [card], case)
        yield from put(table, HAND, [card], case)


def refill(table: Table) -> Procedure:
    """4.IV.2: after an impulse the hand is filled up again."""
    yield from draw_to(table, table.data.calendar(table.position.turn)["hand"], "4.IV.2")


def discard(table: Table, cards: Sequence[str], case: str = "5.6") -> Iterator[Fact]:
    """5.6: cards played leave the hand."""
    yield from take(table, HAND, cards, case)
    yield from put(table, USED, cards, case)


def prepare(table: Table) -> Procedure:
    """4.II: the German pile, in the order that bars a supplemental used last turn; then the Soviet deck."""
    data, turn = table.data, table.position.turn
    rows = data.tables["german_cards"]
    new = [card for card, row in rows.items() if row["turn"] > since(table) and row["turn"] <= turn]
    yield from put(table, AVAILABLE, [card for card in new if not rows[card]["primary"]], "4.II")
    left = [card for card in in_pool(table, PILE) if not card.startswith(BLANK)]
    used = in_pool(table, USED)
    mud = game_mark(table, "ground") == "light mud"
    number = data.tables["ground"]["mud_supplementals"] if mud else data.calendar(turn)["supplementals"]
    primaries = [card for card in (*left, *used, *new) if rows[card]["primary"]]
    yield from _fill_pile(table, primaries, number, "4.II")
    yield from return_supplementals(table)
    yield Pooled(pool=USED, items=(), because="4.II")
    yield Counted(track=PREPARED, value=turn, because="4.II")
    yield from draw_to(table, data.calendar(turn)["hand"], "4.II")
    yield from prepare_soviets(table)


def since(table: Table) -> int:
    """The last turn whose reinforcement cards have come: those of a turn of heavy mud come after it (18.34-c)."""
    return table.position.tracks.get(PREPARED, 1)


def return_supplementals(table: Table) -> Iterator[Fact]:
    """4.II step 3: last turn's supplementals may be drawn again, from the next turn on."""
    rows, used = table.data.tables["german_cards"], in_pool(table, USED)
    back = [card for card in used if not rows[card]["primary"]]
    if back:
        yield from put(table, AVAILABLE, back, "4.II")
        yield from take(table, USED, back, "4.II")


def prepare_soviets(table: Table) -> Procedure:
    """4.II-b: reinforcement cards and all discards make the new pile."""
    turn = table.position.turn
    new = [card for card, row in table.data.tables["soviet_cards"].items() if row["turn"] == turn]
    cards = [*in_pool(table, SOVIET_PILE), *in_pool(table, SOVIET_USED), *in_pool(table, TACTICS_ONLY), *new]
    yield Pooled(pool=SOVIET_USED, items=(), because="4.II-b")
    yield Pooled(pool=TACTICS_ONLY, items=(), because="4.II-b")
    yield from shuffled(table, SOVIET_PILE, cards, "4.II-b")


def soviet_draw(table: Table, to: str, case: str) -> Generator[Step, Any, str]:
    """8.0: the top card of the Soviet pile goes to a box."""
    card: str = yield from dealt(table, SOVIET_PILE, case)
    yield from put(table, to, [card], case)
    return card


def spent(table: Table, box: str, case: str) -> Iterator[Fact]:
    """A Soviet card in a box is discarded."""
    yield from pour(table, box, SOVIET_USED, case)


def remove(table: Table, card: str, case: str) -> Iterator[Fact]:
    """8.2: a Soviet card leaves the game, wherever it lies."""
    for pool in SOVIET_POOLS[:-1]:
        if card in in_pool(table, pool):
            yield from take(table, pool, [card], case)
            yield from put(table, REMOVED, [card], case)
