"""The order book of a game: reads a line as one of its orders, and loads orders that a log kept."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.orders.conditions import read_condition
from engine.orders.fields import SEPARATORS, Reading, nearest
from engine.orders.order import FOLLOWERS, Order
from engine.orders.usual import Default
from engine.refusals import Unclear

_IF = re.compile(r"\s+if\s+", re.I)
_WORD = re.compile(r"->|[,+&()\[\]]|[^\s:,+&()\[\]]+")


class Book:
    """All verbs that a game knows."""

    def __init__(self, orders: Iterable[type[Order]]) -> None:
        self.orders = tuple(orders)
        self.by_verb: dict[str, type[Order]] = {}
        known: tuple[type[Order], ...] = (*self.orders, Default)
        for order in known:
            for verb in (order.verb, *order.also):
                if verb in self.by_verb:
                    raise TypeError(f"two orders are called {verb!r}")
                self.by_verb[verb] = order
        self._longest = max(len(verb.split()) for verb in self.by_verb)

    def of(self, side: str) -> list[type[Order]]:
        """The orders that a side has at one time or another."""
        return [order for order in self.orders if not order.sides or side in order.sides]

    def load(self, body: Mapping[str, Any]) -> Order:
        """The order that a log kept."""
        order = self.by_verb[body["verb"]]
        fields = {name: _frozen(value) for name, value in body.items() if name != "verb"}
        for name in FOLLOWERS:
            if name in fields:
                fields[name] = tuple(self.load(inner) for inner in body[name])
        return order.model_validate(fields)

    def read(self, line: str, reading: Reading) -> Order:
        """The order that a line means, with its clauses. Raises Unclear or Ambiguous."""
        first, *clauses = [part.strip() for part in line.split(";") if part.strip()] or [""]
        order = self._one(first, reading)
        inner: dict[str, list[Order]] = {"clauses": [], "then": [], "otherwise": []}
        for clause in clauses:
            word, _, rest = clause.partition(" ")
            kind = {"then": "then", "else": "otherwise", "otherwise": "otherwise"}.get(word.casefold().rstrip(":,"))
            inner[kind or "clauses"].append(self._one(rest, reading) if kind else self._clause(clause, reading))
        given = {name: tuple(orders) for name, orders in inner.items() if orders}
        return order.model_copy(update=given) if given else order

    def _clause(self, text: str, reading: Reading) -> Order:
        """An answer to what the order will ask, perhaps only `if` something is so by then."""
        said, *proviso = _IF.split(text, maxsplit=1)
        order = self._one(said, reading)
        return order.model_copy(update={"proviso": read_condition(proviso[0], reading).text}) if proviso else order

    def _one(self, text: str, reading: Reading) -> Order:
        words = _WORD.findall(text.strip().rstrip("."))
        if not words:
            raise Unclear("the line is empty")
        kind, used = self._verb(words)
        if kind is None:
            verbs = [verb for verb, order in self.by_verb.items() if order in (*self.of(reading.side), Default)]
            raise Unclear(f"{words[0]!r} is not an order of this game", suggestions=nearest(words[0], verbs))
        try:
            return _fill(kind, words[used:], reading)
        except Unclear as problem:
            usage = kind.shape.printed(kind.usage)
            raise type(problem)(problem.problem, usage=usage, suggestions=problem.suggestions) from None

    def _verb(self, words: Sequence[str]) -> tuple[type[Order] | None, int]:
        lowered = [word.casefold().rstrip(":") for word in words[: self._longest]]
        for used in range(len(lowered), 0, -1):
            kind = self.by_verb.get(" ".join(lowered[:used]))
            if kind is not None:
                return kind, used
        return None, 0


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, list) else value


def _fill(kind: type[Order], words: Sequence[str], reading: Reading) -> Order:
    shape = kind.shape
    head, groups = _segments(words, shape.groups)
    values: dict[str, Any] = {}
    for name in shape.positional:
        if all(word in SEPARATORS for word in head):
            if name in shape.required:
                raise Unclear(f"{shape.fields[name].label} is missing")
            break
        values[name], used = shape.fields[name].read(head, reading)
        head = head[used:]
    _nothing_left(head)
    for word, segment in groups.items():
        name = shape.groups[word]
        values[name], used = shape.fields[name].read(segment, reading)
        _nothing_left(segment[used:])
    missing = [word for word, name in shape.groups.items() if name in shape.required - values.keys()]
    if missing:
        raise Unclear(f"the part with {missing[0]!r} is missing")
    return kind(**values)


def _segments(words: Sequence[str], openers: Mapping[str, str]) -> tuple[list[str], dict[str, list[str]]]:
    """The words before the first group, and the words of each group, whatever order they were typed in."""
    head: list[str] = []
    groups: dict[str, list[str]] = {}
    into = head
    for word in words:
        opener = word.casefold().rstrip(":")
        if opener in openers:
            into = groups.setdefault(opener, [])
        else:
            into.append(word)
    return head, groups


def _nothing_left(words: Sequence[str]) -> None:
    left = [word for word in words if word.casefold() not in SEPARATORS]
    if left:
        raise Unclear(f"{' '.join(left)!r} was not understood here")
