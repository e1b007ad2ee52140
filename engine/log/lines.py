"""A log line: its items, its canonical bytes, its seals and its hash."""

import hashlib
import hmac
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, TypeAlias

from engine.canonical import canonical
from engine.dice import commitment
from engine.facts import Fact, dump, load

Line: TypeAlias = dict[str, Any]

FORMAT = 2
NO_LINE = "0" * 64  # what the header names as the hash before it
ALL = "all"
NOBODY = "none"
CORRECT = "correct"  # the act of a line whose facts no rule brought about
RESERVED = frozenset({ALL, NOBODY, "moderator", "clock"})
ORDER = "order"  # the first entry of nobody's part: whose items came in which order
MOST_SIDES = 6  # every set of sides has its own seal in every line


class Item:
    """One thing that happened: an answer, a roll or a fact, and who may read it. A fact is written out when needed."""

    __slots__ = ("_body", "_fact", "audience", "corrects", "kind")

    def __init__(self, kind: str, body: dict[str, Any] | Fact, audience: str = ALL, corrects: bool = False) -> None:
        self.kind, self.audience = kind, audience
        self.corrects = corrects  # it stands in a line that corrects, so that no rule gives it again
        self._fact: Fact | None = None
        self._body: dict[str, Any] | None = None
        if isinstance(body, dict):
            self._body = body
        else:
            self._fact = body

    @property
    def body(self) -> dict[str, Any]:
        """As the log keeps it."""
        if self._body is None:
            assert self._fact is not None
            self._body = dump(self._fact)
        return self._body

    @property
    def fact(self) -> Fact:
        """The fact that it is. Raises UnknownFact."""
        if self._fact is None:
            self._fact = load(self.body)
        return self._fact

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Item) and (self.kind, self.body, self.audience) == (
            other.kind, other.body, other.audience)  # fmt: skip

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Item({self.kind}, {self.body}, {self.audience})"


@dataclass(frozen=True, slots=True)
class Back:
    """Where an undo or rewind goes: the line, and how many of its items stay (None: all)."""

    line: int
    point: int | None = None


def audiences(sides: Sequence[str]) -> list[str]:
    """Everyone a part can be for; three sides or more may share a part between some of them."""
    shared = ["+".join(some) for size in range(2, len(sides)) for some in combinations(sorted(sides), size)]
    return [ALL, *sides, *shared, NOBODY]


@lru_cache(maxsize=256)  # more than there are audiences in a house full of games
def audience_of(only: tuple[str, ...] | None, sides: tuple[str, ...]) -> str:
    """The audience of what only some sides may know (None: everybody)."""
    if only is None or set(only) >= set(sides):
        return ALL
    return "+".join(sorted(set(only))) or NOBODY


def readable_by(audience: str, side: str | None) -> bool:
    """Whether a side (None: an onlooker) may read what is for that audience."""
    return audience == ALL or (side is not None and audience != NOBODY and side in audience.split("+"))


def salt(secret: bytes, game: str, n: int, audience: str) -> bytes:
    """The salt of one part: without it the seal cannot be searched for its content."""
    return hmac.digest(secret, f"salt|{game}|{n}|{audience}".encode(), "sha256")


def seal(part_salt: bytes, part: Any) -> str:
    """What the chain says of a part."""
    return hashlib.sha256(part_salt + canonical(part)).hexdigest()


def position_seal(secret: bytes, game: str, n: int, position_hash: str) -> str:
    """What the chain says of the position after line n."""
    position_salt = hmac.digest(secret, f"position|{game}|{n}".encode(), "sha256")
    return hashlib.sha256(position_salt + position_hash.encode()).hexdigest()


def line_hash(line: Line) -> str:
    """The hash of all but the parts, which the seals stand for, and what a reader was given to open them."""
    covered = {key: value for key, value in line.items() if key not in ("parts", "salts", "hash")}
    return hashlib.sha256(canonical(covered)).hexdigest()


def items(line: Line) -> list[Item]:
    """The line's items as they happened, as far as this copy of the line has them."""
    corrects = line.get("act") == CORRECT
    return [Item(kind, body, audience, corrects) for _, kind, body, audience in entries(line)]


def entries(line: Line) -> list[tuple[int, str, dict[str, Any], str]]:
    """What the line's items are made of, in their order: number, kind, body and audience."""
    parts: dict[str, list[Any]] = line["parts"]
    sealed = parts.get(NOBODY)
    if sealed and sealed[0][1] == ORDER:
        left = {a: iter(part[1:] if a == NOBODY else part) for a, part in parts.items()}
        return [(*next(left[a]), a) for a in sealed[0][2]["of"]]
    placed = [(i, kind, body, a) for a, part in parts.items() for i, kind, body in part]
    placed.sort(key=lambda entry: (entry[0], entry[3] == ALL))
    return placed


def seal_header(
    secret: bytes,
    *,
    game: str,
    scenario: str,
    sides: Sequence[str],
    rules: str,
    nonces: Mapping[str, str],
    position: str,
    options: Mapping[str, Any] | None = None,
    chairs: Sequence[str] | None = None,
    units: Mapping[str, Sequence[str]] | None = None,
    at: str = "",
    happened: Iterable[Item] = (),
) -> Line:
    """Line 0: what is played, by which rules and dice, and the items that set it up.

    `chairs` (all sides, unless said) and the units of each side are for whoever folds the facts without the rules.
    """
    if len(sides) > MOST_SIDES:
        raise ValueError(f"a game has at most {MOST_SIDES} sides")
    for side in sides:
        if side in RESERVED or "+" in side or "|" in side or not side or list(sides).count(side) > 1:
            raise ValueError(f"a side cannot be called {side!r}")
    header = {
        "n": 0,
        "format": FORMAT,
        "game": game,
        "scenario": scenario,
        "options": dict(options or {}),
        "sides": list(sides),
        "chairs": list(sides if chairs is None else chairs),
        "units": dict(units or {}),
        "rules": rules,
        "commit": commitment(secret),
        "nonces": dict(nonces),
        "at": at,
        "prev": NO_LINE,
    }
    return _sealed(header, secret, game, sides, happened, position)


def seal_line(
    secret: bytes,
    header: Line,
    last: Line,
    *,
    by: str,
    act: str,
    rules: str,
    position: str,
    at: str = "",
    happened: Iterable[Item] = (),
    back: Back | None = None,
    says: Mapping[str, Any] | None = None,
    cause: str = "",
) -> Line:
    """The line after `last`; `position` is the hash of the whole position, which is sealed here.

    `cause` names the input that made the line, so that whoever starts again after a crash knows that it is done;
    `says` is what a line of its act has besides its items: the terms that changed, or how far dice are skipped.
    """
    line: Line = {"n": last["n"] + 1, "at": at, "by": by, "act": act, "rules": rules, "prev": last["hash"]}
    line |= {"cause": cause, **(says or {})}
    if (back is not None) != (act in ("undo", "rewind")):
        raise ValueError(f"only undo and rewind go back, and they must say where to: {act!r}, {back}")
    if back is not None:
        line["back"] = {"line": back.line, "point": back.point}
    if act == "secret":
        line["secret"] = secret.hex()
    return _sealed(line, secret, header["game"], header["sides"], happened, position)


def parse(raw: bytes) -> Line:
    """A line from its bytes without the newline; raises ValueError if they are not JSON."""
    try:
        line = json.loads(raw.decode("utf-8"))
    except RecursionError:
        raise ValueError("nested too deep") from None
    return line if isinstance(line, dict) else {}


def is_canonical(raw: bytes, line: Line) -> bool:
    """Whether the bytes are the one way to write the line."""
    try:
        return canonical(line) == raw
    except (ValueError, RecursionError):
        return False


def _sealed(
    line: Line, secret: bytes, game: str, sides: Sequence[str], happened: Iterable[Item], position: str
) -> Line:
    parts: dict[str, list[Any]] = {audience: [] for audience in audiences(sides)}
    order: list[str] = []
    public = 0
    for item in happened:
        if item.audience not in parts:
            raise ValueError(f"nobody is called {item.audience!r}: {', '.join(parts)}")
        # Numbered by what all may read: a gap would tell a reader how much he was not shown.
        parts[item.audience].append([public, item.kind, item.body])
        public += item.audience == ALL
        order.append(item.audience)
    if public < len(order):
        parts[NOBODY].insert(0, [0, ORDER, {"of": order}])
    # As it will be read: tuples and number keys change. What items hold is written so that it does not.
    line = json.loads(canonical(line)) | {"parts": parts, "seals": {}}
    for audience, part in parts.items():
        line["seals"][audience] = seal(salt(secret, game, line["n"], audience), part)
    line["position"] = position_seal(secret, game, line["n"], position)
    line["hash"] = line_hash(line)
    return line
