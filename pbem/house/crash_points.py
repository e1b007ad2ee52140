"""The durable steps of whatever is done, named as they are reached, so that a test can stop the service at each."""

from collections.abc import Callable

AFTER_STORE = "after-store"  # the mail is stored, nothing is done about it
LINE_MADE = "line-made"  # a line is made, nothing about it is kept
BEFORE_COMMIT = "before-commit"  # answer and reports are written too, nothing is kept
AFTER_COMMIT = "after-commit"  # all of it is decided; a line is not in its file yet
AFTER_LINE = "after-line"  # it is there, and still noted as due
AFTER_ALL = "after-all"  # nothing is left to do
OUTAGE_NOTED = "outage-noted"  # deadlines are moved by an outage if there was one, nobody is told yet
# Of what is typed: `pbem house backup`, `restore` and `rebuild`.
BACKUP_WRITTEN = "backup-written"  # it is packed, but not checked, and has not its name
BACKUP_NAMED = "backup-named"  # it has
RESTORE_UNPACKED = "restore-unpacked"  # all of it is laid out beside the house and checked
RESTORE_SKIPPED = "restore-skipped"  # dice are skipped there, and letters written
RESTORE_COPIED = "restore-copied"  # it is in the house, but not decided
RESTORE_DECIDED = "restore-decided"  # it is the house; only what was laid out beside it is left
REBUILD_MADE = "rebuild-made"  # the rows are made, beside the house
STEPS = (AFTER_STORE, LINE_MADE, BEFORE_COMMIT, AFTER_COMMIT, AFTER_LINE, AFTER_ALL, OUTAGE_NOTED)

_listeners: list[Callable[[str], None]] = []


def reached(step: str) -> None:
    """Says that a step has been made; whoever listens may raise, or end the process."""
    for listener in _listeners:
        listener(step)


def listen(listener: Callable[[str], None]) -> Callable[[], None]:
    """Listens from now on; gives what stops it."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)
