"""The referee: drives a game's rule procedures, and finds the answers to what they ask."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from engine import facts as f
from engine.asks import Ask, Roll, Step, Together
from engine.drawer import Drawer
from engine.game import Game
from engine.orders.conditions import read_condition
from engine.orders.fields import NobodyThere, Reading
from engine.orders.order import Order
from engine.orders.script import Statement, read_script
from engine.position import Position, apply
from engine.refusals import Ambiguous, Illegal, Refusal, Unclear
from engine.table import Table

SOURCES = ("clause", "hand", "drawer", "standing", "default")


class Rolled(Protocol):
    """A die that was cast, with its place in its stream."""

    @property
    def k(self) -> int: ...
    @property
    def value(self) -> int: ...


class Dice(Protocol):
    def roll(self, stream: str, sides: int) -> Rolled: ...


@dataclass(frozen=True)
class Item:
    """One thing that happened, as the log keeps it: an answer, a roll or a fact, and who may see it."""

    kind: str
    body: dict[str, Any]
    only: tuple[str, ...] | None = None


@dataclass
class LineReply:
    """What became of one line: done, refused, returned, kept (in the drawer), passed over or read."""

    number: int
    text: str
    state: str
    understood: str = ""
    refusal: Refusal | None = None


@dataclass
class Reply:
    """The answer to a set of order lines."""

    side: str
    lines: list[LineReply] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    asks: tuple[Ask, ...] = ()
    stopped: str = ""  # why it went no further, in words; empty if everything was carried out
    drawn: dict[str, list[LineReply]] = field(default_factory=dict)  # what became of lines out of drawers

    @property
    def refused(self) -> list[LineReply]:
        return [line for line in self.lines if line.refusal is not None]

    @property
    def facts(self) -> list[f.Fact]:
        return [f.load(item.body) for item in self.items if item.kind == "fact"]


class Differs(Exception):
    """A recorded item that the rules do not give again."""

    def __init__(self, index: int, recorded: Any, found: Any) -> None:
        super().__init__(f"item {index}: recorded {recorded}, the rules give {found}")
        self.index, self.recorded, self.found = index, recorded, found


@dataclass
class _Hand:
    """The lines being worked through, and what came of them."""

    side: str
    lines: deque[Statement]
    source: str
    skip: bool
    reply: Reply


class Referee:
    """One game under way. It waits at `asks`; `submit` answers them."""

    def __init__(
        self,
        game: Game,
        position: Position,
        dice: Dice,
        *,
        drawer: Drawer | None = None,
        count: int = 0,
        rehearsal: bool = False,
    ) -> None:
        self.game, self.dice, self.count, self.rehearsal = game, dice, count, rehearsal
        self.drawer = drawer if drawer is not None else Drawer()
        self.items: list[Item] = []
        self.asks: tuple[Ask, ...] = ()
        self.over = False
        self._hand: _Hand | None = None
        self._clauses: dict[str, list[Order]] = {}
        self._no_return = False
        self._recorded: deque[Item] | None = None
        self._begin(position)

    def _begin(self, position: Position) -> None:
        self.position = position
        self.table = Table(self.game, position)
        self._run = self.game.play(self.table)
        self.top = (position.copy(), self.count)  # where the last top ask stood
        self.since: list[Item] = []  # what happened since

    # Going on until something must be answered.

    def start(self) -> None:
        """Goes on from a position at a top ask to the ask itself, and further if it is answered already."""
        self._drive(None)
        self._answer_all()

    def _drive(self, value: Any) -> None:
        """Carries on until an ask; `self.asks` is empty when the game is over."""
        self.asks = ()
        while True:
            try:
                step: Step = self._run.send(value)
            except StopIteration:
                self.over = True
                return
            value = None
            if isinstance(step, f.Fact):
                self._happen(step)
                if isinstance(step, f.GameEnded):
                    self._run.close()
                    self.over = True
                    return
            elif isinstance(step, Roll):
                if self.rehearsal and self._recorded is None:
                    self.asks, self._no_return = (), True
                    return
                value = self._cast(step)
            else:
                asks = step.asks if isinstance(step, Together) else (step,)
                self.asks = tuple(self._keyed(ask) for ask in asks)
                if self.asks[0].top:
                    self.top, self.since = (self.position.copy(), self.count), []
                    self._clauses.clear()
                return

    def _keyed(self, ask: Ask) -> Ask:
        place = f"{self.position.turn}/{self.position.stage}/{self.count}"
        return ask.keyed(f"{place}/{ask.side} {ask.name} {ask.subject}")

    def _happen(self, fact: f.Fact) -> None:
        apply(self.position, fact)
        if reveals(fact):
            self._no_return = True
        self._note(Item("fact", f.dump(fact), fact.only))

    def _cast(self, roll: Roll) -> int:
        self._no_return = True
        body: dict[str, Any] = {"purpose": roll.purpose, "stream": roll.stream, "sides": roll.sides}
        if self._recorded is not None:
            recorded = self._next_recorded("roll", body, roll.only)
            value: int = recorded.body["value"]
            if type(value) is not int or not 1 <= value <= roll.sides or len(recorded.body) != len(body) + 2:
                raise Differs(len(self.items), recorded.body, f"a roll of 1 to {roll.sides}")
            self._note(recorded)
            return value
        rolled = self.dice.roll(roll.stream, roll.sides)
        self._note(Item("roll", {**body, "k": rolled.k, "value": rolled.value}, roll.only))
        return rolled.value

    def _note(self, item: Item) -> None:
        self.items.append(item)
        self.since.append(item)

    # Finding answers.

    def _answer_all(self) -> None:
        """Answers asks from clauses, lines in hand, drawer and standing orders, as long as they hold any."""
        while self.asks and not self.over:
            if len(self.asks) > 1:
                if not self._open_together():
                    return
                continue
            ask = self.asks[0]
            if self._hand is not None and ask.side != self._hand.side:
                self._no_return = True
                if self.rehearsal:
                    return
            found = self._find(ask)
            if found is None:
                return
            self._give([(ask, *found)])

    def _find(self, ask: Ask) -> tuple[Order, str] | None:
        order = self._from_clauses(ask)
        if order is not None:
            return order, "clause"
        hand = self._hand if self._hand is not None and self._hand.side == ask.side else None
        found = self._from_hand(ask, hand) if hand is not None and hand.lines else self._from_drawer(ask)
        if found is not None:
            return found
        if hand is not None and hand.reply.stopped:
            return None
        order = self.drawer.standing_answer(ask, self.table)
        if order is not None:
            return order, "standing"
        if ask.reaction and not self.drawer.wants_to_be_asked(ask, self.table):
            return ask.default(), "default"
        return None

    def _from_drawer(self, ask: Ask) -> tuple[Order, str] | None:
        """What the side left for this ask; what is not used stays in the drawer."""
        if self._hand is not None and self._hand.reply.stopped:
            return None
        address, lines = self.drawer.take(ask.side, self.position.turn, self.position.stage, ask.key)
        if not lines:
            return None
        hand = _Hand(ask.side, deque(lines), "drawer", True, Reply(ask.side))
        found = self._from_hand(ask, hand)
        if hand.lines:
            self.drawer.put_back(ask.side, list(hand.lines), address)
        if self._hand is not None:
            self._hand.reply.drawn.setdefault(ask.side, []).extend(hand.reply.lines)
        return found

    def _from_clauses(self, ask: Ask) -> Order | None:
        clauses = self._clauses.get(ask.side, [])
        for clause in clauses:
            if isinstance(clause, ask.verbs):
                try:
                    ask.check(clause)
                except Refusal as refusal:
                    if self._hand is not None and self._hand.side == ask.side:
                        line = LineReply(0, clause.line(), "refused", clause.line(), refusal)
                        self._hand.reply.lines.append(line)
                    continue
                return clause
        return None

    def _from_hand(self, ask: Ask, hand: _Hand) -> tuple[Order, str] | None:
        """The next line in hand that answers the ask; lines that do not are dealt with on the way."""
        while hand.lines:
            statement = hand.lines[0]
            reading = self.table.reading(hand.side)
            line = LineReply(statement.number, statement.text, "done")
            try:
                if statement.condition and not ask.top and not self._speaks_to(ask, statement, reading):
                    return (ask.default(), "default") if ask.passable else None
                if statement.condition:
                    chosen = read_condition(statement.condition, reading).holds(reading)
                    hand.lines.popleft()
                    hand.lines.extendleft(reversed(statement.yes if chosen else statement.no))
                    line.state = "holds" if chosen else "does not hold"
                    line.text = f"if {statement.condition}"
                    hand.reply.lines.append(line)
                    continue
                order = self.game.book.read(statement.text, reading)
                if not isinstance(order, ask.verbs):
                    if not ask.top and ask.passable:
                        return ask.default(), "default"
                    if not ask.top and hand.source == "drawer":
                        return None  # it was written for later
                    raise not_asked(order, ask)
                ask.check(order)
            except Refusal as refusal:
                line.state, line.refusal = "refused", refusal
                hand.reply.lines.append(line)
                hand.lines.popleft()
                if not hand.skip:
                    hand.reply.stopped = "refused"
                    return None
                continue
            hand.lines.popleft()
            line.understood = order.line()
            hand.reply.lines.append(line)
            self._tie(order, hand)
            return order, hand.source
        return None

    def _speaks_to(self, ask: Ask, statement: Statement, reading: Reading) -> bool:
        """Whether a condition holds a line that answers the ask; otherwise it waits for the next top ask."""
        for line in statement.lines():
            try:
                if isinstance(self.game.book.read(line.text, reading), ask.verbs):
                    return True
            except Refusal:
                continue
        return False

    def _open_together(self) -> bool:
        """Takes what is said to one of several asks; goes on when the last answer is in."""
        for ask in self.asks:
            found = None
            if self._hand is not None and ask.side == self._hand.side and self._hand.lines:
                found = self._from_hand(ask, self._hand)
            elif self.drawer.sealed(ask.key) is None:
                found = self._from_drawer(ask)
            if found is not None:
                self.drawer.seal(ask.key, found[0])
        answers = [self.drawer.sealed(ask.key) for ask in self.asks]
        if self.rehearsal or any(answer is None for answer in answers):
            return False
        self._no_return = True
        self.drawer.unseal(ask.key for ask in self.asks)
        self._give([(ask, order, "hand") for ask, order in zip(self.asks, answers, strict=True) if order])
        return True

    def _give(self, answers: list[tuple[Ask, Order, str]]) -> None:
        together = len(self.asks) > 1
        for ask, order, source in answers:
            self._answered(ask, order, Item("answer", self._body(ask, order, source), _whose(ask)))
        self.count += 1
        self._drive([order for _, order, _ in answers] if together else answers[0][1])

    def _body(self, ask: Ask, order: Order, source: str) -> dict[str, Any]:
        body = {"key": ask.key, "side": ask.side, "order": order.dump(), "source": source}
        # A log can be entered at such an answer from the facts before it alone.
        return {**body, "top": self.count} if ask.top else body

    def _answered(self, ask: Ask, order: Order, item: Item) -> None:
        self._note(item)
        clauses = self._clauses.get(ask.side, [])
        if item.body["source"] == "clause" and order in clauses:
            clauses.remove(order)
        if order.clauses:
            self._clauses[ask.side] = list(order.clauses)

    def _tie(self, order: Order, hand: _Hand) -> None:
        """What was tied to the order by `then` and `else` goes to the front of the hand, as a condition."""
        yes = [Statement(0, follower.line()) for follower in order.then]
        no = [Statement(0, follower.line()) for follower in order.otherwise]
        if order.aim and (yes or no):
            condition = f"{order.aim} is cleared"
            hand.lines.appendleft(Statement(0, f"if {condition}", condition, yes, no))
        else:
            hand.lines.extendleft(reversed(yes))

    # What the outside asks for.

    def submit(self, side: str, text: str, *, skip: bool = False) -> Reply:
        """Carries out a side's order lines: all or nothing until the point of no return."""
        statements, reply = self.understand(side, text)
        if reply.refused and not skip:
            reply.stopped = "refused"
            return self._closed(reply)
        if not any(ask.side == side for ask in self.asks):
            reply.stopped = self._not_your_turn(side)
            for line in reply.lines:
                line.state = "returned"
            return self._closed(reply)
        bad = {(line.number, line.text) for line in reply.refused}
        kept = [line for line in reply.lines if line.refusal is not None]
        reply.lines = kept
        base, base_since, base_asks = self.top, list(self.since), self.asks
        self.items, self._no_return = [], False
        statements = [s for s in statements if (s.number, s.text) not in bad]
        self._hand = _Hand(side, deque(statements), "hand", skip, reply)
        self._answer_all()
        self._leave_hand(reply)
        if reply.stopped == "refused" and not self._no_return and not self.rehearsal:
            self._go_back(base, base_since, base_asks, reply)
        return self._closed(reply)

    def understand(self, side: str, text: str) -> tuple[list[Statement], Reply]:
        """Every line read, and every bad one answered; nothing is carried out."""
        statements, faults = read_script(text)
        reply = Reply(side)
        for number, said, fault in faults:
            reply.lines.append(LineReply(number, said, "refused", refusal=fault))
        reading = self.table.reading(side)
        for statement in statements:
            if statement.condition:
                try:
                    read_condition(statement.condition, reading)
                except Refusal as refusal:
                    bad = LineReply(statement.number, statement.text, "refused", refusal=refusal)
                    reply.lines.append(bad)
            for line_ in statement.lines():
                line = LineReply(line_.number, line_.text, "read")
                try:
                    line.understood = self.game.book.read(line_.text, reading).line()
                except NobodyThere:
                    line.understood = line_.text
                except (Unclear, Ambiguous) as refusal:
                    line.state, line.refusal = "refused", refusal
                reply.lines.append(line)
        reply.lines.sort(key=lambda line: line.number)
        return statements, reply

    def rehearse(self, side: str, text: str) -> Reply:
        """A dry run up to the point of no return: touches neither dice nor anybody else's orders."""
        twin = self.twin(rehearsal=True)
        reply = twin.submit(side, text)
        if not reply.stopped and twin._no_return:
            reply.stopped = "a dry run ends where a die would be cast or the other side asked"
        return reply

    def twin(self, *, rehearsal: bool = False) -> Referee:
        """The same game at the same ask, on a copy of the position."""
        position, count = self.top
        twin = Referee(self.game, position.copy(), self.dice, count=count, rehearsal=rehearsal)
        twin.feed(self.since)
        twin._clauses = {side: list(clauses) for side, clauses in self._clauses.items()}
        return twin

    def feed(self, items: Iterable[Item], *, strict: bool = False) -> None:
        """Goes through recorded answers and rolls instead of asking; strict: all must come out the same.

        Raises Differs.
        """
        recorded = list(items)
        self._recorded = deque(item for item in recorded if item.kind != "fact")
        self.items = []
        if not self.asks and not self.over:
            self._drive(None)
        while self.asks and self._recorded:
            answers = []
            for ask in self.asks:
                wanted = {"key": ask.key, "side": ask.side, "top": self.count if ask.top else None}
                item = self._next_recorded("answer", wanted, _whose(ask))
                order = self.game.book.load(item.body["order"])
                if strict:
                    self._check_again(ask, order, item)
                answers.append((ask, order, item))
            together = len(self.asks) > 1
            for answer in answers:
                self._answered(*answer)
            self.count += 1
            self._drive([order for _, order, _ in answers] if together else answers[0][1])
        if self._recorded:
            raise Differs(len(self.items), self._recorded[0].body, "the game waits for nobody")
        self._recorded = None
        if strict:
            _compare(recorded, self.items, self.game.sides)

    def _check_again(self, ask: Ask, order: Order, item: Item) -> None:
        body = self._body(ask, order, item.body.get("source", ""))
        if item.body != body or body["source"] not in SOURCES:
            raise Differs(len(self.items), item.body, body)
        try:
            if not isinstance(order, ask.verbs):
                raise not_asked(order, ask)
            ask.check(order)
        except Refusal as refusal:
            raise Differs(len(self.items), order.line(), f"refused: {refusal}") from None

    def _next_recorded(self, kind: str, body: dict[str, Any], only: tuple[str, ...] | None) -> Item:
        assert self._recorded is not None
        if not self._recorded:
            raise Differs(len(self.items), "nothing more", body)
        item = self._recorded.popleft()
        if item.kind != kind or any(item.body.get(name) != value for name, value in body.items()):
            raise Differs(len(self.items), item.body, body)
        if not _same_readers(item.only, only, self.game.sides):
            raise Differs(len(self.items), f"for {item.only}", f"for {only}")
        return item

    def _leave_hand(self, reply: Reply) -> None:
        """Lines that were not reached wait in the drawer, or come back."""
        hand, self._hand = self._hand, None
        if hand is None or not hand.lines:
            return
        waiting = not self.over and not reply.stopped
        if waiting and not self.rehearsal:
            self.drawer.keep(hand.side, list(hand.lines))
        for statement in hand.lines:
            state = "kept" if waiting and not self.rehearsal else "returned"
            reply.lines.append(LineReply(statement.number, statement.text, state))
        if waiting and not self.rehearsal:
            mine = [ask for ask in self.asks if ask.side == hand.side]
            first = f"you must answer first: {mine[0].prompt}" if mine else "the other side must answer first"
            reply.stopped = first

    def _go_back(self, base: tuple[Position, int], since: Sequence[Item], asks: tuple[Ask, ...], reply: Reply) -> None:
        """Nothing of the mail was carried out after all."""
        position, self.count = base
        if self.items:
            self.over = False
            self.asks = ()
            self._clauses.clear()
            self._begin(position.copy())
            self.feed(since)
            self.items = []
        else:
            self.asks = asks
        for line in reply.lines:
            if line.state in ("done", "holds", "does not hold"):
                line.state = "returned"

    def _closed(self, reply: Reply) -> Reply:
        reply.items, self.items = self.items, []
        reply.asks = self.asks
        return reply

    def _not_your_turn(self, side: str) -> str:
        if self.over:
            return "the game is over"
        whom = " and ".join(dict.fromkeys(ask.side for ask in self.asks))
        return f"nothing is asked of {side} now; {whom} must answer first"


def not_asked(order: Order, ask: Ask) -> Illegal:
    """The refusal of an order that does not answer the question."""
    return Illegal(
        ask.case,
        f"{order.verb!r} does not answer what is asked now: {ask.prompt}",
        instead="Orders that do",
        alternatives=[verb.shape.printed(verb.usage) for verb in ask.verbs],
    )


def reveals(fact: f.Fact) -> bool:
    """Whether a fact shows anyone what his view did not hold, so that it cannot be taken back."""
    return fact.only is not None or isinstance(fact, f.Drew | f.Turned | f.Sighted)


def _whose(ask: Ask) -> tuple[str, ...] | None:
    return (ask.side,) if ask.hidden else None


def _same_readers(one: tuple[str, ...] | None, other: tuple[str, ...] | None, sides: Sequence[str]) -> bool:
    """Nobody named is everybody, and so is everybody named."""
    return set(sides if one is None else one) == set(sides if other is None else other)


def _compare(recorded: Sequence[Item], found: Sequence[Item], sides: Sequence[str]) -> None:
    for index, item in enumerate(recorded):
        if index >= len(found):
            raise Differs(index, item.body, "nothing more")
        if item.kind != found[index].kind or item.body != found[index].body:
            raise Differs(index, item.body, found[index].body)
        if not _same_readers(item.only, found[index].only, sides):
            raise Differs(index, f"for {item.only}", f"for {found[index].only}")
    if len(found) > len(recorded):
        raise Differs(len(recorded), "nothing more", found[len(recorded)].body)
