"""A game under way: whoever has orders hands them in here, and one line is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from engine import facts as f
from engine import log
from engine.asks import Ask
from engine.campaign.errors import CannotResume, GameClosed, NoUndo
from engine.campaign.folding import opened, put_back, units_by_side
from engine.campaign.going_back import no_return, pace_after, taken_out
from engine.campaign.lately import Lately, Span
from engine.campaign.line_store import InMemory, OnDisk, Store, write_all
from engine.campaign.resuming import resume, secret_of, state_of
from engine.dice import EVERY, Dice, new_secret, secret_from_seed
from engine.drawer import BRISK, Drawer, Standing
from engine.game import Game
from engine.orders.order import Order
from engine.position import Position
from engine.referee import Differs, Referee, Reply
from engine.standing import checked, read_standing

FindGame = Callable[[str, str, Mapping[str, Any]], Game]  # rulebook, scenario, options


class LineNote(TypedDict, total=False):
    """What may be said of any line: when it is written, and the input it comes of."""

    at: str
    cause: str


MODERATOR = "moderator"
CLOCK = "clock"
MOST_DEFAULTS = 500  # answers the clock gives at one time; more would be a rule that never ends


class Campaign:
    """Log, referee, drawer and secret of one game; `new` and `open` make one.

    Whatever is done here gives a reply, and the reply has its line if one was written. A campaign whose line could not
    be written has gone ahead of its log: it is opened again.
    """

    def __init__(self, game: Game, store: Store, secret: bytes, referee: Referee, dice: Dice, lately: Lately) -> None:
        self.game, self.referee, self.secret = game, referee, secret
        self._store, self._dice, self._lately = store, dice, lately
        self._span = Span(-1, [store.header], ())

    @classmethod
    def new(
        cls,
        place: Store | Path | str | None,
        game: Game,
        *,
        seed: int | None = None,
        secret: bytes | None = None,
        at: str = "",
        nonces: Mapping[str, str] | None = None,
        pace: str = BRISK,
    ) -> Campaign:
        """Begin a game, on disk or (no place) in memory, on a secret promised before or a new one; raises LogExists."""
        if secret is None:
            secret = new_secret() if seed is None else secret_from_seed(seed)
        dice = Dice(secret, game.rulebook, nonces or {})
        position, set_up = opened(game)
        referee = Referee(game, position, dice, drawer=Drawer(pace=pace, began=pace))
        referee.start()
        happened, referee.items = [*set_up, *referee.items], []
        header = log.seal_header(
            secret,
            game=game.rulebook,
            scenario=game.scenario,
            sides=game.sides,
            rules=game.version,
            nonces=nonces or {},
            position=referee.position.hash(),
            options=game.options,
            chairs=game.setting.chairs,
            units=units_by_side(game),
            at=at,
            happened=happened,
        )
        lately = Lately.of([header])
        store = InMemory() if place is None else OnDisk(Path(place)) if isinstance(place, Path | str) else place
        store.begin(header, secret, referee.drawer.to_json(), lambda: state_of(referee, dice, lately))
        return cls(game, store, secret, referee, dice, lately)

    @classmethod
    def open(cls, place: Store | Path | str, find_game: FindGame) -> Campaign:
        """Go on with a game that is kept somewhere; raises DamagedLog, NoSecret, CannotResume, FileNotFoundError."""
        store = OnDisk.find(Path(place)) if isinstance(place, Path | str) else place
        header = store.header
        game = find_game(header["game"], header["scenario"], header["options"])
        secret = secret_of(store)
        return cls(game, store, secret, *resume(store, game, secret))

    # How it stands.

    @property
    def position(self) -> Position:
        return self.referee.position

    @property
    def asks(self) -> tuple[Ask, ...]:
        return self.referee.asks

    @property
    def drawer(self) -> Drawer:
        return self.referee.drawer

    @property
    def window(self) -> Ask | None:
        """The hidden question at which the game stands until its time is up."""
        return self.drawer.window(self.asks)

    @property
    def over(self) -> bool:
        return self.referee.over

    @property
    def twinned(self) -> bool:
        """Whether its secret is another game's, too: its dice have the words of somebody who has no chair here.

        Then the end of one does not reveal it; whoever keeps both does, when both are over.
        """
        header = self._store.header
        return any(name not in header["chairs"] for name in header["nonces"])

    @property
    def revealed(self) -> bool:
        """Whether the secret is out."""
        return "secret" in self._store.last

    @property
    def head(self) -> str:
        """The hash of the last line."""
        return str(self._store.last["hash"])

    @property
    def last(self) -> log.Line:
        """The last line."""
        return self._store.last

    @property
    def count(self) -> int:
        """How many lines there are, the header included."""
        return int(self._store.last["n"]) + 1

    def lines(self) -> list[log.Line]:
        """The whole log."""
        return self._store.since(-1)

    def since(self, n: int) -> list[log.Line]:
        """The lines after one, the others unread."""
        return self._store.since(n)

    def span(self, since: int, line: log.Line) -> Span:
        """What came after one line, up to another that is being written or was: what a report tells."""
        if (self._span.since, self._span.lines[-1]["hash"]) == (since, line["hash"]):
            return self._span  # the next reader is told the same
        lines = [*(known for known in self.since(since) if known["n"] < line["n"]), line]
        under_way = self._lately.before(lines, since)
        if under_way is None:  # too long ago
            self._span = Span.of([*self.lines()[: line["n"]], line], since)
        else:
            self._span = Span(since, lines, under_way)
        return self._span

    def export(self, side: str | None) -> list[log.Line]:
        """The log as a side (None: an onlooker) may be given it."""
        return log.export(self.lines(), side, self.secret)

    # What may be done.

    def submit(
        self,
        side: str,
        said: str | Sequence[Order],
        *,
        skip: bool = False,
        by: str = "",
        **note: Unpack[LineNote],
    ) -> Reply:
        """A side's order lines (`by` another hand, if one is named): one line in the log if anything happened.

        What is left of them goes into the drawer.
        """
        return self._record(by or side, self.referee.submit(side, said, skip=skip), **note)

    def expire(self, sides: Sequence[str], *, by: str = CLOCK, **note: Unpack[LineNote]) -> Reply:
        """The clock answers what sides owe in this turn, by what waits in their drawers and then by the defaults."""
        whole, turn = Reply(by), self.position.turn
        for _ in range(MOST_DEFAULTS):
            owed = [a for a in self.asks if a.side in sides and self.drawer.sealed(a.key) is None]
            if not owed or self.over or self.window is not None or self.position.turn != turn:
                break
            reply = self.referee.submit(owed[0].side, [owed[0].default()])
            whole.add(reply)
            if reply.refused or reply.handed_back:
                break
        whole.asks = self.asks
        return self._record(by, whole, "deadline", **note)

    def open_window(self, **note: Unpack[LineNote]) -> Reply:
        """The time of the hidden question is up: its answer is carried out, and nobody sees when it was given."""
        return self._record(CLOCK, self.referee.open_window(), "window", **note)

    def time_windows(self, sides: Iterable[str]) -> None:
        """Hidden questions to these sides are closed by the clock from now on, however soon they are answered."""
        self.drawer.timed = frozenset(sides)
        self._store.keep_drawer(self.drawer.to_json())

    def change_terms(self, terms: Mapping[str, Any], *, by: str = MODERATOR, **note: Unpack[LineNote]) -> Reply:
        """Terms of a game under way change, its `pace` or what its house keeps: one line for all. Raises GameClosed."""
        self._still_open()
        self.drawer.pace = terms.get("pace", self.drawer.pace)
        return self._add(Reply(by), "terms", says={"terms": dict(terms)}, **note)

    def converse(self, side: str, answer: Callable[[Ask], Order], **note: Unpack[LineNote]) -> Reply:
        """A side that answers as it is asked, until the stage or its say is over: one line in the log."""
        whole, stage = Reply(side), (self.position.turn, self.position.stage)
        while stage == (self.position.turn, self.position.stage) and not whole.stopped:
            asks = [a for a in self.asks if a.side == side and self.drawer.sealed(a.key) is None]
            if not asks:
                break
            reply = self.referee.submit(side, [answer(asks[0])])
            whole.add(reply)
            whole.stopped = reply.stopped
            if reply.handed_back:
                break
        whole.asks = self.asks
        return self._record(side, whole, **note)

    def rehearse(self, side: str, text: str, *, skip: bool = False) -> Reply:
        """The same up to the point of no return, and nothing is kept."""
        return self.referee.rehearse(side, text, skip=skip)

    def stand(self, side: str, line: str) -> Standing:
        """A standing order goes into the drawer; raises Unclear, Ambiguous."""
        order = self.drawer.stand(side, checked(read_standing(line), side, self.referee.table.seen_by(side)).line())
        self._store.keep_drawer(self.drawer.to_json())
        return order

    def stand_down(self, side: str, line: str) -> list[Standing]:
        """Standing orders taken out of the drawer: those that begin as the line does, or all for an empty one."""
        gone = self.drawer.stand_down(side, line)
        self._store.keep_drawer(self.drawer.to_json())
        return gone

    def lay_ahead(self, side: str, text: str) -> Reply:
        """Lines for the next time the side is asked, instead of what waited; bad ones come back, and none is kept."""
        statements, reply = self.referee.understand(side, text)
        if reply.refused or not statements:
            reply.stopped = "refused"
            return reply
        self.drawer.waiting.pop(side, None)
        self.drawer.here.pop(side, None)
        self.drawer.keep(side, statements)
        for line in reply.lines:
            line.state = "kept"
        self._store.keep_drawer(self.drawer.to_json())
        return reply

    def withdraw(self, side: str) -> list[str]:
        """What the side has waiting in the drawer, taken out again: lines, and sealed answers still open."""
        taken = taken_out(self.referee, [side])[side]
        self._store.keep_drawer(self.drawer.to_json())
        return taken

    def may_undo(self, line: int, by: str) -> None:
        """Whether a player may go back to the end of a line; raises NoUndo, NoWayBack."""
        for n, item in log.items_in_force(self.lines()):
            if n > line and (why := no_return(item, by)):
                raise NoUndo(line, n, why)

    def undo(self, line: int, *, by: str, **note: Unpack[LineNote]) -> Reply:
        """Back to the end of a line; what waited in the drawers is taken out. Raises NoUndo, NoWayBack."""
        if by == MODERATOR:
            return self.rewind(line, **note)
        self.may_undo(line, by)
        return self._go_back("undo", by, log.Back(line), **note)

    def rewind(self, line: int, *, point: int | None = None, **note: Unpack[LineNote]) -> Reply:
        """The moderator goes back to any line, or to an answer in it: its first `point` items stay."""
        return self._go_back("rewind", MODERATOR, log.Back(line, point), **note)

    def correct(self, facts: Sequence[f.Fact], *, by: str = MODERATOR, **note: Unpack[LineNote]) -> Reply:
        """Facts that no rule brought about: at a top ask, or to end the game. Raises GameClosed, NotNow."""
        self._still_open()
        reply = Reply(by, items=self.referee.correct(facts), asks=self.asks, handed_back=self._change_hands())
        return self._record(by, reply, "correct", **note)

    def skip(self, to: int, *, by: str = MODERATOR, **note: Unpack[LineNote]) -> Reply:
        """What was thrown and drawn from here on may have been seen: all dice go on behind roll `to`, all piles anew.

        Wherever the game stands, it stands there still; nothing is told but how far. Raises GameClosed.
        """
        self._still_open()
        return self._add(Reply(by, asks=self.asks), "skip", says={"skip": {EVERY: self._dice.skip(to)}}, **note)

    def conclude(self, result: str, winner: str, *, by: str, **note: Unpack[LineNote]) -> Reply:
        """The game ends by agreement, resignation or the moderator's word. Raises GameClosed."""
        ended = f.GameEnded(result=result, winner=winner, because=f"by {by}")
        return self.correct([ended], by=by, **note)

    def reveal(self, at: str = "") -> None:
        """The secret of a game that is over, if it is not out yet."""
        if self.over and not self.revealed:
            self._add(Reply(CLOCK), "secret", at=at)

    def save(self, path: Path | str) -> None:
        """Put a game kept in memory on disk; raises LogExists."""
        state = state_of(self.referee, self._dice, self._lately)
        write_all(Path(path), self.lines(), self.secret, self.drawer.to_json(), state)

    # How it is written down.

    def _record(self, by: str, reply: Reply, act: str = "orders", **note: Unpack[LineNote]) -> Reply:
        if not reply.items:
            self._store.keep_drawer(self.drawer.to_json())
            return reply
        self._add(reply, act, by, **note)
        if self.over and not self.twinned:
            self._add(Reply(CLOCK), "secret", at=note.get("at", ""))
        return reply

    def _add(
        self,
        reply: Reply,
        act: str,
        by: str = "",
        back: log.Back | None = None,
        says: Mapping[str, Any] | None = None,
        **note: Unpack[LineNote],
    ) -> Reply:
        line = log.seal_line(
            self.secret,
            self._store.header,
            self._store.last,
            by=by or reply.side,
            act=act,
            rules=self.game.version,
            position=self.position.hash(),
            at=note.get("at", ""),
            happened=reply.items,
            back=back,
            says=says,
            cause=note.get("cause", ""),
        )
        if back is None:
            self._lately.add(line["n"], reply.items)
        self._store.add(line, self.drawer.to_json(), lambda: state_of(self.referee, self._dice, self._lately))
        reply.line = line
        return reply

    def _go_back(self, act: str, by: str, back: log.Back, **note: Unpack[LineNote]) -> Reply:
        self._still_open()
        lines = self.lines()
        going: log.Line = {"n": len(lines), "back": {"line": back.line, "point": back.point}, "parts": {}}
        happened = [item for _, item in log.items_in_force([*lines, going])]
        tied = self.drawer.copy_of_tied()
        try:
            # Between two facts is no place to stop: the rules would run on from it by themselves.
            strict = back.point is not None
            referee = put_back(happened, self.game, self._dice, self.drawer, strict=strict)
        except Differs as differs:
            raise CannotResume(back.line, self.game.version, f"no ask stands there ({differs})") from None
        finally:
            self.drawer.tied.update(tied)
        if act == "rewind":
            self.drawer.pace = pace_after(lines, back.line, self.drawer.began)
        self._lately.go_back(lines, going)
        taken = taken_out(referee, self.game.setting.chairs)
        self.referee = referee
        reply = Reply(by, asks=self.asks, handed_back=self._change_hands(), taken_out=taken)
        return self._add(reply, act, back=back, **note)

    def _change_hands(self) -> dict[str, list[str]]:
        """What lay in the drawers of sides that are somebody else's now."""
        return self.drawer.change_hands(self.position.seats, self.game.setting.chairs) or {}

    def _still_open(self) -> None:
        if self.over or self.revealed:
            raise GameClosed
