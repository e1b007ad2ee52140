"""Where a house keeps games' papers and mails' bytes: in files of its home folder, or in rows of its database."""

from contextlib import AbstractContextManager
from typing import Protocol

from sqlmodel import Session

from engine.campaign.line_store import Store
from engine.log import Line, State


class GamePapers(Store, Protocol):
    """A game's log and drawer in the hands of one transaction."""

    def take_along(self) -> None:
        """They are read after their transaction has ended."""

    def seal(self) -> None:
        """Before the commit: what is written down once, however many lines there were."""

    def file(self) -> bool:
        """After the commit: whatever must still be put elsewhere; gives whether there was anything. Raises OSError."""


class Cabinet(Protocol):
    """What a house on files and a house in rows do each in their own way; all of it within a transaction."""

    shared: bool  # whether workers on several machines use it at the same time

    def hold(self, session: Session, game: str) -> bool:
        """Nobody else writes to a game, or to the other of its duel, until this transaction ends.

        Gives whether that is so only from now on: then what was read before is read anew.
        """

    def hold_all(self, session: Session) -> None:
        """Nobody else writes to any game until this transaction ends."""

    def claim(self, what: str, *, minutes: int = 1) -> AbstractContextManager[bool]:
        """Whether this worker may do a thing now; all others are told that they may not, unless it takes too long."""

    def leads(self, what: str, *, seconds: int) -> bool:
        """Whether this worker is the one that does it, until it is gone or has not asked for so long."""

    def step_down(self) -> None:
        """Another may lead."""

    def ring(self, session: Session) -> None:
        """With this transaction there is something to do for whoever waits."""

    def rung(self) -> bool:
        """Whether anybody has rung since the last look."""

    def close(self) -> None: ...

    def papers(self, session: Session, game: str) -> GamePapers:
        """Those of a game that has begun. Raises DamagedLog, LogMoved, FileNotFoundError."""

    def blank(self, session: Session, game: str) -> GamePapers:
        """Those of a game that begins. Raises LogExists."""

    def has_log(self, session: Session, game: str) -> bool: ...

    def secret(self, session: Session, game: str) -> bytes | None:
        """What was promised. Raises ValueError if it is no hexadecimal number."""

    def promise(self, session: Session, game: str, secret: bytes) -> None:
        """A secret is kept before anybody hears of its game."""

    def paper(self, session: Session, game: str, name: str) -> bytes:
        """What lies beside a log under a name; nothing, if nothing does."""

    def keep_paper(self, session: Session, game: str, name: str, content: bytes) -> None: ...

    def state(self, session: Session, game: str, name: str, line: Line) -> State | None:
        """A state kept after that very line, so that it need not be folded again; None in any doubt."""

    def keep_state(self, session: Session, game: str, name: str, line: Line, state: State) -> None: ...

    def keep_raw(self, session: Session, raw: bytes) -> tuple[str, str]:
        """Stores a mail's bytes before anything else; gives where and their digest."""

    def raw(self, session: Session, place: str) -> bytes: ...

    def drop_raw(self, session: Session, place: str) -> None:
        """A mail's bytes are no longer kept."""
