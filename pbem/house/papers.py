"""A game's papers in the hands of a transaction: whatever is decided there lies here until the commit is near."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from engine.campaign.line_store import OnDisk, StateOf
from engine.log import Line, State

if TYPE_CHECKING:  # with what only PostgreSQL needs
    from pbem.house.in_rows import RowLog

Kept = TypeVar("Kept", bound="OnDisk | RowLog")


class Decided(NamedTuple):
    """What a transaction has decided: a line if there is one, and the drawer with it."""

    n: int
    line: Line | None
    drawer: State


class Papers(Generic[Kept]):
    """The log of one game as its campaign keeps it, for as long as a transaction lasts."""

    def __init__(self, game: str, kept: Kept, decided: Sequence[Decided] = ()) -> None:
        """With what was decided before and is only looked at here."""
        self.name, self.game, self.kept = kept.name, game, kept
        self.decided = list(decided)
        self.whole: list[Line] = []  # all lines, where they are read after their transaction has ended
        self.now: State = {}  # what lies in the drawer,
        self.was: State = {}  # and what did before its last change
        self.state: StateOf | None = None
        added = self._added()
        self.header = kept.header or (added[0] if added else {})
        self.last = added[-1] if added else kept.last

    def _added(self) -> list[Line]:
        """Lines that are not where they are kept."""
        known = self.kept.last.get("n", -1)
        return [one.line for one in self.decided if one.line is not None and one.n > known]

    def begin(self, header: Line, secret: bytes, drawer: State, state: StateOf) -> None:
        """The secret was promised with the invitation, and lies there already."""
        self.header = header
        self.add(header, drawer, state)

    def add(self, line: Line, drawer: State, state: StateOf) -> None:
        self.last, self.state = line, state
        self.was, self.now = self.now, drawer
        self.decided.append(Decided(line["n"], line, drawer))

    def keep_drawer(self, drawer: State) -> None:
        if drawer == self.now:
            return
        self.was = self.now = drawer
        line = self.decided.pop().line if self.decided else None
        self.decided.append(Decided(self.last["n"], line, drawer))

    def since(self, n: int) -> list[Line]:
        if self.whole:
            return self.whole[n + 1 :]
        filed = self.kept.since(n) if self.kept.header else []
        return [*filed, *(line for line in self._added() if line["n"] > n)]

    def secret(self) -> bytes | None:
        return self.kept.secret()

    def drawer(self) -> State:
        decided = self.decided and self.decided[-1].n == self.last["n"]
        self.now = self.decided[-1].drawer if decided else self.kept.drawer()
        return self.now

    def checkpoint(self) -> State | None:
        return None if self._added() else self.kept.checkpoint()


@dataclass
class GameStock:
    """The papers of one game taken out whole: its log's rows, its secret, and what else lies with them by name."""

    rows: list[bytes] = field(default_factory=list)
    secret: bytes | None = None
    papers: dict[str, bytes] = field(default_factory=dict)

    def digest(self) -> str:
        whole = hashlib.sha256(b"".join(row + b"\n" for row in self.rows))
        for part in (self.secret or b"", *(f"{name}\n".encode() + self.papers[name] for name in sorted(self.papers))):
            whole.update(hashlib.sha256(part).digest())
        return whole.hexdigest()
