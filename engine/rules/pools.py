"""Pools and piles: sets of chits, counters or cards from which things are drawn, and to which they return.

A pool is a set, and a draw is a die over it. A pile is a shuffle: its order follows from the
secret, and is kept nowhere.
"""

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from typing import Any

from engine.asks import SHUFFLES_A_TURN, Deal, Roll, Shuffle, Step
from engine.facts import Counted, Drew, Fact, Pooled
from engine.table import Table

Only = tuple[str, ...] | None


def in_pool(table: Table, pool: str) -> tuple[str, ...]:
    """What is in it, as far as the reader knows."""
    return table.position.pools.get(pool, ())


def drawn(
    table: Table, pools: Sequence[str], purpose: str, case: str, *, stream: str = "dice", only: Only = None
) -> Generator[Step, Any, tuple[str, str]]:
    """One item by a die over all that is in these pools, and which it came from; `only` may see the die itself."""
    everything = [(pool, item) for pool in pools for item in sorted(in_pool(table, pool))]
    die: int = yield Roll(purpose, sides=len(everything), stream=stream, only=only)
    pool, item = everything[die - 1]
    yield Drew(pool=pool, item=item, because=case)
    return pool, item


def put(table: Table, pool: str, items: Sequence[str], case: str, only: Only = None) -> Iterator[Fact]:
    """Things come, or go back, into a pool."""
    if items:
        yield Pooled(pool=pool, items=tuple(sorted((*in_pool(table, pool), *items))), because=case, only=only)


def take(table: Table, pool: str, items: Sequence[str], case: str, only: Only = None) -> Iterator[Fact]:
    """Things are chosen out of a pool."""
    left = Counter(in_pool(table, pool)) - Counter(items)
    yield Pooled(pool=pool, items=tuple(sorted(left.elements())), because=case, only=only)


def pour(table: Table, giver: str, taker: str, case: str, only: Only = None) -> Iterator[Fact]:
    """Everything of one pool goes to another."""
    items = in_pool(table, giver)
    if items:
        yield Pooled(pool=giver, items=(), because=case, only=only)
        yield from put(table, taker, items, case, only)


# Piles.


def shuffled(
    table: Table, pile: str, cards: Sequence[str], case: str, *, turn: int | None = None
) -> Generator[Step, Any, None]:
    """A pile of these cards, shuffled anew; what is in it is known to all, in which order to nobody.

    Shuffles are counted by turns, so that `turn` must be named where it is shuffled for another than this one.
    """
    yield Pooled(pool=pile, items=tuple(sorted(cards)), because=case)
    yield from _reordered(table, pile, case, turn)


def given_back(table: Table, pile: str, cards: Sequence[str], by: str, case: str) -> Generator[Step, Any, None]:
    """Cards that were dealt by an order go back among the others, and that order alone is shuffled.

    All other orders of the pile stay as they are: nobody has learned where these cards lie in them.
    """
    yield from put(table, pile, cards, case)
    yield from _reordered(table, _order(pile, by), case)


def _reordered(table: Table, order: str, case: str, turn: int | None = None) -> Generator[Step, Any, None]:
    number: int = yield Shuffle(order, table.position.turn if turn is None else turn)
    yield Counted(track=shuffle_track(order), value=number, because=case)


def dealt(table: Table, pile: str, case: str, only: Only = None, by: str = "") -> Generator[Step, Any, str]:
    """The top card of a pile, which must not be empty; `only` may see it.

    A pile may lie in several orders at once, one for each purpose it is dealt for (`by`): how many cards one of them
    has taken does not change the order in which those left are met by another.
    """
    left, number = in_pool(table, pile), table.position.tracks[shuffle_track(pile)]
    if by:
        first = number - number % SHUFFLES_A_TURN  # as the pile was laid out for its turn
        number = max(first, table.position.tracks.get(shuffle_track(_order(pile, by)), 0))
    card: str = yield Deal(_order(pile, by), number, left, only)
    yield Drew(pool=pile, item=card, because=case, only=only)
    return card


def _order(pile: str, by: str) -> str:
    return f"{pile}, {by}" if by else pile


def shuffle_track(pile: str) -> str:
    """Where the number of its last shuffle stands."""
    return f"{pile} shuffle"
