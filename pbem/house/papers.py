"""A game's papers in the hands of a transaction: a line is decided with its rows, and put into its file after them.

The commit decides. A line lies in `line_due` until it is in the file, so that whoever comes after a stop finds it there
and puts it where it belongs; the file has every line once, whatever happened in between.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine.campaign.line_store import OnDisk, StateOf
from engine.canonical import canonical
from engine.log import Line, LogFile, LogMoved, State
from engine.log.lines import parse
from pbem.store import LineDue

DUE = select(LineDue).where(LineDue.game_id == bindparam("game")).order_by(col(LineDue.n))


@dataclass
class Decided:
    """What a transaction has decided: a line if there is one, and the drawer with it."""

    due: LineDue
    line: Line | None
    drawer: State

    @classmethod
    def read(cls, due: LineDue) -> Decided:
        """As a transaction before this one has left it."""
        return cls(due, parse(due.row) if due.row else None, json.loads(due.drawer))


class Papers:
    """The log of one game as its campaign keeps it, for as long as a transaction lasts."""

    def __init__(self, session: Session, game: str, path: Path) -> None:
        self.name = path.name
        self._session, self._game, self._path = session, game, path
        self._files = OnDisk(path)
        self._lines: list[Line] = []
        self._decided: list[Decided] = []
        self._drawer: State = {}
        self._seen: State | None = None  # the drawer as it was decided, where it is only looked at
        self._state: StateOf | None = None
        self.header: Line = {}
        self.last: Line = {}

    @classmethod
    def find(cls, session: Session, game: str, path: Path) -> Papers:
        """Those of a game that has begun, with all that was decided. Raises DamagedLog, LogMoved, FileNotFoundError."""
        papers = cls(session, game, path)
        left = session.exec(DUE, params={"game": game}).all()
        decided = [Decided.read(due) for due in left]
        if left and not session.info.get("writes"):
            papers._look(decided)
            return papers
        papers._files = redo(path, decided)
        for due in left:
            session.delete(due)
        papers.header, papers.last = papers._files.header, papers._files.last
        return papers

    def _look(self, decided: Sequence[Decided]) -> None:
        """Who only looks writes no file: whoever has decided it may be about to."""
        if self._path.exists():
            self._files = OnDisk.find(self._path)
        self._lines = [one.line for one in decided if one.line and one.due.n > self._files.last.get("n", -1)]
        self.header = self._files.header or self._lines[0]
        self.last = self._lines[-1] if self._lines else self._files.last
        self._seen = decided[-1].drawer if decided[-1].due.n == self.last["n"] else None

    def begin(self, header: Line, secret: bytes, drawer: State, state: StateOf) -> None:
        """The secret was promised with the invitation, and lies there already."""
        self.header = header
        self.add(header, drawer, state)

    def add(self, line: Line, drawer: State, state: StateOf) -> None:
        self.last, self._state = line, state
        self._lines.append(line)
        self._decide(line, drawer)

    def keep_drawer(self, drawer: State) -> None:
        if drawer == self._drawer:
            return
        if self._decided:
            decided = self._decided[-1]
            self._drawer, decided.drawer, decided.due.drawer = drawer, drawer, canonical(drawer)
        else:
            self._decide(None, drawer)

    def _decide(self, line: Line | None, drawer: State) -> None:
        row = canonical(line) if line is not None else b""
        due = LineDue(game_id=self._game, n=self.last["n"], row=row, drawer=canonical(drawer))
        self._session.add(due)
        self._drawer = drawer
        self._decided.append(Decided(due, line, drawer))

    def take_along(self) -> None:
        """Files are there at any time."""

    def seal(self) -> None:
        """Every line is written down already."""

    def file(self) -> bool:
        """After the commit: what was decided goes into the files; gives whether there was anything. Raises OSError."""
        if self._decided:
            files = redo(self._path, self._decided, self._files)
            if self._state is not None:
                files.keep_checkpoint(self._state())
        return bool(self._decided)

    def since(self, n: int) -> list[Line]:
        filed = self._files.since(n) if self._files.header else []
        return [*filed, *(line for line in self._lines if line["n"] > n)]

    def secret(self) -> bytes | None:
        return self._files.secret()

    def drawer(self) -> State:
        self._drawer = self._files.drawer() if self._seen is None else self._seen
        return self._drawer

    def checkpoint(self) -> State | None:
        return None if self._lines else self._files.checkpoint()


def redo(path: Path, decided: Sequence[Decided], files: OnDisk | None = None) -> OnDisk:
    """The files of a game with what was decided in them, each line once. Raises DamagedLog, LogMoved, OSError."""
    if decided and decided[0].line is not None and decided[0].due.n == 0 and not path.exists():
        LogFile(path).create(decided[0].line)
    if files is None or not files.header:
        files = OnDisk.find(path)
        files.drawer()
    for one in decided:
        n, line = one.due.n, one.line
        if line is not None and n > files.last["n"]:
            files.append(line, one.drawer)
        elif line is not None and files.since(n - 1)[0]["hash"] != line["hash"]:
            raise LogMoved(path, n)
        if n == files.last["n"]:
            files.keep_drawer(one.drawer)
    return files
