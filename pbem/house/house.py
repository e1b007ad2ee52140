"""The house: the service's home folder, its database, its clock, and the games it keeps."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from sqlmodel import select

from engine.campaign import Campaign
from engine.log.sidecar import replace_file
from games import find_game
from pbem.house.owner_only import close_to_others, private_file, private_folder
from pbem.house.settings import Settings
from pbem.house.sole_server import nobody_serves
from pbem.store import Database, GameRow
from pbem.store.database_troubles import EmptyDatabase

MOST_OPEN = 64  # games kept in memory at a time
GAME_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,40}")


def now() -> datetime:
    return datetime.now(UTC)


class House:
    """Everything a part of the post office needs to do its work. Nothing here reads or writes mail."""

    def __init__(self, settings: Settings, clock: Callable[[], datetime] = now) -> None:
        self.settings, self.clock = settings, clock
        close_to_others(private_folder(settings.home))
        for folder in (self.raw_folder, self.games_folder):
            private_folder(folder)
        if settings.database_file is not None:
            private_file(settings.database_file)
        self.boards: Path | None = None  # where order boards under links go; nowhere unless somebody serves them
        self.database = Database(settings.database_url(), alone=lambda: nobody_serves(settings.home))
        self._open: OrderedDict[str, Campaign] = OrderedDict()
        self._must_know_its_games()

    def _must_know_its_games(self) -> None:
        """A database that was lost must not be begun anew beside the games it knew. Raises EmptyDatabase."""
        some = next(self.games_folder.glob("*/log.jsonl"), None)
        if some is None:
            return
        with self.database.reading() as session:
            known = session.exec(select(GameRow.id).limit(1)).first()
        if known is None:
            self.close()
            raise EmptyDatabase(str(some.parent))

    @property
    def raw_folder(self) -> Path:
        return self.settings.home / "mail"

    @property
    def games_folder(self) -> Path:
        return self.settings.home / "games"

    def folder(self, game: str) -> Path:
        """A game's own folder. Raises ValueError for a name that is none."""
        if not GAME_NAME.fullmatch(game):
            raise ValueError(f"{game!r} is not a game's name")
        return self.games_folder / game

    def log_path(self, game: str) -> Path:
        return self.folder(game) / "log.jsonl"

    def campaign(self, row: GameRow) -> Campaign:
        """A game under way, from memory or from disk."""
        found = self._open.pop(row.id, None) or Campaign.open(self.log_path(row.id), find_game)
        self._open[row.id] = found
        while len(self._open) > MOST_OPEN:
            self._open.popitem(last=False)
        return found

    def forget(self, game: str = "") -> None:
        """What memory holds of a game, or of all, may be wrong: it is read from disk the next time."""
        for name in [game] if game else list(self._open):
            self._open.pop(name, None)

    def keep_raw(self, raw: bytes) -> tuple[str, str]:
        """Stores a mail's bytes before anything else; gives where and their digest."""
        digest = hashlib.sha256(raw).hexdigest()
        place = self.raw_folder / digest[:2] / f"{digest}.eml"
        if not place.exists():
            private_folder(place.parent)
            replace_file(place, raw)
        return str(place.relative_to(self.settings.home)), digest

    def raw(self, place: str) -> bytes:
        return (self.settings.home / place).read_bytes()

    def drop_raw(self, place: str) -> None:
        """A mail's bytes are no longer kept."""
        (self.settings.home / place).unlink(missing_ok=True)

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
        self.database.close()
