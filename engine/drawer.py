"""The drawer: what a side has said that has not happened yet. It lies beside the log, durable and secret."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from engine.asks import Ask
from engine.orders.fields import hexes_at, unit_at
from engine.orders.order import Order
from engine.orders.script import Statement, load_statement
from engine.refusals import Refusal, Unclear

if TYPE_CHECKING:
    from engine.orders.book import Book
    from engine.table import Table

STANDING_USAGE = "when QUESTION [at HEX | for UNIT]: ORDER, or: ask, or: default"
_STANDING = re.compile(r"when\s+(?P<name>[\w -]+?)(?:\s+(?:at|for)\s+(?P<subject>[^:]+))?\s*:\s*(?P<answer>.+)", re.I)


@dataclass(frozen=True)
class Standing:
    """An answer given beforehand to a question the other side's play may raise."""

    name: str
    subject: str
    answer: str

    def line(self) -> str:
        about = f" at {self.subject}" if self.subject else ""
        return f"when {self.name}{about}: {self.answer}"

    def fits(self, ask: Ask, table: Table) -> bool:
        if self.name not in (ask.name, "asked"):
            return False
        if not self.subject:
            return True
        reading = table.reading(ask.side)
        words = self.subject.split()
        named = unit_at(words, reading)
        if named is not None:
            return named[0] in ask.units
        places, _ = hexes_at(words, reading)
        return any(place in ask.subject.split() for place in places)


def read_standing(line: str) -> Standing:
    """A standing order. Raises Unclear."""
    match = _STANDING.fullmatch(line.strip())
    if not match:
        raise Unclear(f"{line.strip()!r} is not a standing order", usage=STANDING_USAGE)
    return Standing(match["name"].strip().casefold(), (match["subject"] or "").strip(), match["answer"].strip())


@dataclass
class Drawer:
    """Sealed answers, lines that wait for their side to be asked again, and standing orders."""

    waiting: dict[str, list[tuple[str, list[Statement]]]] = field(default_factory=dict)
    answers: dict[str, Order] = field(default_factory=dict)
    standing: dict[str, list[Standing]] = field(default_factory=dict)

    def keep(self, side: str, lines: list[Statement], address: str = "") -> None:
        """Lines for the next time the side is asked, or for a stage (`3/soviet.combat`) or a key."""
        self.waiting.setdefault(side, []).append((address, lines))

    def take(self, side: str, turn: int, stage: str, key: str) -> tuple[str, list[Statement]]:
        """The lines that are addressed to what is asked now, and how; they leave the drawer."""
        entries = self.waiting.get(side, [])
        for index, (address, lines) in enumerate(entries):
            if address in ("", stage, f"{turn}/{stage}", key):
                del entries[index]
                return address, lines
        return "", []

    def put_back(self, side: str, lines: list[Statement], address: str = "") -> None:
        self.waiting.setdefault(side, []).insert(0, (address, lines))

    def withdraw(self, side: str) -> list[Statement]:
        """Everything the side has waiting, taken out again."""
        return [line for _, lines in self.waiting.pop(side, []) for line in lines]

    def seal(self, key: str, order: Order) -> None:
        self.answers[key] = order

    def sealed(self, key: str) -> Order | None:
        return self.answers.get(key)

    def unseal(self, keys: Iterable[str]) -> None:
        for key in keys:
            self.answers.pop(key, None)

    def stand(self, side: str, line: str) -> Standing:
        """A standing order is taken in; it replaces one for the same question and subject. Raises Unclear."""
        order = read_standing(line)
        kept = [s for s in self.standing.get(side, []) if (s.name, s.subject) != (order.name, order.subject)]
        self.standing[side] = [*kept, order]
        return order

    def stand_down(self, side: str, line: str) -> list[Standing]:
        """Standing orders that begin as the line does are taken out; an empty line means all."""
        start = " ".join(line.casefold().rstrip(": ").split())
        kept: list[Standing] = []
        gone: list[Standing] = []
        for order in self.standing.get(side, []):
            head = f"when {order.name}" + (f" at {order.subject}" if order.subject else "")
            fits = not start or order.line().casefold() == start or head.casefold() == start
            (gone if fits else kept).append(order)
        self.standing[side] = kept
        return gone

    def _fitting(self, ask: Ask, table: Table) -> list[Standing]:
        """Those that answer an ask: the ones that name a unit or a hex before the general ones, newest first."""
        fitting = [s for s in reversed(self.standing.get(ask.side, [])) if s.fits(ask, table)]
        return sorted(fitting, key=lambda s: not s.subject)

    def wants_to_be_asked(self, ask: Ask, table: Table) -> bool:
        fitting = self._fitting(ask, table)
        return bool(fitting) and fitting[0].answer.casefold() == "ask"

    def standing_answer(self, ask: Ask, table: Table) -> Order | None:
        """The first standing order that gives a legal answer, unless the side wants to be asked."""
        if ask.top:
            return None
        for standing in self._fitting(ask, table):
            said = standing.answer.casefold()
            if said == "ask":
                return None
            if said == "default":
                return ask.default()
            try:
                order = table.game.book.read(standing.answer, table.reading(ask.side))
                if isinstance(order, ask.verbs):
                    ask.check(order)
                    return order
            except Refusal:
                continue
        return None

    def to_json(self) -> dict[str, Any]:
        return {
            "waiting": {
                side: [[address, [line.dump() for line in lines]] for address, lines in entries]
                for side, entries in self.waiting.items()
                if entries
            },
            "answers": {key: order.dump() for key, order in self.answers.items()},
            "standing": {side: [s.line() for s in lines] for side, lines in self.standing.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], book: Book) -> Drawer:
        drawer = cls()
        for side, entries in data["waiting"].items():
            for address, lines in entries:
                drawer.keep(side, [load_statement(line) for line in lines], address)
        drawer.answers = {key: book.load(body) for key, body in data["answers"].items()}
        for side, lines in data["standing"].items():
            for line in lines:
                drawer.stand(side, line)
        return drawer

    def dumps(self) -> str:
        return json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n"
