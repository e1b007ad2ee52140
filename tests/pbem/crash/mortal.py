"""A process that dies at one of its durable steps: a fork of the test, ended in the middle of whatever it does.

Nothing runs after the step, as after SIGKILL. Steps are every writing statement, both sides of every commit, every file
that is opened to write, written, synced, renamed or removed, and what the product names itself. Only this file knows
how to die; the product does not.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine.default import DefaultDialect

from pbem.house import House, crash_points
from tests.stored import THOROUGH

DEAD = 86
KILLED: Counter[str] = Counter()  # by the kind of house
OTHERS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
WRITES = ("INSERT", "UPDATE", "DELETE", "CREATE", "ALTER", "DROP")
ON_FILES = {"os.rename": "renamed", "os.remove": "removed", "os.link": "linked", "os.mkdir": "folder made"}


class Doom:
    """Notes every step that is made, and ends the process when it comes to the one it waits for."""

    def __init__(self, at: int | None, notes: int) -> None:
        self.at, self.notes, self.made = at, notes, 0

    def next(self) -> bool:
        return self.made == self.at

    def __call__(self, step: str) -> None:
        os_write(self.notes, f"{step}\n".encode())
        if self.next():
            os._exit(DEAD)
        self.made += 1


os_write, os_fsync = os.write, os.fsync


def steps_of(work: Callable[[], None], folder: Path, at: int | None = None) -> list[str]:
    """The steps that a work makes in a process of its own, which ends at one of them if `at` says at which."""
    notes = folder.with_name(f"{folder.name}.steps")
    with notes.open("wb", buffering=0) as file, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads: this one takes none along
        child = os.fork()
        if child == 0:
            try:
                _watch(Doom(at, file.fileno()), folder)
                work()
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == (0 if at is None else DEAD)
    return notes.read_text("utf-8").splitlines()


def _watch(doom: Doom, folder: Path) -> None:
    """From now on every step of this process is noticed."""
    crash_points.listen(doom)
    commit = DefaultDialect.do_commit

    def commit_watched(self: DefaultDialect, connection: Any) -> None:
        doom("to be committed")
        commit(self, connection)
        doom("committed")

    def statement(_c: Any, _u: Any, said: str, *_: Any) -> None:
        if (words := said.replace('"', "").split())[0].upper() in WRITES:
            doom(" ".join(words[:3]).casefold())

    def write(place: int, content: bytes) -> int:
        """One that dies while it writes leaves a half."""
        if _is_file(place) and doom.next():
            os_write(place, content[: len(content) // 2])
        if _is_file(place):
            doom("half written")
        return os_write(place, content)

    def fsync(place: int) -> None:
        doom("written")
        os_fsync(place)

    def touched(what: str, seen: tuple[Any, ...]) -> None:
        if what == "open" and isinstance(seen[0], str) and seen[2] & (os.O_WRONLY | os.O_RDWR):
            what = "opened"
        elif what not in ON_FILES or not isinstance(seen[0], (str, Path)):
            return
        if str(seen[0]).startswith(str(folder)) and not str(seen[0]).endswith(".lock"):
            doom(f"{ON_FILES.get(what, what)} {Path(seen[0]).suffix}")

    DefaultDialect.do_commit = commit_watched  # type: ignore[method-assign]
    event.listen(Engine, "before_cursor_execute", statement)
    os.write, os.fsync = write, fsync  # type: ignore[assignment]
    sys.addaudithook(touched)


def _is_file(place: int) -> bool:
    """Not an event loop's pipe, nor the lock that says whose turn it is."""
    found = str(Path(f"/proc/self/fd/{place}").readlink())
    return found.startswith("/") and not found.endswith(".lock") and "/dev/" not in found


def alone(house: House) -> None:
    """Whoever died has let go of a server."""
    until = time.monotonic() + 60
    with house.database.engine.connect() as connection:
        while house.cabinet.shared and connection.exec_driver_sql(OTHERS).scalar():
            assert time.monotonic() < until
            time.sleep(0.002)


def chosen(steps: list[str], deed: int) -> list[int]:
    """Where to die: the first and the last time that a step is made; or at some, which are others for each deed."""
    first = {step: at for at, step in reversed([*enumerate(steps)])}
    last = {step: at for at, step in enumerate(steps)}
    found = sorted({*first.values(), *last.values()})
    return found if THOROUGH else found[deed % 9 :: 9]
