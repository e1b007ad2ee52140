"""The drawer: what a side has said that has not happened yet. It lies beside the log, durable and secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.asks import Ask
from engine.orders.order import Order
from engine.orders.script import Statement, load_statement
from engine.standing import ANY, ASK, DEFAULT, STANDING_USAGE, Question, Standing, read_standing

__all__ = ["BRISK", "CAREFUL", "STANDING_USAGE", "Drawer", "Prospect", "Standing", "read_standing"]

if TYPE_CHECKING:
    from engine.orders.book import Book
    from engine.table import Table

BRISK, CAREFUL = "brisk", "careful"  # whether the game waits for a side that is asked about its own units


@dataclass(frozen=True)
class Prospect:
    """A question that may come in the other side's play: what will be answered as it stands, and on whose word."""

    question: Question
    answer: str
    source: str
    change: str  # the line that changes it


@dataclass
class Drawer:
    """Sealed answers, lines that wait for their side to be asked again, and standing orders."""

    waiting: dict[str, list[tuple[str, list[Statement]]]] = field(default_factory=dict)
    answers: dict[str, Order] = field(default_factory=dict)
    standing: dict[str, list[Standing]] = field(default_factory=dict)
    tied: dict[str, list[Order]] = field(default_factory=dict)  # clauses of the order under way that are still to come
    timed: frozenset[str] = frozenset()  # sides whose hidden questions the clock closes, however soon they answer
    seats: dict[str, str] = field(default_factory=dict)  # as the position has them: who wrote what lies here
    pace: str = BRISK
    began: str = BRISK  # the pace at which the game began, for the moderator who goes back beyond a change
    skip: bool = False  # the game's error policy: a line that is not allowed is left out, or stops those behind it
    here: dict[str, int] = field(default_factory=dict)  # sides whose last line was of this stage, or opens the next (1)

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

    def withdraw(self, side: str) -> list[str]:
        """Everything the side has waiting, taken out again: what is tied to the order under way, and lines."""
        self.here.pop(side, None)
        tied = [clause.line() for clause in self.tied.pop(side, [])]
        lines = [line for _, lines in self.waiting.pop(side, []) for line in lines]
        return [*tied, *(text for line in lines for text in line.written())]

    def change_hands(self, seats: Mapping[str, str], sides: Sequence[str]) -> dict[str, list[str]] | None:
        """The seats as they are now: what was said for a side that somebody else has taken is handed back, by its side.

        None if nobody has changed his seat.
        """
        held, now = ({each.get(seat, seat): seat for seat in sides} for each in (self.seats, seats))
        self.seats = dict(seats)
        taken = {}
        for side in sides:
            if held.get(side) != now.get(side):
                taken[side] = self.withdraw(side)
                taken[side] += [order.line() for order in self.stand_down(side, "")]
        return taken or None

    def copy_of_tied(self) -> dict[str, list[Order]]:
        return {side: list(clauses) for side, clauses in self.tied.items()}

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
            head = order.line().casefold().partition(":")[0]
            fits = not start or order.line().casefold() == start or head == start
            (gone if fits else kept).append(order)
        self.standing[side] = kept
        return gone

    def _fitting(self, ask: Ask, table: Table) -> list[Standing]:
        """Those that answer an ask: the closest named first (unit, hex, formation, all), newest first among equals."""
        fitting = [s for s in reversed(self.standing.get(ask.side, [])) if s.fits(ask, table)]
        return sorted(fitting, key=lambda s: (s.rank(ask, table) or 0, s.name == ANY))

    def waits(self, ask: Ask, table: Table) -> bool:
        """Whether the game stops for an ask that no standing order answers; what fog hides never decides it."""
        if ask.top or ask.silent:
            return ask.top
        word = next(iter(self._fitting(ask, table)), None)
        if ask.reaction or (word is not None and word.asks(ask, table)):
            return word is not None and word.asks(ask, table)
        # In a stage of neither side a question goes by the pace, as the list of what will be answered says.
        moving = table.position.side == ask.side or not (table.position.side or ask.name in table.game.questions)
        if not ask.window and (moving or (ask.hidden and not ask.units)):  # of no unit of his: a secret allotment
            return True
        # A pause because no standing order is legal would tell what is hidden: who left word is not waited for.
        return (moving or self.pace == CAREFUL) and (word is None or word.name == ANY)

    def standing_answer(self, ask: Ask, table: Table) -> Order | None:
        """The first standing order that gives a legal answer, unless the side wants to be asked."""
        if ask.top:
            return None
        for standing in self._fitting(ask, table):
            if standing.asks(ask, table):
                return None
            order = standing.order(ask, table)
            if order is not None:
                return order
        return None

    def prospects(self, table: Table, side: str) -> list[Prospect]:
        """What will be answered for a side to each question that may come in the other's play, as it stands."""
        asked = [q for q in table.game.questions.values() if not q.of or side in q.of]
        return [prospect for question in asked for prospect in self._prospects(question, side)]

    def _prospects(self, question: Question, side: str) -> Iterator[Prospect]:
        """By each standing order that may answer it, those for one thing first; then by the game's pace."""
        said = [s for s in reversed(self.standing.get(side, [])) if s.name in (question.name, ANY)]
        for order in sorted(said, key=lambda s: (not s.subject, s.name == ANY)):
            asks = order.answer.casefold() == ASK
            whose = f"yours, {order.link} {order.subject}" if order.subject else "yours, for all"
            change = replace(order, answer=DEFAULT if asks else ASK).line()
            yield Prospect(question, order.answer, "ask: the game waits for you" if asks else whose, change)
            if not order.subject:
                return
        if self.pace == CAREFUL and not question.reaction:
            yield Prospect(question, ASK, "careful: the game waits for you", f"when {question.name}: {DEFAULT}")
        else:
            yield Prospect(question, question.default, "by default", f"when {question.name}: {ASK}")

    def window(self, asks: Sequence[Ask]) -> Ask | None:
        """The hidden question the game stands at, if its answer is to be opened when its time is up and not before."""
        alone = asks[0] if len(asks) == 1 else None
        return alone if alone is not None and alone.window and alone.side in self.timed else None

    def to_json(self) -> dict[str, Any]:
        tied = {side: [order.dump() for order in orders] for side, orders in self.tied.items() if orders}
        rare = {"timed": sorted(self.timed), "seats": self.seats, "tied": tied, "skip": self.skip, "here": self.here}
        rare["began"] = self.began if self.began != self.pace else ""
        return {
            **{name: body for name, body in rare.items() if body},
            "pace": self.pace,
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
        drawer = cls(timed=frozenset(data.get("timed", ())), seats=dict(data.get("seats", {})), pace=data["pace"])
        drawer.skip, drawer.here = data.get("skip", False), dict(data.get("here", {}))
        drawer.began = data.get("began", drawer.pace)
        for side, entries in data["waiting"].items():
            for address, lines in entries:
                drawer.keep(side, [load_statement(line) for line in lines], address)
        drawer.answers = {key: book.load(body) for key, body in data["answers"].items()}
        drawer.tied = {side: [book.load(body) for body in orders] for side, orders in data.get("tied", {}).items()}
        for side, lines in data["standing"].items():
            for line in lines:
                drawer.stand(side, line)
        return drawer
