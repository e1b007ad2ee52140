"""Where a campaign is kept: in files beside each other, or in memory only."""

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


class Store(Protocol):
    """The lines written so far, and the drawer."""

    header: log.Line
    last: log.Line

    def since(self, n: int) -> list[log.Line]: ...

    def add(self, line: log.Line, drawer: State, state: Callable[[], State]) -> None: ...

    def keep_drawer(self, drawer: State) -> None: ...


class InMemory:
    """For bots and trials: nothing is written anywhere."""

    def __init__(self, header: log.Line) -> None:
        self.header = self.last = header
        self._lines = [header]

    def since(self, n: int) -> list[log.Line]:
        return self._lines[n + 1 :]

    def add(self, line: log.Line, drawer: State, state: Callable[[], State]) -> None:
        self._lines.append(line)
        self.last = line

    def keep_drawer(self, drawer: State) -> None:
        """The referee has it."""


class OnDisk:
    """A log file with its secret, drawer and checkpoint beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log = log.LogFile(path)
        self._drawer: State = {}
        self.header: log.Line = {}
        self.last: log.Line = {}
        self.read: list[log.Line] | None = None  # all lines, where the file had to be read whole

    @classmethod
    def create(cls, path: Path, header: log.Line, secret: bytes, drawer: State, state: State) -> OnDisk:
        """Begin a log; raises LogExists."""
        store = cls(path)
        if path.exists():
            raise LogExists(path)
        try:
            if log.read_secret(path) != secret:  # one promised before the game began lies there already
                log.write_secret(path, secret)
            store._log.create(header)
        except FileExistsError:
            raise LogExists(path) from None
        store.header = store.last = header
        store.keep_drawer(drawer)
        log.store_checkpoint(path, header, state)
        return store

    @classmethod
    def find(cls, path: Path, *, whole: bool = False) -> OnDisk:
        """The log as it is now: its two ends if that is enough. Raises DamagedLog, FileNotFoundError."""
        store = cls(path)
        try:
            ends = None if whole else store._log.ends()
        except ValueError:
            ends = None
        if ends is None:
            store.read = store._log.read().lines
            ends = store.read[0], store.read[-1]
        store.header, store.last = ends
        return store

    def checkpoint(self) -> State | None:
        """The state kept after the last line, if there is one."""
        return log.load_checkpoint(self.path, self.last)

    def since(self, n: int) -> list[log.Line]:
        return self._log.tail(n)

    def add(self, line: log.Line, drawer: State, state: Callable[[], State]) -> None:
        """The line is there or it is not, and with it what it took from the drawer."""
        self._write_drawer(line["hash"], drawer)
        self._log.append(line)
        self.last, self._drawer = line, drawer
        log.store_checkpoint(self.path, line, state())

    def keep_drawer(self, drawer: State) -> None:
        if drawer != self._drawer:
            self._drawer = drawer
            self._write_drawer(self.last["hash"], drawer)

    def _write_drawer(self, head: str, drawer: State) -> None:
        # Written before its line: `now` counts if the line is there, `was` if it never came to be.
        content = {"head": head, "now": drawer, "was": self._drawer}
        replace_file(beside(self.path, "drawer"), canonical(content))

    def drawer(self) -> State:
        """What the drawer held after the last line; raises ValueError if the file is not a drawer."""
        try:
            kept = json.loads(beside(self.path, "drawer").read_bytes())
        except FileNotFoundError:
            return {}
        if not isinstance(kept, dict) or not {"head", "now", "was"} <= kept.keys():
            raise ValueError(f"{beside(self.path, 'drawer').name} is not a drawer")
        self._drawer = kept["now"] if kept["head"] == self.last["hash"] else kept["was"]
        return self._drawer


def write_all(path: Path, lines: list[log.Line], secret: bytes, drawer: State, state: State) -> None:
    """A game that was kept in memory, put on disk; raises LogExists."""
    if path.exists():
        raise LogExists(path)
    try:
        log.write_secret(path, secret)
    except FileExistsError:
        raise LogExists(path) from None
    replace_file(path, b"".join(canonical(line) + b"\n" for line in lines))
    write_head(path, lines[-1])
    store = OnDisk.find(path, whole=True)
    store.keep_drawer(drawer)
    log.store_checkpoint(path, lines[-1], state)
