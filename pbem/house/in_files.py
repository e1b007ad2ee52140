"""Papers in files: each game has a folder in the home, each mail a file."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlmodel import Session

from engine import log
from engine.campaign import LogExists
from engine.log import Line, State
from engine.log.sidecar import replace_file
from pbem.house.owner_only import private_folder
from pbem.house.papers import Papers


class InFiles:
    """One machine: whoever writes waits for his turn at the whole database, so that no game need be held."""

    shared = False

    def __init__(self, home: Path, folder: Callable[[str], Path]) -> None:
        self.home, self._folder = home, folder
        for name in ("mail", "games"):
            private_folder(home / name)

    def _log(self, game: str) -> Path:
        return self._folder(game) / "log.jsonl"

    # Games.

    def hold(self, session: Session, game: str) -> bool:
        return False

    def hold_all(self, session: Session) -> None:
        """Nobody does."""

    @contextmanager
    def claim(self, what: str, *, minutes: int = 1) -> Iterator[bool]:
        yield True

    def leads(self, what: str, *, seconds: int) -> bool:
        return True

    def step_down(self) -> None:
        """There is nobody else."""

    def ring(self, session: Session) -> None:
        """`sole_writer` leaves a name."""

    def rung(self) -> bool:
        return False

    def close(self) -> None:
        """Nothing is open."""

    def papers(self, session: Session, game: str) -> Papers:
        return Papers.find(session, game, self._log(game))

    def blank(self, session: Session, game: str) -> Papers:
        if self.has_log(session, game):
            raise LogExists(self._log(game))
        return Papers(session, game, self._log(game))

    def has_log(self, session: Session, game: str) -> bool:
        return self._log(game).exists()

    def secret(self, session: Session, game: str) -> bytes | None:
        return log.read_secret(self._log(game))

    def promise(self, session: Session, game: str, secret: bytes) -> None:
        private_folder(self._folder(game))
        log.write_secret(self._log(game), secret)

    def paper(self, session: Session, game: str, name: str) -> bytes:
        place = self._folder(game) / name
        return place.read_bytes() if place.exists() else b""

    def keep_paper(self, session: Session, game: str, name: str, content: bytes) -> None:
        replace_file(self._folder(game) / name, content)  # for its owner alone, like all in the home

    def state(self, session: Session, game: str, name: str, line: Line) -> State | None:
        return log.load_checkpoint(self._log(game), line, name)

    def keep_state(self, session: Session, game: str, name: str, line: Line, state: State) -> None:
        log.store_checkpoint(self._log(game), line, state, name)

    # Mails.

    def keep_raw(self, session: Session, raw: bytes) -> tuple[str, str]:
        digest = hashlib.sha256(raw).hexdigest()
        place = self.home / place_of(digest)
        if not place.exists():
            private_folder(place.parent)
            replace_file(place, raw)
        return place_of(digest), digest

    def raw(self, session: Session, place: str) -> bytes:
        return (self.home / place).read_bytes()

    def drop_raw(self, session: Session, place: str) -> None:
        (self.home / place).unlink(missing_ok=True)


def place_of(digest: str) -> str:
    """Where a mail's bytes lie in the home folder; the same is written down of it in any house."""
    return f"mail/{digest[:2]}/{digest}.eml"
