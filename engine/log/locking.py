"""One writer at a time: a lock that goes with an open file."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def hold(file: int) -> None:
    """Waits until nobody else holds it; it is let go when the file is closed."""
    with suppress(ImportError):  # Windows has no such locks: there nobody is kept out, and nothing is served
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


@contextmanager
def held(path: Path) -> Iterator[int]:
    """Waits until nobody else holds a file, which is made if need be, for its owner alone; it is let go at the end."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        hold(file)
        yield file
    finally:
        os.close(file)


def try_to_hold(file: int) -> bool:
    """Whether nobody else holds it; then it is held until the file is closed, be it by the end of the process."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
