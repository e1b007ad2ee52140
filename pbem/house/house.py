"""The house: the service's home folder, its database, its clock, and the games it keeps."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import structlog
from sqlalchemy import delete, update
from sqlmodel import Session, col, select

from engine.campaign import Campaign
from engine.log import DamagedLog, LogMoved
from games import find_game
from pbem.house.alone import nobody_serves
from pbem.house.crash_points import AFTER_ALL, AFTER_COMMIT, AFTER_LINE, BEFORE_COMMIT, reached
from pbem.house.game_file import contents_touched, write
from pbem.house.in_files import LOG, InFiles, folder_of
from pbem.house.owner_only import close_to_others, private_file, private_folder
from pbem.house.papers import Papers
from pbem.house.settings import Settings
from pbem.store import Database, GameRow, HouseRow, LineDue, Player
from pbem.store.database_troubles import EmptyDatabase, HouseTrouble, MovedAway

if TYPE_CHECKING:  # with what only PostgreSQL needs
    from pbem.house.in_rows import InRows

_log = structlog.get_logger()


def now() -> datetime:
    return datetime.now(UTC)


class House:
    """Everything a part of the post office needs to do its work. Nothing here reads or writes mail."""

    def __init__(self, settings: Settings, clock: Callable[[], datetime] = now) -> None:
        self.settings, self.clock = settings, clock
        close_to_others(private_folder(settings.home))
        if settings.database_file is not None:
            private_file(settings.database_file)
        self.boards: Path | None = None  # where order boards under links go; nowhere unless somebody serves them
        self.database = Database(
            settings.database_url(), alone=lambda: nobody_serves(settings.home), name=settings.home.name
        )
        self.cabinet = cabinet_of(self.database, settings.home)
        try:
            self.must_be_here()
            self._must_know_its_games()
        except HouseTrouble:
            self.close()
            raise

    def must_be_here(self) -> None:
        """Raises MovedAway."""
        with self.database.reading() as session:
            note = session.get(HouseRow, 1)
        if note is not None and note.moved_to:
            raise MovedAway(f"to {note.moved_to}")

    def _must_know_its_games(self) -> None:
        """A database that was lost must not be begun anew beside the games it knew. Raises EmptyDatabase."""
        some = next(self.games_folder.glob("*/log.jsonl"), None)
        if some is None:
            return
        with self.database.reading() as session:
            known = session.exec(select(GameRow.id).limit(1)).first()
        if known is None:
            raise EmptyDatabase(str(some.parent))

    @property
    def games_folder(self) -> Path:
        return self.settings.home / "games"

    def folder(self, game: str) -> Path:
        """A game's own folder. Raises ValueError for a name that is none."""
        return folder_of(self.settings.home, game)

    def log_path(self, game: str) -> Path:
        return self.folder(game) / LOG

    @contextmanager
    def transaction(self) -> Iterator[Session]:
        """All that is done in it becomes true with its one commit, or never was: rows, letters, lines, drawers."""
        with self.database.begin() as session:
            yield session
            for _, papers in _in_hand(session).values():
                self.cabinet.seal(session, papers)
            for player, counts in sorted(session.info.get("records", {}).items()):
                more = {name: getattr(Player, name) + count for name, count in counts.items()}
                session.exec(update(Player).where(col(Player.id) == player).values(more))
            rows = {} if self.cabinet.shared else contents_touched(session)
            reached(BEFORE_COMMIT)
        reached(AFTER_COMMIT)
        try:
            self._file(session)
            for game, content in rows.items():
                write(self.folder(game), content)
        except (OSError, HouseTrouble, DamagedLog, LogMoved) as problem:  # decided it is: the next to open it tries
            _log.warning("a line waits for its file", problem=repr(problem))
        else:
            reached(AFTER_ALL)

    def _file(self, decided: Session) -> None:
        """What a transaction has decided goes into its files, and is due no more."""
        filed = [game for game, (_, papers) in _in_hand(decided).items() if self.cabinet.file(papers)]
        if filed:
            reached(AFTER_LINE)
            with self.database.begin() as session:
                session.exec(delete(LineDue).where(col(LineDue.game_id).in_(filed)))

    @contextmanager
    def attempt(self, session: Session) -> Iterator[None]:
        """A part of a transaction that may be refused, and then never was; it must be the first to open any game."""
        assert not _in_hand(session)
        held = set(session.info.get("held", ()))
        try:
            with session.begin_nested():
                yield
        except Exception:
            _in_hand(session).clear()
            session.info.pop("records", None)
            session.info["held"] = held  # other locks went with it
            raise

    def campaign(self, game: GameRow, session: Session | None = None) -> Campaign:
        """A game under way in the hands of a transaction, which alone may add to it; without one, to look at."""
        if session is None:
            with self.database.reading() as session:
                campaign = self.campaign(game, session)
                papers = _in_hand(session)[game.id][1]
                papers.whole = papers.since(-1) if self.cabinet.shared else []  # files are there at any time
                return campaign
        if game.id not in _in_hand(session):
            papers = self.cabinet.papers(session, game.id)
            _in_hand(session)[game.id] = Campaign.open(papers, find_game), papers
        return _in_hand(session)[game.id][0]

    def begin(self, game: GameRow, session: Session, secret: bytes, at: str, nonces: Mapping[str, str]) -> None:
        """A game's first line. Raises LogExists."""
        papers = self.cabinet.blank(session, game.id)
        rules = find_game(game.rulebook, game.scenario, game.options)
        campaign = Campaign.new(papers, rules, secret=secret, at=at, nonces=nonces, pace=game.settings["pace"])
        _in_hand(session)[game.id] = campaign, papers

    def seat_address(self, token: str) -> str:
        """Where a seat's mail goes: our address with its token."""
        local, _, host = self.settings.address.partition("@")
        return f"{local}+{token}@{host}"

    def without_tokens(self, text: str) -> str:
        """Text for anybody to read: whoever sees a seat's address could write to it."""
        if "+" not in text:
            return text
        local = self.settings.address.partition("@")[0]
        told = rf"({re.escape(local)}\+)[0-9a-f]{{8,32}}(?![0-9a-z])"  # or what is left of it in a line cut short
        return re.sub(told, r"\1...", text, flags=re.I)

    def close(self) -> None:
        self.cabinet.close()
        self.database.close()


def cabinet_of(database: Database, home: Path) -> "InFiles | InRows":
    """Where a house keeps games' papers and mails' bytes: in files of its home folder, or in rows of its database."""
    if database.engine.dialect.name == "sqlite":
        return InFiles(home)
    from pbem.house.in_rows import InRows

    return InRows(database.engine)


def _in_hand(session: Session) -> dict[str, tuple[Campaign, Papers[Any]]]:
    """The games that a transaction has opened: nobody else sees what it does to them, and they end with it."""
    found: dict[str, tuple[Campaign, Papers[Any]]] = session.info.setdefault("games", {})
    return found
