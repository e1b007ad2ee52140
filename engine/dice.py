"""Dice that nobody can choose and everybody can check afterwards."""

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from engine.canonical import canonical

SPAN = 1 << 256  # what one HMAC-SHA-256 can say
EVERY = ""  # the name under which all streams are skipped, those too that nothing was rolled in yet
STEP = 100_000  # by so much at least: no stream has ever made as many rolls


@dataclass(frozen=True, slots=True)
class Rolled:
    """One roll: the k-th of its stream, counted from 1."""

    stream: str
    k: int
    sides: int
    value: int
    purpose: str = ""

    def body(self) -> dict[str, Any]:
        """The roll as the log keeps it."""
        return {
            "stream": self.stream,
            "k": self.k,
            "sides": self.sides,
            "value": self.value,
            "purpose": self.purpose,
        }


class OutOfDice(Exception):
    """Forced dice were asked for a roll that the test did not list."""

    def __init__(self, stream: str, sides: int, purpose: str = "") -> None:
        asked = f" for {purpose}" if purpose else ""
        super().__init__(f"no die left{asked}: a d{sides} of stream {stream!r} was asked for")
        self.stream, self.sides, self.purpose = stream, sides, purpose


class Dice:
    """Rolls made from the secret, the game, the players' nonces, the stream and its count.

    A stream is seen by one audience: a hidden roll in an open stream would show as a gap in its count.
    """

    def __init__(
        self, secret: bytes, game: str, nonces: Mapping[str, str], used: Mapping[str, int] | None = None
    ) -> None:
        self._secret = secret
        self._game = game
        self._nonces = dict(nonces)
        self._used = dict(used or {})
        self._ranks: dict[tuple[str, str], int] = {}  # of the cards that were looked at, by shuffle

    @property
    def used(self) -> Mapping[str, int]:
        """How many rolls each stream has made, and under `EVERY` how far all of them were skipped."""
        return MappingProxyType(self._used)

    def skip(self, to: int) -> int:
        """No stream makes a roll up to that one any more, and all piles lie in another order; gives where it came to.

        It is a round number behind every roll that was made, so that it tells nobody how many those were.
        """
        highest = max(self._used.values(), default=0)
        self._used[EVERY] = STEP * max(to // STEP, highest // STEP + 1)
        return self._used[EVERY]

    def roll(self, stream: str, sides: int, purpose: str = "") -> Rolled:
        """The next roll of the stream; the purpose is written down and changes nothing."""
        k = max(self._used.get(stream, 0), self._used.get(EVERY, 0)) + 1
        value = roll_value(self._secret, self._game, self._nonces, stream, k, sides)
        self._used[stream] = k
        return Rolled(stream, k, sides, value, purpose)

    def rank(self, shuffle_id: str, card: str) -> int:
        """A card's place in a shuffled pile is its rank among the others; the pile is stored nowhere."""
        if EVERY in self._used:
            shuffle_id = f"{shuffle_id}/{self._used[EVERY]}"
        known = self._ranks.get((shuffle_id, card))
        if known is None:  # every card that is left is asked for its rank at each draw
            known = _number(self._secret, ["rank", self._game, sorted(self._nonces.items()), shuffle_id, card])
            self._ranks[shuffle_id, card] = known
        return known


class ForcedDice:
    """Dice for tests: the listed faces in order, whatever the stream; a shuffle keeps the pile as it is.

    `tops` are the cards that lie on top of a pile, in their order, however it is shuffled; its shuffles need no face.
    """

    def __init__(self, values: Iterable[int], tops: Mapping[str, Sequence[str]] | None = None) -> None:
        self._left = list(values)
        self._tops = dict(tops or {})
        self._used: dict[str, int] = {}

    @property
    def left(self) -> list[int]:
        """The faces not yet rolled."""
        return list(self._left)

    def roll(self, stream: str, sides: int, purpose: str = "") -> Rolled:
        """The next listed face; raises OutOfDice, or ValueError if the die has no such face."""
        if sides == 1 and _pile(stream.removeprefix("pile ").rpartition(" ")[0]) in self._tops:
            k = self._used[stream] = self._used.get(stream, 0) + 1
            return Rolled(stream, k, sides, 1, purpose)
        if not self._left:
            raise OutOfDice(stream, sides, purpose)
        value = self._left[0]
        if not 1 <= value <= sides:
            raise ValueError(f"a d{sides} has no face {value} ({purpose or stream})")
        del self._left[0]
        k = self._used[stream] = self._used.get(stream, 0) + 1
        return Rolled(stream, k, sides, value, purpose)

    def rank(self, shuffle_id: str, card: str) -> int:
        """By the order of those on top; the same for all others, so that sorting by rank keeps the order given."""
        top = self._tops.get(_pile(shuffle_id.rpartition("/")[0]), ())
        return top.index(card) if card in top else len(top)


def _pile(order: str) -> str:
    """The pile that is dealt from, in whichever of its orders."""
    return order.partition(", ")[0]


def roll_value(secret: bytes, game: str, nonces: Mapping[str, str], stream: str, k: int, sides: int) -> int:
    """Roll k of a stream, 1 to sides; raises ValueError for a die or a count that cannot be."""
    if not 1 <= sides <= SPAN:
        raise ValueError(f"there is no die with {sides} sides")
    if k < 1:
        raise ValueError(f"rolls count from 1, not {k}")
    fair = SPAN - SPAN % sides  # beyond it the low faces would come up once too often
    attempt = 0
    while True:
        number = _number(secret, ["roll", game, sorted(nonces.items()), stream, k, attempt])
        if number < fair:
            return number % sides + 1
        attempt += 1


def check_roll(
    secret: bytes, game: str, nonces: Mapping[str, str], stream: str, k: int, sides: int, value: int
) -> bool:
    """Whether roll k of the stream is that value."""
    try:
        return roll_value(secret, game, nonces, stream, k, sides) == value
    except ValueError:
        return False


def commitment(secret: bytes) -> str:
    """What the invitation says of the secret before anyone may know it."""
    return hashlib.sha256(secret).hexdigest()


def nonce_commitment(nonce: str) -> str:
    """What a joiner sends before he sends his nonce."""
    return hashlib.sha256(nonce.encode("utf-8")).hexdigest()


def new_secret() -> bytes:
    """A secret that nobody can guess."""
    return secrets.token_bytes(32)


def secret_from_seed(seed: int) -> bytes:
    """The same secret for the same seed: for local games and tests, as whoever guesses the seed has it."""
    return hashlib.sha256(b"seed|%d" % seed).digest()


def _number(secret: bytes, message: list[Any]) -> int:
    return int.from_bytes(hmac.digest(secret, canonical(message), "sha256"), "big")
