"""The copy of a log that a reader may have: all of it when the game is over, his own view of it before."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.log import Line, export
from engine.log.chain import revealed
from pbem.tale.entries import EVERYTHING, ONLOOKER, Entry, entries


@dataclass(frozen=True)
class Copy:
    """Lines as one reader may have them."""

    lines: list[Line]
    whole: list[Line]  # the same lines unabridged: only for what was taken back, never for what is shown
    reader: str
    over: bool

    def entries(self) -> Iterator[Entry]:
        """What is in force and in this copy, in the order it happened. Raises NoWayBack."""
        return entries(self.whole, EVERYTHING if self.over else self.reader)


def copy_for(lines: Sequence[Line], reader: str | None, secret: bytes | None) -> Copy:
    """The log as it may be handed out, to an onlooker if no side is named; the secret opens a running game's log to
    its reader. Raises ValueError."""
    if revealed(lines) is not None:
        return Copy(list(lines), list(lines), reader or EVERYTHING, True)
    if secret is None:
        raise ValueError("a running game cannot be handed out without its secret")
    return Copy(export(lines, reader, secret), list(lines), reader or ONLOOKER, False)
