"""Papers in files: each game has a folder in the home, each mail a file.

The commit decides. A line lies in `line_due` until it is in the file, so that whoever comes after a stop finds it there
and puts it where it belongs; the file has every line once, whatever happened in between.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine import log
from engine.campaign import LogExists
from engine.campaign.line_store import OnDisk
from engine.canonical import canonical
from engine.log import DamagedLog, Line, LogFile, LogMoved, State
from engine.log.lines import parse
from engine.log.sidecar import replace_file, write_head
from pbem.house import game_file
from pbem.house.owner_only import private_folder
from pbem.house.papers import Decided, GameStock, Papers
from pbem.store import LineDue

LOG = "log.jsonl"
# What is made again when it is missed: the rows of its game, the head and caches, and files that were never finished.
MADE_AGAIN = (game_file.NAME, f"{LOG}.head", f"{LOG}.checkpoint", f"{LOG}.onlooker-")
GAME_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")
DUE = select(LineDue).where(LineDue.game_id == bindparam("game")).order_by(col(LineDue.n))


def folder_of(home: Path, game: str) -> Path:
    """A game's own folder. Raises ValueError for a name that is none."""
    if not GAME_NAME.fullmatch(game):
        raise ValueError(f"{game!r} is not a game's name")
    return home / "games" / game


def place_of(digest: str) -> str:
    """Where a mail's bytes lie in the home folder; the same is written down of it in any house."""
    return f"mail/{digest[:2]}/{digest}.eml"


class InFiles:
    """What a house on files and a house in rows do each in their own way; all of it within a transaction.

    One machine: whoever writes waits for his turn at the whole database, so that no game need be held.
    """

    shared: Literal[False] = False  # whether workers on several machines use it at the same time

    def __init__(self, home: Path) -> None:
        self.home = home
        for name in ("mail", "games"):
            private_folder(home / name)

    def _log(self, game: str) -> Path:
        return folder_of(self.home, game) / LOG

    # Workers among themselves.

    def hold(self, session: Session, game: str) -> bool:
        """Nobody else writes to a game, or to the other of its duel, until this transaction ends.

        Gives whether that is so only from now on: then what was read before is read anew.
        """
        return False

    def hold_all(self, session: Session) -> None:
        """Nobody else writes to any game until this transaction ends."""

    @contextmanager
    def claim(self, what: str, *, minutes: int | None = None) -> Iterator[bool]:
        """Whether this worker may do a thing now; all others are told that they may not, unless it takes too long."""
        yield True

    def leads(self, what: str, *, seconds: int) -> bool:
        """Whether this worker is the one that does it, until it is gone or has not asked for so long."""
        return True

    def step_down(self) -> None:
        """Another may lead."""

    def ring(self, session: Session) -> None:
        """With this transaction there is something to do for whoever waits; here `sole_writer` leaves a name."""

    def rung(self) -> bool:
        """Whether anybody has rung since the last look."""
        return False

    def close(self) -> None:
        """Nothing is open."""

    # Games.

    def papers(self, session: Session, game: str) -> Papers[OnDisk]:
        """Those of a game that has begun, with all that was decided. Raises DamagedLog, LogMoved, FileNotFoundError."""
        path, left = self._log(game), session.exec(DUE, params={"game": game}).all()
        decided = [_read(due) for due in left]
        if left and not session.info.get("writes"):
            # Who only looks writes no file: whoever has decided it may be about to.
            return Papers(game, OnDisk.find(path) if path.exists() else OnDisk(path), decided)
        files = redo(path, decided)
        for due in left:
            session.delete(due)
        return Papers(game, files)

    def blank(self, session: Session, game: str) -> Papers[OnDisk]:
        """Those of a game that begins. Raises LogExists."""
        if self.has_log(session, game):
            raise LogExists(self._log(game))
        return Papers(game, OnDisk(self._log(game)))

    def seal(self, session: Session, papers: Papers[OnDisk]) -> None:
        """Before the commit: what was decided is written down once, however many lines there were."""
        for n, line, drawer in papers.decided:
            row = canonical(line) if line is not None else b""
            session.add(LineDue(game_id=papers.game, n=n, row=row, drawer=canonical(drawer)))

    def file(self, papers: Papers[OnDisk]) -> bool:
        """After the commit: what was decided goes into the files; gives whether there was anything. Raises OSError."""
        if papers.decided:
            files = redo(papers.kept.path, papers.decided, papers.kept)
            if papers.state is not None:
                files.keep_checkpoint(papers.state())
        return bool(papers.decided)

    def has_log(self, session: Session, game: str) -> bool:
        return self._log(game).exists()

    def secret(self, session: Session, game: str) -> bytes | None:
        """What was promised. Raises ValueError if it is no hexadecimal number."""
        return log.read_secret(self._log(game))

    def promise(self, session: Session, game: str, secret: bytes) -> None:
        """A secret is kept before anybody hears of its game."""
        log.write_secret(private_folder(folder_of(self.home, game)) / LOG, secret)

    def paper(self, session: Session, game: str, name: str) -> bytes:
        """What lies beside a log under a name; nothing, if nothing does."""
        place = folder_of(self.home, game) / name
        return place.read_bytes() if place.exists() else b""

    def keep_paper(self, session: Session, game: str, name: str, content: bytes) -> None:
        replace_file(folder_of(self.home, game) / name, content)  # for its owner alone, like all in the home

    def state(self, session: Session, game: str, name: str, line: Line) -> State | None:
        """A state kept after that very line, so that it need not be folded again; None in any doubt."""
        return log.load_checkpoint(self._log(game), line, name)

    def keep_state(self, session: Session, game: str, name: str, line: Line, state: State) -> None:
        log.store_checkpoint(self._log(game), line, state, name)

    # Mails.

    def keep_raw(self, session: Session, raw: bytes) -> tuple[str, str]:
        """Stores a mail's bytes before anything else; gives where and their digest."""
        digest = hashlib.sha256(raw).hexdigest()
        self.put_raw(session, digest, raw)
        return place_of(digest), digest

    def put_raw(self, session: Session, digest: str, raw: bytes) -> None:
        place = self.home / place_of(digest)
        if not place.exists():
            private_folder(place.parent)
            replace_file(place, raw)

    def raw(self, session: Session, place: str) -> bytes:
        return (self.home / place).read_bytes()

    def drop_raw(self, session: Session, place: str) -> None:
        """A mail's bytes are no longer kept."""
        (self.home / place).unlink(missing_ok=True)

    # All of it taken out and put in whole, to move it elsewhere.

    def mails(self, session: Session) -> list[str]:
        """Their digests, in order."""
        return sorted(path.stem for path in (self.home / "mail").glob("*/*.eml"))

    def games(self, session: Session) -> list[str]:
        return sorted(path.name for path in (self.home / "games").glob("*") if path.is_dir())

    def stock(self, session: Session, game: str) -> GameStock:
        """Raises DamagedLog for a secret that is none."""
        path = self.home / "games" / game / LOG
        try:
            found = GameStock(secret=log.read_secret(path))
        except ValueError:
            raise DamagedLog(path, 0, f"the secret of {game} is not a hexadecimal number") from None
        if path.exists():
            *found.rows, _ = path.read_bytes().split(b"\n")  # a line that is not whole never happened
        for other in sorted(path.parent.iterdir()):
            if other.name not in (LOG, f"{LOG}.secret") and is_kept(other):
                found.papers[other.name] = other.read_bytes()
        return found

    def put_stock(self, session: Session, game: str, stock: GameStock) -> None:
        path = private_folder(self.home / "games" / game) / LOG
        if stock.secret is not None:
            log.write_secret(path, stock.secret)
        if stock.rows:
            replace_file(path, b"".join(row + b"\n" for row in stock.rows))
            write_head(path, parse(stock.rows[-1]))
        for paper, content in stock.papers.items():
            replace_file(path.with_name(paper), content)


def is_kept(path: Path) -> bool:
    """Not what is made again, or was never finished."""
    return not path.name.startswith(MADE_AGAIN) and path.suffix != ".new"


def _read(due: LineDue) -> Decided:
    """As a transaction before this one has left it."""
    return Decided(due.n, parse(due.row) if due.row else None, json.loads(due.drawer))


def redo(path: Path, decided: Sequence[Decided], files: OnDisk | None = None) -> OnDisk:
    """The files of a game with what was decided in them, each line once. Raises DamagedLog, LogMoved, OSError."""
    if decided and decided[0].line is not None and decided[0].n == 0 and not path.exists():
        LogFile(path).create(decided[0].line)
    if files is None or not files.header:
        files = OnDisk.find(path)
        files.drawer()
    for n, line, drawer in decided:
        if line is not None and n > files.last["n"]:
            files.append(line, drawer)
        elif line is not None and files.since(n - 1)[0]["hash"] != line["hash"]:
            raise LogMoved(path, n)
        if n == files.last["n"]:
            files.keep_drawer(drawer)
    return files
