"""One writer at a time: a lock that goes with an open file."""

from contextlib import suppress


def hold(file: int) -> None:
    """Waits until nobody else holds it; it is let go when the file is closed."""
    with suppress(ImportError):  # Windows has no such locks: there nobody is kept out, and nothing is served
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def try_to_hold(file: int) -> bool:
    """Whether nobody else holds it; then it is held until the file is closed, be it by the end of the process."""
    with suppress(ImportError):
        import fcntl

        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
    return True
