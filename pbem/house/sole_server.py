"""One daemon to a house: a lock that dies with its process, and says who holds it. Homes lie on a local disk."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from engine.log.locking import try_to_hold
from pbem.house import House

LOCK = "serve.lock"
MOST = 500  # bytes of what it says


class ServedAlready(Exception):
    """Another process serves this home."""

    def __init__(self, holder: str) -> None:
        super().__init__(f"{holder or 'another process'}; stop it first, or name another home in PBEM_HOME")
        self.holder = holder


@contextmanager
def sole_server(house: House) -> Iterator[None]:
    """Nobody else serves this home meanwhile. Raises ServedAlready."""
    place = os.open(house.settings.home / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not try_to_hold(place):
            raise ServedAlready(os.read(place, MOST).decode("utf-8", "replace").strip())
        os.ftruncate(place, 0)
        os.write(place, f"{_holder(house.clock())}\n".encode())
        yield
    finally:
        os.close(place)  # the lock goes with it; the file stays, for a file that comes and goes locks nothing


def _holder(now: datetime) -> str:
    since = f"{now.astimezone():%Y-%m-%d %H:%M:%S %z}"
    return f"process {os.getpid()} on host {socket.gethostname()} serves this home since {since}"
