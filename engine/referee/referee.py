"""The referee: takes a side's lines, and carries them out as far as they go."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from engine.asks import Ask
from engine.drawer import Drawer
from engine.facts import Fact, GameEnded
from engine.game import Game
from engine.log.lines import Item
from engine.orders.conditions import read_condition
from engine.orders.fields import NobodyThere, Reading
from engine.orders.order import Order
from engine.orders.script import Statement, read_script
from engine.position import Position
from engine.referee.answering import Hand, answer_all, open_window, seal_answer
from engine.referee.record import LineReply, Reply
from engine.referee.run import DiceCast, Run
from engine.referee.tally import NO_ANSWERS, Tally
from engine.refusals import Ambiguous, NotNow, Refusal, Unclear, Unmeant
from engine.table import Table

Top = tuple[Position, Tally]  # where a top ask stood: the position, and the answers that there had been


class Referee:
    """One game under way. It waits at `asks`; `submit` answers them."""

    def __init__(
        self,
        game: Game,
        position: Position,
        dice: DiceCast,
        *,
        drawer: Drawer | None = None,
        tally: Tally = NO_ANSWERS,
    ) -> None:
        self.game = game
        self.drawer = drawer if drawer is not None else Drawer()
        self._run = Run(game, position, dice, tally, self.drawer.tied)

    # How it stands.

    @property
    def position(self) -> Position:
        return self._run.position

    @property
    def table(self) -> Table:
        return self._run.table

    @property
    def asks(self) -> tuple[Ask, ...]:
        return self._run.asks

    @property
    def over(self) -> bool:
        return self._run.over

    @property
    def top(self) -> Top:
        """The position at the last top ask, and the answers that there had been."""
        return self._run.top

    @property
    def since(self) -> list[Item]:
        """What happened since the last top ask."""
        return self._run.since

    @property
    def items(self) -> list[Item]:
        return self._run.items

    @items.setter
    def items(self, items: list[Item]) -> None:
        self._run.items = items

    # What may be done.

    def start(self) -> None:
        """Goes on from a position at a top ask to the ask itself, and further if it is answered already."""
        self._run.drive()
        answer_all(self._run, self.drawer, None)

    def feed(self, items: Iterable[Item], *, strict: bool = False) -> None:
        """Goes through recorded answers and rolls; strict: all must come out the same. Raises Differs."""
        self._run.feed(items, strict=strict)

    def submit(self, side: str, said: str | Sequence[Order], *, skip: bool = False) -> Reply:
        """Carries out a side's orders, written or ready made: all or nothing until the point of no return."""
        run = self._run
        if isinstance(said, str):
            statements, reply = self.understand(side, said)
        else:
            statements, reply = [Statement(n, order=order) for n, order in enumerate(said, 1)], Reply(side)
        if reply.refused and not skip:
            reply.stopped = "refused"
            return self._closed(reply)
        if not any(ask.side == side for ask in run.asks):
            reply.stopped = self._not_your_turn(side)
            for line in reply.lines:
                line.state = "returned"
            return self._closed(reply)
        bad = {(line.number, line.text) for line in reply.refused}
        reply.lines = reply.refused
        base, since, asks, tied = run.top, list(run.since), run.asks, self.drawer.copy_of_tied()
        run.items, run.no_return, run.fell = [], False, False
        good = deque(s for s in statements if (s.number, s.text) not in bad)
        self.drawer.skip = skip
        for statement in good:
            if any(number < statement.number for number, _ in bad):
                statement.doubt()
        hand = Hand(side, good, "hand", skip, reply)
        if not (skip or run.rehearsal):
            hand.faulty = lambda: self._is_faulty(hand, self._twin(side, base, since, tied).rehearsed(side, said))
        if self.drawer.window(run.asks) is not None:
            seal_answer(run, self.drawer, hand)
        else:
            answer_all(run, self.drawer, hand)
        self._leave(hand)
        if reply.stopped == "refused" and not run.no_return and not run.rehearsal:
            self._go_back(base, since, asks, reply)
            self.drawer.tied.update(tied)
        return self._closed(reply)

    def open_window(self) -> Reply:
        """The time of the hidden question at which the game stands is up."""
        reply = Reply(self.asks[0].side)
        self._run.items = []
        open_window(self._run, self.drawer, Hand(reply.side, deque(), "hand", self.drawer.skip, reply))
        return self._closed(reply)

    def correct(self, facts: Iterable[Fact]) -> list[Item]:
        """Facts that no rule brought about, at a top ask or to end the game. Raises NotNow."""
        found = list(facts)
        if self.over or not (self.asks[0].top or any(isinstance(fact, GameEnded) for fact in found)):
            raise NotNow(self.asks[0].prompt if self.asks else "")
        self._run.correct(found)
        items, self._run.items = self._run.items, []
        return items

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
                    reply.lines.append(LineReply(statement.number, statement.text, "refused", refusal=refusal))
            reply.lines += [self._read(line, reading) for line in statement.lines()]
        reply.lines.sort(key=lambda line: line.number)
        return statements, reply

    def _read(self, statement: Statement, reading: Reading) -> LineReply:
        line = LineReply(statement.number, statement.text, "read")
        reading.looked = False
        try:
            order = self.game.book.read(statement.text, reading)
            line.understood = order.line()
            if not reading.looked:  # else it may mean another thing by then
                statement.order, statement.understood = order, line.understood
        except NobodyThere:
            line.understood = statement.text
        except (Unclear, Ambiguous) as refusal:
            line.state, line.refusal = "refused", refusal
        return line

    def rehearse(self, side: str, text: str, *, skip: bool = False) -> Reply:
        """A dry run up to the point of no return: touches neither dice nor anybody else's orders."""
        return self.twin(side).rehearsed(side, text, skip=skip)

    def rehearsed(self, side: str, said: str | Sequence[Order], *, skip: bool = False) -> Reply:
        """What a twin says to a dry run; it goes no further afterwards."""
        run = self._run
        run.rehearse(side)
        reply = self.submit(side, said, skip=skip)
        if not reply.stopped and run.cut_short:
            asked = " or the other side asked" if len(self.game.setting.chairs) > 1 else ""
            reply.stopped = f"a dry run ends where a die would be cast{asked}"
        reply.supposed = run.supposed
        reply.leads_to = self.table.seen_by(side)
        return reply

    def twin(self, side: str = "") -> Referee:
        """The same game at the same ask, on a copy of the position, with what that side has left word of."""
        return self._twin(side, self.top, self.since, self.drawer.copy_of_tied())

    def _twin(self, side: str, top: Top, since: list[Item], tied: dict[str, list[Order]]) -> Referee:
        drawer = Drawer(pace=self.drawer.pace, standing={side: list(self.drawer.standing.get(side, ()))})
        twin = Referee(self.game, top[0].copy(), self._run.dice, drawer=drawer, tally=top[1])
        twin.feed(since)
        drawer.tied.update(tied)
        drawer.here |= self.drawer.here
        return twin

    @staticmethod
    def _is_faulty(hand: Hand, dry: Reply) -> bool:
        """Whether its dry run came to a line that is not allowed: then the whole mail comes back as it found it."""
        if all(line.refusal is None or isinstance(line.refusal, Unmeant) for line in dry.lines):
            return False
        hand.lines.clear()
        hand.reply.lines, hand.reply.stopped = dry.lines, "refused"
        return True

    # How a mail ends.

    def _leave(self, hand: Hand) -> None:
        """Lines that were not reached wait in the drawer, or come back."""
        if not hand.lines:
            return
        reply = hand.reply
        keep = not self.over and not reply.stopped and not self._run.rehearsal
        if keep:
            self.drawer.keep(hand.side, list(hand.lines))
            mine = [ask for ask in self.asks if ask.side == hand.side]
            reply.stopped = f"you must answer first: {mine[0].prompt}" if mine else "the other side must answer first"
        state = "kept" if keep else "returned"
        reply.lines += [LineReply(statement.number, statement.said, state) for statement in hand.lines]

    def _go_back(self, base: Top, since: list[Item], asks: tuple[Ask, ...], reply: Reply) -> None:
        """Nothing of the mail was carried out after all."""
        run = self._run
        if run.items:
            position, run.tally = base
            run.begin(position.copy())
            run.feed(since)
            run.items = []
        else:
            run.asks = asks
        reply.lines = [line for line in reply.lines if line.state != "unused"]
        for line in reply.lines:
            if line.state in ("done", "holds", "does not hold"):
                line.state = "returned"

    def _closed(self, reply: Reply) -> Reply:
        reply.items, self._run.items = self._run.items, []
        reply.handed_back, self._run.handed_back = self._run.handed_back, {}
        reply.asks = self.asks
        return reply

    def _not_your_turn(self, side: str) -> str:
        if self.over:
            return "the game is over"
        whom = " and ".join(dict.fromkeys(ask.side for ask in self.asks))
        return f"nothing is asked of {side} now; {whom} must answer first"
