"""One daemon to a house: a lock that dies with its process, and says who holds it. Homes lie on a local disk."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from engine.log.locking import try_to_hold

if TYPE_CHECKING:  # it takes the lock itself, to bring its database up to date
    from pbem.house import House

LOCK = "serve.lock"
MOST = 500  # bytes of what it says


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
    """Nobody else serves this home meanwhile. Raises ServedAlready."""
    with _held(house.settings.home, ServedAlready) as place:
        os.ftruncate(place, 0)
        os.write(place, f"{_holder(house.clock())}\n".encode())
        yield


@contextmanager
def nobody_serves(home: Path, taken: type[ServedAlready] = OldOneServes) -> Iterator[None]:
    """No service is at work here, and none begins meanwhile. Raises ServedAlready."""
    with _held(home, taken):
        yield


@contextmanager
def _held(home: Path, taken: type[ServedAlready]) -> Iterator[int]:
    place = os.open(home / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not try_to_hold(place):
            raise taken(os.read(place, MOST).decode("utf-8", "replace").strip())
        yield place
    finally:
        os.close(place)  # the lock goes with it; the file stays, for a file that comes and goes locks nothing


def _holder(now: datetime) -> str:
    since = f"{now.astimezone():%Y-%m-%d %H:%M:%S %z}"
    return f"process {os.getpid()} on host {socket.gethostname()} serves this home since {since}"
