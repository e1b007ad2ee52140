"""One writer at a time: the service and the command line take turns at the house."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.log.locking import hold
from pbem.house import House

LOCK = "writer.lock"


@contextmanager
def sole_writer(house: House) -> Iterator[None]:
    """Waits until nobody else writes, and leaves a name for who waits for letters to send. Raises MovedAway."""
    place = os.open(_lock(house), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        hold(place)
        house.must_be_here()  # it may have moved while somebody waited
        if os.read(place, 80) != _name(house):
            os.ftruncate(place, 0)
            os.lseek(place, 0, os.SEEK_SET)
            os.write(place, _name(house))
        yield
    finally:
        os.close(place)  # the lock goes with it


def another_wrote(house: House) -> bool:
    """Whether somebody else was the last to write here."""
    try:
        return _lock(house).read_bytes() != _name(house)
    except FileNotFoundError:
        return False


def _lock(house: House) -> Path:
    return house.settings.home / LOCK


def _name(house: House) -> bytes:
    return f"{os.getpid()}/{id(house)}".encode()
