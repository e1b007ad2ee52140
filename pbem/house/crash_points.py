"""The durable steps of a mail's journey, named as they are reached, so that a test can stop the service at each."""

from collections.abc import Callable

AFTER_STORE = "after-store"  # the mail is stored, nothing is done about it
GAME_BEGUN = "game-begun"  # the log of a new game is there, nobody knows yet
IN_WITNESS = "in-witness"  # a line is made, nothing about it is kept
BEFORE_LINE = "before-line"  # answer and reports are held, the line is not written
AFTER_LINE = "after-line"  # the line is written, the letters are still held
AFTER_OUTBOX = "after-outbox"  # the letters are queued, the mail is done
OUTAGE_NOTED = "outage-noted"  # deadlines are moved by an outage if there was one, nobody is told yet
STEPS = (AFTER_STORE, GAME_BEGUN, IN_WITNESS, BEFORE_LINE, AFTER_LINE, AFTER_OUTBOX, OUTAGE_NOTED)

_listeners: list[Callable[[str], None]] = []


def reached(step: str) -> None:
    """Says that a step has been made; whoever listens may raise, or end the process."""
    for listener in _listeners:
        listener(step)


def listen(listener: Callable[[str], None]) -> Callable[[], None]:
    """Listens from now on; gives what stops it."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)
