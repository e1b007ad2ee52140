"""Where a campaign is kept: in files beside each other, in memory only, or wherever else somebody keeps lines."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from engine import log
from engine.campaign.errors import LogExists
from engine.canonical import canonical
from engine.log import State
from engine.log.sidecar import beside, replace_file, write_head

StateOf = Callable[[], State]  # what a checkpoint keeps, made only where one is kept


class Store(Protocol):
    """The lines of one game, its secret, its drawer, and a checkpoint if it keeps one."""

    name: str  # for messages
    header: log.Line
    last: log.Line

    def begin(self, header: log.Line, secret: bytes, drawer: State, state: StateOf) -> None:
        """The first line. Raises LogExists."""

    def add(self, line: log.Line, drawer: State, state: StateOf) -> None:
        """One more, and with it what it left in the drawer: both, or neither."""

    def keep_drawer(self, drawer: State) -> None: ...

    def since(self, n: int) -> list[log.Line]:
        """The lines after one."""

    def secret(self) -> bytes | None: ...

    def drawer(self) -> State:
        """What the drawer held after the last line, or has been given since."""

    def checkpoint(self) -> State | None:
        """The state after the last line, if it is kept."""


class InMemory:
    """For bots and trials: nothing is written anywhere."""

    name = "a game in memory"
    header: log.Line
    last: log.Line

    def begin(self, header: log.Line, secret: bytes, drawer: State, state: StateOf) -> None:
        self._lines, self._secret, self._drawer = [header], secret, drawer
        self.header = self.last = header

    def add(self, line: log.Line, drawer: State, state: StateOf) -> None:
        self._lines.append(line)
        self.last, self._drawer = line, drawer

    def keep_drawer(self, drawer: State) -> None:
        self._drawer = drawer

    def since(self, n: int) -> list[log.Line]:
        return self._lines[n + 1 :]

    def secret(self) -> bytes | None:
        return self._secret

    def drawer(self) -> State:
        return self._drawer

    def checkpoint(self) -> State | None:
        return None


class OnDisk:
    """A log file with its secret, drawer and checkpoint beside it."""

    def __init__(self, path: Path) -> None:
        self.path, self.name = path, path.name
        self._log = log.LogFile(path)
        self._drawer: State = {}
        self.header: log.Line = {}
        self.last: log.Line = {}
        self._read: list[log.Line] = []  # all lines, where the file had to be read whole

    @classmethod
    def find(cls, path: Path, *, whole: bool = False) -> OnDisk:
        """The log as it is now: its two ends if that is enough. Raises DamagedLog, FileNotFoundError."""
        store = cls(path)
        try:
            ends = None if whole else store._log.ends()
        except ValueError:
            ends = None
        if ends is None:
            store._read = store._log.read().lines
            ends = store._read[0], store._read[-1]
        store.header, store.last = ends
        return store

    def begin(self, header: log.Line, secret: bytes, drawer: State, state: StateOf) -> None:
        if self.path.exists():
            raise LogExists(self.path)
        try:
            if self.secret() != secret:  # one promised before the game began lies there already
                log.write_secret(self.path, secret)
            self._log.create(header)
        except FileExistsError:
            raise LogExists(self.path) from None
        self.header = self.last = header
        self.keep_drawer(drawer)
        self.keep_checkpoint(state())

    def add(self, line: log.Line, drawer: State, state: StateOf) -> None:
        self.append(line, drawer)
        self.keep_checkpoint(state())

    def append(self, line: log.Line, drawer: State) -> None:
        """The line is there or it is not, and with it what it took from the drawer; the checkpoint is left behind."""
        self._write_drawer(line["hash"], drawer)
        self._log.append(line)
        self.last, self._drawer, self._read = line, drawer, []

    def keep_drawer(self, drawer: State) -> None:
        if drawer != self._drawer:
            self._drawer = drawer
            self._write_drawer(self.last["hash"], drawer)

    def _write_drawer(self, head: str, drawer: State) -> None:
        # Written before its line: `now` counts if the line is there, `was` if it never came to be.
        content = {"head": head, "now": drawer, "was": self._drawer}
        replace_file(beside(self.path, "drawer"), canonical(content))

    def keep_checkpoint(self, state: State) -> None:
        log.store_checkpoint(self.path, self.last, state)

    def since(self, n: int) -> list[log.Line]:
        return self._read[n + 1 :] if self._read else self._log.tail(n)

    def secret(self) -> bytes | None:
        return log.read_secret(self.path)

    def drawer(self) -> State:
        """Raises ValueError if the file is not a drawer."""
        try:
            kept = json.loads(beside(self.path, "drawer").read_bytes())
        except FileNotFoundError:
            return {}
        if not isinstance(kept, dict) or not {"head", "now", "was"} <= kept.keys():
            raise ValueError(f"{beside(self.path, 'drawer').name} is not a drawer")
        self._drawer = kept["now"] if kept["head"] == self.last["hash"] else kept["was"]
        return self._drawer

    def checkpoint(self) -> State | None:
        return log.load_checkpoint(self.path, self.last)


def write_all(path: Path, lines: list[log.Line], secret: bytes, drawer: State, state: State) -> None:
    """A game that was kept in memory, put on disk; raises LogExists."""
    if path.exists():
        raise LogExists(path)
    try:
        log.write_secret(path, secret)
    except FileExistsError:
        raise LogExists(path) from None
    replace_file(path, log.as_written(lines))
    write_head(path, lines[-1])
    store = OnDisk.find(path, whole=True)
    store.keep_drawer(drawer)
    store.keep_checkpoint(state)
