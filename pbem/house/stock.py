"""What a house keeps beside its tables, taken out and put in whole: games' papers and mails, in files or in rows."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sqlmodel import Session, col, select

from engine.log import read_secret, write_secret
from engine.log.lines import parse
from engine.log.sidecar import replace_file, write_head
from pbem.house import game_file
from pbem.house.in_files import place_of
from pbem.house.owner_only import private_folder
from pbem.store import GameSecret, LogLine, Paper, RawMail

LOG = "log.jsonl"
# What is made again when it is missed: the rows of its game, the head and caches, and files that were never finished.
MADE_AGAIN = (game_file.NAME, f"{LOG}.head", f"{LOG}.checkpoint", f"{LOG}.onlooker-")


@dataclass
class GameStock:
    """The papers of one game: its log's rows, its secret, and what else lies with them by name."""

    rows: list[bytes] = field(default_factory=list)
    secret: bytes | None = None
    papers: dict[str, bytes] = field(default_factory=dict)

    def digest(self) -> str:
        whole = hashlib.sha256(b"".join(row + b"\n" for row in self.rows))
        for part in (self.secret or b"", *(f"{name}\n".encode() + self.papers[name] for name in sorted(self.papers))):
            whole.update(hashlib.sha256(part).digest())
        return whole.hexdigest()


class FileStock:
    """In the folders of a home."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def games(self) -> list[str]:
        return sorted(path.name for path in (self.home / "games").glob("*") if path.is_dir())

    def game(self, name: str) -> GameStock:
        folder = self.home / "games" / name
        log = folder / LOG
        found = GameStock(secret=read_secret(log))
        if log.exists():
            *found.rows, _ = log.read_bytes().split(b"\n")  # a line that is not whole never happened
        for path in sorted(folder.iterdir()):
            if path.name in (LOG, f"{LOG}.secret") or path.name.startswith(MADE_AGAIN) or path.suffix == ".new":
                continue
            found.papers[path.name] = path.read_bytes()
        return found

    def put_game(self, name: str, stock: GameStock) -> None:
        log = private_folder(self.home / "games" / name) / LOG
        if stock.secret is not None:
            write_secret(log, stock.secret)
        if stock.rows:
            replace_file(log, b"".join(row + b"\n" for row in stock.rows))
            write_head(log, parse(stock.rows[-1]))
        for paper, content in stock.papers.items():
            replace_file(log.with_name(paper), content)

    def mails(self) -> Iterator[str]:
        """Their digests."""
        return (path.stem for path in sorted((self.home / "mail").glob("*/*.eml")))

    def mail(self, digest: str) -> bytes:
        return (self.home / place_of(digest)).read_bytes()

    def put_mail(self, digest: str, raw: bytes) -> None:
        place = self.home / place_of(digest)
        private_folder(place.parent)
        replace_file(place, raw, may_lag=True)


class RowStock:
    """In the tables of a database."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def games(self) -> list[str]:
        with_secret = self._session.exec(select(GameSecret.game_id)).all()
        return sorted({*with_secret, *self._session.exec(select(LogLine.game_id).distinct()).all()})

    def game(self, name: str) -> GameStock:
        rows = select(LogLine.row).where(LogLine.game_id == name).order_by(col(LogLine.n))
        papers = select(Paper.name, Paper.content).where(Paper.game_id == name)
        secret = self._session.get(GameSecret, name)
        return GameStock(
            list(self._session.exec(rows).all()),
            bytes.fromhex(secret.secret) if secret is not None else None,
            {paper: content for paper, content in self._session.exec(papers).all() if not paper.startswith(MADE_AGAIN)},
        )

    def put_game(self, name: str, stock: GameStock) -> None:
        if stock.secret is not None:
            self._session.add(GameSecret(game_id=name, secret=stock.secret.hex()))
        for row in stock.rows:
            line = parse(row)
            cause = line.get("cause", "")
            self._session.add(LogLine(game_id=name, n=line["n"], hash=line["hash"], cause=cause, row=row))
        for paper, content in stock.papers.items():
            self._session.add(Paper(game_id=name, name=paper, content=content))
        self._session.flush()
        self._session.expunge_all()

    def mails(self) -> Iterator[str]:
        return iter(self._session.exec(select(RawMail.digest).order_by(col(RawMail.digest))).all())

    def mail(self, digest: str) -> bytes:
        return self._session.exec(select(RawMail.raw).where(RawMail.digest == digest)).one()

    def put_mail(self, digest: str, raw: bytes) -> None:
        self._session.add(RawMail(digest=digest, raw=raw))
        self._session.flush()
        self._session.expunge_all()
