"""One daemon to a house, and one writer at a time: locks that die with their process. Homes lie on a local disk."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from engine.log.locking import hold, try_to_hold

if TYPE_CHECKING:  # it takes the lock itself, to bring its database up to date
    from pbem.house import House

LOCK, WRITERS = "serve.lock", "writer.lock"
MOST = 500  # bytes of what they say


class ServedAlready(Exception):
    """Another process serves this home."""

    def __init__(self, holder: str) -> None:
        super().__init__(f"{holder or 'another process'}; stop it first, or name another home in PBEM_HOME")
        self.holder = holder


class OldOneServes(ServedAlready):
    """A service of the older program is at work on a database that this one would change under it."""

    def __str__(self) -> str:
        return f"the database is of an older Fieldpost, and {self.holder or 'another process'}: stop that first"


@contextmanager
def sole_server(house: "House") -> Iterator[None]:
    """Nobody else serves this home meanwhile, and whoever tries is told who does. Raises ServedAlready."""
    since = f"{house.clock().astimezone():%Y-%m-%d %H:%M:%S %z}"
    with nobody_serves(house.settings.home, ServedAlready) as place:
        _say(place, f"process {os.getpid()} on host {socket.gethostname()} serves this home since {since}\n".encode())
        yield


@contextmanager
def nobody_serves(home: Path, taken: type[ServedAlready] = OldOneServes) -> Iterator[int]:
    """No service is at work here, and none begins meanwhile. Raises ServedAlready."""
    with _opened(home / LOCK) as place:
        if not try_to_hold(place):
            raise taken(os.read(place, MOST).decode("utf-8", "replace").strip())
        yield place


@contextmanager
def sole_writer(house: "House") -> Iterator[None]:
    """Waits until nobody else writes, and leaves a name for who waits for letters to send. Raises MovedAway."""
    with _opened(house.settings.home / WRITERS) as place:
        hold(place)
        house.must_be_here()  # it may have moved while somebody waited
        if os.read(place, MOST) != _name(house):
            _say(place, _name(house))
        yield


def another_wrote(house: "House") -> bool:
    """Whether somebody else was the last to write here."""
    try:
        return (house.settings.home / WRITERS).read_bytes() != _name(house)
    except FileNotFoundError:
        return False


def _name(house: "House") -> bytes:
    return f"{os.getpid()}/{id(house)}".encode()


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    place = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        yield place
    finally:
        os.close(place)  # the lock goes with it; the file stays, for a file that comes and goes locks nothing


def _say(place: int, what: bytes) -> None:
    os.ftruncate(place, 0)
    os.lseek(place, 0, os.SEEK_SET)
    os.write(place, what)
