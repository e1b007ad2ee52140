"""Where answers come from: clauses of the order under way, lines in hand, the drawer, standing orders."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.asks import Ask, apart
from engine.drawer import Drawer
from engine.orders.conditions import read_condition
from engine.orders.fields import Reading
from engine.orders.order import Order
from engine.orders.script import Statement
from engine.orders.usual import ClosingOrder
from engine.referee.record import LineReply, Reply
from engine.referee.run import Run, not_asked
from engine.refusals import Illegal, Refusal, Unmeant

Found = tuple[Order, str]  # an answer and its source


@dataclass
class Hand:
    """The lines being worked through, and what came of them."""

    side: str
    lines: deque[Statement]
    source: str
    skip: bool  # a refused line is passed over; otherwise it stops the mail
    reply: Reply
    closing: Statement | None = None  # the line that closes one step after another
    faulty: Callable[[], bool] | None = None  # whether a dry run of all of it, as its writer knows things, is refused

    @property
    def under_way(self) -> bool:
        """Whether a line of it has been carried out."""
        return any(line.state == "done" for line in self.reply.lines)

    def tell(self, side: str, lines: list[LineReply]) -> None:
        """What became of lines that were not in this hand: a side's clauses."""
        found = self.reply.lines if side == self.side else self.reply.drawn.setdefault(side, [])
        found.extend(lines)

    def stumble(self) -> None:
        """A line is not allowed: what stands behind it stops, or goes on and closes nothing."""
        self.reply.stopped = "" if self.skip else "refused"
        for statement in self.lines:
            statement.doubt()


def answer_all(run: Run, drawer: Drawer, hand: Hand | None) -> None:
    """Answers asks as long as anybody has said something that fits."""
    while run.asks and not run.over and _answer_next(run, drawer, hand):
        if hand is not None:
            for side, clause in run.unused:
                hand.tell(side, [LineReply(0, clause.line(), "unused")])
        run.unused.clear()
        taken = drawer.change_hands(run.position.seats, run.game.setting.chairs)
        if taken is not None:
            run.handed_back |= taken
            run.clauses.clear()
            if hand is not None and hand.side in taken:
                if hand.lines:
                    hand.reply.stopped = f"{hand.side} has passed to somebody else"
                hand = None


def _answer_next(run: Run, drawer: Drawer, hand: Hand | None) -> bool:
    """What is asked now, if anybody has said something that fits."""
    if len(run.asks) > 1:
        return _open_together(run, drawer, hand)
    ask = run.asks[0]
    if hand is not None and ask.side != hand.side:
        if hand.lines and not run.no_return and hand.faulty is not None and hand.faulty():
            return False
        run.no_return = run.fell = True
        if run.rehearsal:
            return _let_go_on(run, ask)
    found = _find(run, drawer, hand, ask)
    if found is None:
        return False
    if found[1] in ("hand", "drawer"):
        drawer.here[ask.side] = int(found[0].opens)
    began = run.stages
    run.give([(ask, *found)])
    drawer.here = {side: more - run.stages + began for side, more in drawer.here.items() if more >= run.stages - began}
    return True


def _let_go_on(run: Run, ask: Ask) -> bool:
    """A dry run asks nobody: one who would let it pass by his silence is supposed to, whatever he has left word of."""
    silence = ask.supposed() if ask.supposed else ask.default() if ask.reaction and not ask.hidden else None
    if silence is None or (ask.supposed is None and silence.verb != "pass"):
        run.cut_short = True
        return False
    run.supposed = True
    run.give([(ask, silence, "default")])
    return True


def _find(run: Run, drawer: Drawer, hand: Hand | None, ask: Ask) -> Found | None:
    if drawer.window(run.asks) is not None and drawer.waits(ask, run.table):
        return _beforehand(run, drawer, ask)
    clause, refused = _from_clauses(run, ask)
    if clause is not None:
        return clause, "clause"
    own = hand if hand is not None and hand.side == ask.side else None
    if refused:  # who has spoken to it, if wrongly, does not pass it by
        ask = replace(ask, passable=False)
        if hand is not None:
            hand.tell(ask.side, refused)
        if own is not None:
            own.stumble()
            if own.reply.stopped:
                return _beforehand(run, drawer, ask)
    found = (
        _from_hand(run, drawer, ask, own)
        if own is not None and own.lines
        else _from_drawer(run, drawer, hand, ask, stumbled=bool(refused))
    )
    if found is not None:
        return found
    if own is not None and own.reply.stopped:
        return None
    return _beforehand(run, drawer, ask)


def _beforehand(run: Run, drawer: Drawer, ask: Ask) -> Found | None:
    """By standing orders, or by the default where the game does not wait."""
    order = drawer.standing_answer(ask, run.table)
    if order is not None:
        return order, "standing"
    return None if drawer.waits(ask, run.table) else (ask.default(), "default")


def open_window(run: Run, drawer: Drawer, hand: Hand) -> None:
    """The time of a hidden question is up: what was sealed, or waits, or the default; then it goes on."""
    ask = run.asks[0]
    order = drawer.sealed(ask.key)
    drawer.unseal([ask.key])
    found = (order, "hand") if order is not None else _from_drawer(run, drawer, hand, ask)
    run.give([(ask, *(found or (ask.default(), "default")))])
    answer_all(run, drawer, hand)


def seal_answer(run: Run, drawer: Drawer, hand: Hand) -> None:
    """An answer to a hidden question is checked and laid aside until its time is up."""
    ask = run.asks[0]
    found = _from_hand(run, drawer, ask, hand)
    if found is not None:
        drawer.seal(ask.key, found[0])
        for line in hand.reply.lines:
            line.state = "sealed" if line.state == "done" else line.state


def _from_clauses(run: Run, ask: Ask) -> tuple[Order | None, list[LineReply]]:
    """The clause that answers the ask, and those that would but may not."""
    refused = []
    tied = run.clauses.get(ask.side, [])
    for clause in tuple(tied):
        order = ask.meant(clause, beforehand=True)
        if ask.answered_by(order):
            try:
                reading = run.table.reading(ask.side, ask.amounts)
                if clause.proviso and not read_condition(clause.proviso, reading).holds(reading):
                    continue
                ask.check(order)
            except Refusal as refusal:
                refused.append(LineReply(0, clause.line(), "refused", clause.line(), refusal))
                continue
            tied.remove(clause)
            return order, []
    for line in refused:
        tied[:] = [clause for clause in tied if clause.line() != line.text]
    return None, refused


def _from_drawer(run: Run, drawer: Drawer, hand: Hand | None, ask: Ask, *, stumbled: bool = False) -> Found | None:
    """What the side left for this ask; what is not used stays in the drawer, or comes back behind what is not allowed.

    `stumbled`: what it had tied to the order under way was not.
    """
    if hand is not None and hand.reply.stopped:
        return None
    address, lines = drawer.take(ask.side, run.position.turn, run.position.stage, ask.key)
    if not lines:
        return None
    kept = Hand(ask.side, deque(lines), "drawer", drawer.skip, Reply(ask.side))
    if stumbled:
        kept.stumble()
    found = None if kept.reply.stopped else _from_hand(run, drawer, ask, kept)
    if kept.reply.stopped:
        kept.reply.lines += [LineReply(line.number, line.said, "returned") for line in kept.lines]
    elif kept.lines:
        drawer.put_back(ask.side, list(kept.lines), address)
    if hand is not None and kept.reply.lines:
        hand.reply.drawn.setdefault(ask.side, []).extend(kept.reply.lines)
    return found


def _from_hand(run: Run, drawer: Drawer, ask: Ask, hand: Hand) -> Found | None:
    """The next line in hand that answers the ask; lines that do not are dealt with on the way."""
    while hand.lines:
        statement = hand.lines[0]
        reading = run.table.reading(hand.side)
        line = LineReply(statement.number, statement.said, "done")
        order: Order | None = None
        try:
            if statement.condition:
                if not ask.top and not _speaks_to(run, ask, statement, reading):
                    return (ask.default(), "default") if ask.passable else None
                _decide(hand, statement, reading, line)
                continue
            order = ask.meant(statement.order or run.game.book.read(statement.text, reading))
            if isinstance(order, ClosingOrder) and (order.stage == ask.course != "" or hand.closing is statement):
                if order.stage == ask.course and not statement.doubtful:
                    hand.closing = statement
                    return _closing(ask), hand.source
                line.understood = order.line()  # every step is closed
                hand.reply.lines.append(line)
                hand.lines.popleft()
                continue
            if not ask.answered_by(order):
                if not ask.top and ask.passable:
                    return ask.default(), "default"
                if isinstance(order, ask.onward) and not statement.doubtful:
                    return _closing(ask), hand.source
                if not ask.top and hand.source == "drawer":
                    return None  # it was written for later
                standing = drawer.standing_answer(ask, run.table)
                if standing is not None:
                    return standing, "standing"  # he has said what to do here, and writes on
                if not drawer.waits(ask, run.table):
                    return ask.default(), "default"
                if isinstance(order, ClosingOrder) and hand.under_way:
                    line.state = "unused"  # what it was to close had nothing in it, and closed by itself
                    hand.reply.lines.append(line)
                    hand.lines.popleft()
                    continue
                raise not_asked(order, ask)
            _check_meant(run, drawer, hand, ask, order)
            ask.check(order)
        except Refusal as refusal:
            line.state, line.refusal = "refused", refusal
            if isinstance(refusal, Illegal) and order is not None:
                _nearest_first(refusal, order, reading)
            hand.reply.lines.append(line)
            hand.lines.popleft()
            hand.stumble()
            if hand.reply.stopped:
                return None
            continue
        hand.lines.popleft()
        read_again = statement.text and order is not statement.order
        line.understood = order.line() if read_again else statement.understood or line.text
        hand.reply.lines.append(line)
        order = _joined(run, ask, hand, order)
        if hand.reply.stopped:
            return None
        _tie(order, hand, doubtful=statement.doubtful)
        return order, hand.source
    return None


def _closing(ask: Ask) -> Order:
    """The order that closes a stage, for who writes on without it."""
    return next(verb for verb in ask.verbs if issubclass(verb, ClosingOrder))()


def _joined(run: Run, ask: Ask, hand: Hand, order: Order) -> Order:
    """The order with the lines behind it that are part of the same answer."""
    while ask.join is not apart and hand.lines and not hand.lines[0].condition:
        statement = hand.lines[0]
        line = LineReply(statement.number, statement.said, "done")
        try:
            more = statement.order or run.game.book.read(statement.text, run.table.reading(hand.side))
            whole = ask.join(order, more)
            if whole is None:
                break
            ask.check(whole)
            order, line.understood = whole, more.line()
        except Refusal as refusal:
            line.state, line.refusal = "refused", refusal
        hand.lines.popleft()
        hand.reply.lines.append(line)
        if line.refusal is not None:
            hand.stumble()
            break
    return order


def _check_meant(run: Run, drawer: Drawer, hand: Hand, ask: Ask, order: Order) -> None:
    """A closing line closes what its writer knew of: the stage of his last line, or one named. Raises Unmeant."""
    if not isinstance(order, ClosingOrder):
        return
    stage = run.position.stage.replace(".", " ").replace("_", " ")
    again = f"Write `{order.verb} {stage.rpartition(' ')[2]}` to close it"
    if hand.lines[0].doubtful:
        raise Unmeant(ask.case, f"a line before it came back, so {order.line()!r} closes nothing",
                      instead="Send it again when that line stands")  # fmt: skip
    if not order.means(run.position.stage):
        raise Unmeant(ask.case, f"what is open now is {stage}", instead=again)
    if (run.fell or hand.source == "drawer") and not order.stage and ask.side not in drawer.here:
        problem = f"{order.line()!r} was written before {stage} came, so it does not close it"
        raise Unmeant(ask.case, problem, instead=again)


def _nearest_first(refusal: Illegal, order: Order, reading: Reading) -> None:
    """What would be legal, by its distance from what was wanted; what stands nowhere stays as it is."""
    grid, seen = reading.setting.grid, reading.seen

    def spot(word: str) -> int | None:
        last = word.split()[-1] if word else ""
        return grid.hex(last) if grid.has(last) else seen.hex_of(word) if word in seen.setting.roster else None

    wanted = [spot(str(word)) for kind in ("hex", "hexes", "unit", "units") for word in order.said_of(kind)]
    aim = next((h for h in wanted if h is not None), None)
    found = [spot(word) for word in refusal.alternatives or ()]
    if aim is not None and found and None not in found:
        placed = zip((grid.distance(aim, h) for h in found if h is not None), refusal.alternatives or (), strict=True)
        refusal.alternatives = tuple(word for _, word in sorted(placed, key=lambda pair: pair[0]))


def _decide(hand: Hand, statement: Statement, reading: Reading, line: LineReply) -> None:
    """A condition makes way for the lines of the branch that is taken. Raises Refusal."""
    condition = read_condition(statement.condition, reading)
    chosen, unknown = condition.holds(reading), condition.unknown(reading)
    hand.lines.popleft()
    hand.lines.extendleft(reversed(statement.yes if chosen else statement.no))
    line.state = "holds" if chosen else "does not hold"
    line.text = f"if {statement.condition}" + (f" (not known: {', '.join(unknown)})" if unknown else "")
    hand.reply.lines.append(line)


def _speaks_to(run: Run, ask: Ask, statement: Statement, reading: Reading) -> bool:
    """Whether a condition holds a line that answers the ask; otherwise it waits for the next top ask."""
    for line in statement.lines():
        try:
            if ask.answered_by(line.order or run.game.book.read(line.text, reading)):
                return True
        except Refusal:
            continue
    return False


def _tie(order: Order, hand: Hand, *, doubtful: bool) -> None:
    """What was tied to the order by `then` and `else` goes to the front of the hand, as a condition."""
    yes, no = (
        [Statement(0, order=follower, doubtful=doubtful) for follower in tied] for tied in (order.then, order.otherwise)
    )
    if order.aim and (yes or no):
        condition = f"{order.aim} is cleared"
        hand.lines.appendleft(Statement(0, f"if {condition}", condition, yes, no))
    else:
        hand.lines.extendleft(reversed(yes))


def _open_together(run: Run, drawer: Drawer, hand: Hand | None) -> bool:
    """Takes what is said to one of several asks; goes on when the last answer is in."""
    said: list[LineReply] = []
    for ask in run.asks:
        found = None
        if hand is not None and ask.side == hand.side and hand.lines:
            found = _from_hand(run, drawer, ask, hand)
            said += hand.reply.lines[-1:] if found is not None else []
        elif drawer.sealed(ask.key) is None:
            found = _from_drawer(run, drawer, hand, ask)
        if found is not None:
            drawer.seal(ask.key, found[0])
    answers = [drawer.sealed(ask.key) for ask in run.asks]
    if run.rehearsal:
        return False
    if any(answer is None for answer in answers):
        for line in said:
            line.state = "sealed"
        return False
    run.no_return = True
    drawer.unseal(ask.key for ask in run.asks)
    run.give([(ask, order, "hand") for ask, order in zip(run.asks, answers, strict=True) if order])
    return True
