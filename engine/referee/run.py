"""The run: a game's procedures driven from ask to ask, live or over what was recorded."""

from collections import deque
from collections.abc import Iterable
from typing import Any, Protocol

from engine import facts as f
from engine.asks import SHUFFLES_A_TURN, Ask, Deal, Roll, Shuffle, Step, Together
from engine.game import Game
from engine.log.lines import ALL, Item, audience_of
from engine.orders.order import Order
from engine.position import Position, apply
from engine.referee.record import SOURCES, Differs, compare, reveals
from engine.referee.tally import Tally
from engine.refusals import Refusal, Unasked
from engine.table import Table
from engine.view import as_known

_FALLING = (f.Drew, f.Turned, f.Sighted)  # chance or the other side decided what they say
Answer = tuple[Ask, Order, str]  # what was asked, what was said, where it came from


class Cast(Protocol):
    """A die that was cast, with its place in its stream."""

    @property
    def k(self) -> int: ...
    @property
    def value(self) -> int: ...


class DiceCast(Protocol):
    """Whatever answers rolls: true dice, or those of a test."""

    def roll(self, stream: str, sides: int) -> Cast: ...
    def rank(self, shuffle_id: str, card: str) -> int: ...


class Run:
    """Facts are applied, dice cast, and it stops at `asks` until `give` answers them."""

    def __init__(
        self,
        game: Game,
        position: Position,
        dice: DiceCast,
        tally: Tally,
        clauses: dict[str, list[Order]],
    ) -> None:
        self.game, self.dice, self.tally = game, dice, tally
        self.rehearsal = ""  # the side whose dry run it is
        self.cut_short = False  # a dry run came to what it must not touch
        self.supposed = False  # a dry run let the other side pass
        self.items: list[Item] = []
        self.asks: tuple[Ask, ...] = ()
        self.over = False
        self.no_return = False  # a die was cast, or somebody learned something, since this was last cleared
        self.fell = False  # the same of a die, a draw or another side's answer alone
        self.speaking: set[str] = set()  # whose answer is being carried out
        self.clauses = clauses  # what each side tied to the order under way
        self.unused: list[tuple[str, Order]] = []  # what was tied to one that is over, and was not called for
        self.stages = 0  # how many have begun
        self.handed_back: dict[str, list[str]] = {}  # what lay in the drawers of sides that somebody else has taken
        self._recorded: deque[Item] | None = None
        self.begin(position)

    def begin(self, position: Position) -> None:
        """Sets out from a position at a top ask."""
        self.position = position
        self.table = Table(self.game, position)
        self._procedure = self.game.play(self.table)
        self.asks, self.over = (), False
        self.clauses.clear()
        self._top, self._top_tally = position.copy(), self.tally  # the position at a top ask, when one was last wanted
        self._past: list[Item] = []  # what happened from there to the last top ask
        self.since: list[Item] = []  # what happened since

    @property
    def top(self) -> tuple[Position, Tally]:
        """Where the last top ask stood: a position is copied when somebody wants it, not at every ask."""
        if self._past:
            position = self._top.copy() if self.since else self.position.copy()
            for item in self._past if self.since else ():
                if item.kind == "fact":
                    apply(position, item.fact)
            self._top, self._past = position, []
        return self._top, self._top_tally

    def rehearse(self, side: str) -> None:
        """From here on it is a side's dry run: no die is cast, and nothing is there but what the side knows of."""
        self.rehearsal = side
        if self.asks and self.asks[0].top:
            self._begin_as_known()

    def _begin_as_known(self) -> None:
        known = as_known(self.position, self.rehearsal)
        if known is not self.position:
            self.begin(known)
            self.drive()

    def drive(self, value: Any = None) -> None:
        """Carries on until an ask; there is none when the game is over, or a dry run has to end."""
        self.asks = ()
        while True:
            try:
                step: Step = self._procedure.send(value)
            except StopIteration:
                self.over = True
                return
            value = None
            if self._ends_dry_run(step):
                self.cut_short = self.no_return = True
                return
            if isinstance(step, f.Fact):
                self._happen(step)
                if isinstance(step, f.GameEnded):
                    self._procedure.close()
                    self.over = True
                    return
            elif isinstance(step, Roll):
                value = self._cast(step.purpose, step.stream, step.sides, step.only)["value"]
            elif isinstance(step, Shuffle):
                # Counted turn by turn: how often it was shuffled in one does not change how it lies in the next.
                cast = self._cast(f"shuffle of {step.pile}", f"pile {step.pile} {step.turn}", 1, step.only)
                value = step.turn * SHUFFLES_A_TURN + cast["k"]
            elif isinstance(step, Deal):
                value = self._deal(step)
            else:
                self._stop_at(step)
                return

    def _ends_dry_run(self, step: Step) -> bool:
        """What only the truth could tell is not told by a dry run."""
        if not self.rehearsal:
            return False
        met = isinstance(step, f.Halted) or (isinstance(step, f.Sighted) and step.by == self.rehearsal)
        return isinstance(step, Roll | Shuffle | Deal) or (
            met and as_known(self.position, self.rehearsal) is not self.position
        )

    def correct(self, facts: list[f.Fact]) -> None:
        """Facts from outside the rules; the game goes on from the position they make, at the same top ask."""
        self.items = []
        for fact in facts:
            self._happen(fact)
        items = self.items
        if any(isinstance(fact, f.GameEnded) for fact in facts):
            self._procedure.close()
            self.asks, self.over = (), True
            return
        self.begin(self.position)
        self.drive()
        self.items = items

    def _stop_at(self, step: Ask | Together) -> None:
        asks = step.asks if isinstance(step, Together) else (step,)
        assert not any(ask.side in self.game.setting.played for ask in asks), "nobody sits there to be asked"
        self.asks = tuple(ask.keyed(self._key(ask, number)) for number, ask in enumerate(asks))
        if self.asks[0].top or self.asks[0].entry:
            self._past += self.since
            self._top_tally, self.since = self.tally, []
        if self.asks[0].top:
            self.unused += [(side, clause) for side, clauses in self.clauses.items() for clause in clauses]
            self.clauses.clear()
            if self.rehearsal:
                self._begin_as_known()

    def _key(self, ask: Ask, among: int) -> str:
        return f"{self.position.turn}/{self.position.stage}/{self.tally.number(ask, among)}"

    def _happen(self, fact: f.Fact) -> None:
        apply(self.position, fact)
        self.no_return |= reveals(fact)
        self.fell |= isinstance(fact, _FALLING) and not self._of_his_doing(fact)
        self.stages += isinstance(fact, f.StageBegan)
        self._note(Item("fact", fact, self._audience(fact.only)))

    def _of_his_doing(self, fact: f.Fact) -> bool:
        """What the others come to see of whoever speaks is his own work, and no news to him."""
        return isinstance(fact, f.Sighted) and bool(self.speaking) and fact.by not in self.speaking

    def _cast(self, purpose: str, stream: str, sides: int, only: tuple[str, ...] | None) -> dict[str, Any]:
        self.no_return = self.fell = True
        body: dict[str, Any] = {"purpose": purpose, "stream": stream, "sides": sides}
        if self._recorded is not None:
            recorded = self._next_recorded("roll", body, only)
            value, k = recorded.body.get("value"), recorded.body.get("k")
            if type(value) is not int or not 1 <= value <= sides or type(k) is not int or len(recorded.body) != 5:
                raise Differs(len(self.items), recorded.body, f"a roll of 1 to {sides}")
            self._note(recorded)
            return recorded.body
        rolled = self.dice.roll(stream, sides)
        body |= {"k": rolled.k, "value": rolled.value}
        self._note(Item("roll", body, self._audience(only)))
        return body

    def _deal(self, deal: Deal) -> str:
        """The card of the lowest rank among those left: the pile itself is kept nowhere."""
        self.no_return = self.fell = True
        cards = sorted(deal.cards)
        body: dict[str, Any] = {"purpose": f"top of {deal.pile}", "stream": f"pile {deal.pile}",
                                "shuffle": deal.shuffle, "of": cards}  # fmt: skip
        if self._recorded is not None:
            recorded = self._next_recorded("roll", body, deal.only)
            value = recorded.body.get("value")
            if type(value) is not int or not 1 <= value <= len(cards) or len(recorded.body) != 5:
                raise Differs(len(self.items), recorded.body, f"one of {len(cards)} cards")
            self._note(recorded)
            return cards[value - 1]
        shuffle = f"{deal.pile}/{deal.shuffle}"
        top = min(range(len(cards)), key=lambda place: (self.dice.rank(shuffle, cards[place]), place))
        self._note(Item("roll", {**body, "value": top + 1}, self._audience(deal.only)))
        return cards[top]

    def _audience(self, only: tuple[str, ...] | None) -> str:
        return ALL if only is None else audience_of(only, self.game.sides)

    def _note(self, item: Item) -> None:
        self.items.append(item)
        self.since.append(item)

    def give(self, answers: list[Answer]) -> None:
        """Answers what is asked, and carries on; what is tied to an answer is nobody else's to read."""
        noted = [
            (ask, order, Item("answer", self._body(ask, order.alone(), source), self._audience(whose(ask))))
            for ask, order, source in answers
        ]
        self._answered(noted)

    def _answered(self, answers: list[tuple[Ask, Order, Item]]) -> None:
        together = len(self.asks) > 1
        self.speaking = {ask.side for ask, _, _ in answers}
        for ask, order, item in answers:
            self._note(item)
            if order.clauses:
                self.clauses[ask.side] = list(order.clauses)
        self.tally = self.tally.after((ask.side, ask.hidden) for ask, _, _ in answers)
        self.drive([order for _, order, _ in answers] if together else answers[0][1])

    def _body(self, ask: Ask, order: Order, source: str) -> dict[str, Any]:
        body: dict[str, Any] = {"key": ask.key, "side": ask.side, "order": order.dump(), "source": source}
        # A log can be entered at such an answer from the facts before it alone.
        if ask.entry:
            body["entry"] = self.asks.index(ask)
        return {**body, "top": self.asks.index(ask)} if ask.top else body

    # Over what was recorded.

    def feed(self, items: Iterable[Item], *, strict: bool = False) -> None:
        """Goes through recorded answers and rolls instead of asking; strict: all must come out the same.

        Raises Differs.
        """
        recorded = list(items)
        self._recorded = deque(item for item in recorded if item.kind != "fact")
        self.items = []
        if not self.asks and not self.over:
            self.drive()
        while self.asks and self._recorded:
            answers = []
            for number, ask in enumerate(self.asks):
                wanted = {"key": ask.key, "side": ask.side, "top": number if ask.top else None}
                wanted["entry"] = number if ask.entry else None
                item = self._next_recorded("answer", wanted, whose(ask))
                order = self.game.book.load(item.body["order"])
                if strict:
                    self._check_again(ask, order, item)
                answers.append((ask, order, item))
            self._answered(answers)
        if self._recorded:
            raise Differs(len(self.items), self._recorded[0].body, "the game waits for nobody")
        self._recorded = None
        if strict:
            compare(recorded, self.items)

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
        if item.audience != self._audience(only):
            raise Differs(len(self.items), f"for {item.audience}", f"for {self._audience(only)}")
        return item


def whose(ask: Ask) -> tuple[str, ...] | None:
    """Who may see the answer to an ask."""
    return (ask.side,) if ask.hidden else None


def not_asked(order: Order, ask: Ask) -> Unasked:
    """The refusal of an order that does not answer the question."""
    usages = [verb.shape.printed(verb.usage) for verb in ask.offered]
    return Unasked(order.season or ask.case, order.verb, ask.prompt, usages)
