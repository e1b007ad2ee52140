"""A house from a backup: laid out beside its place, put right there, and taken in whole or not at all."""

import shutil
from collections.abc import Callable
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from engine import log
from engine.dice import STEP
from pbem.house import House, game_file
from pbem.house.alone import ServedAlready, nobody_serves
from pbem.house.archive import BESIDE, Progress, read_archive
from pbem.house.crash_points import RESTORE_COPIED, RESTORE_DECIDED, RESTORE_SKIPPED, RESTORE_UNPACKED, reached
from pbem.house.moving import CannotMove, Whole, copy, whole
from pbem.house.owner_only import private_folder
from pbem.house.settings import Settings
from pbem.moderator import Act
from pbem.moderator.ruling import rule
from pbem.service.service import Service
from pbem.store import Database, GameRow
from pbem.store.database import utc
from pbem.store.schema import NewerDatabase, newest

ROOM = "restoring"  # in the home: while it is there, what else was put into an empty house is not decided
UNDER_WAY, TO_COME = ("playing", "paused"), ("invited", "joined")
HEADING = "The game goes on from a backup"


def restore(
    place: Path, settings: Settings, clock: Callable[[], datetime], *, skips: bool, progress: Progress
) -> dict[str, Any]:
    """A backup into a house that is empty; gives the manifest. Raises BadArchive, CannotMove, WrongVersion."""
    home = private_folder(settings.home)
    room = home / ROOM
    with nobody_serves(home, ServedAlready), closing(Database(settings.database_url(), name="restoring")) as target:
        with whole(target, home) as new:
            _must_be_empty(new, home, room)
        shutil.rmtree(room, ignore_errors=True)
        manifest = read_archive(place, room)
        if manifest["schema"] > newest():
            raise NewerDatabase(manifest["schema"])
        reached(RESTORE_UNPACKED)
        with closing(House(settings.model_copy(update={"home": room, "database": ""}), clock)) as house:
            Service(house).file_lines_due()
            if skips:
                skip_all(house, progress)
            reached(RESTORE_SKIPPED)
            with whole(house.database, room) as old, whole(target, home) as new:
                _take_in(old, new, home, room)
                reached(RESTORE_COPIED)
        reached(RESTORE_DECIDED)
        shutil.rmtree(room)
    return manifest


def _must_be_empty(new: Whole, home: Path, room: Path) -> None:
    """Raises CannotMove."""
    if not new.is_empty:
        raise CannotMove("there is a house already: name an empty home or database in the settings (PBEM_HOME)")
    if not room.exists() and next((home / "games").glob("*"), None) is not None:
        raise CannotMove(f"there are games in {home / 'games'}: `pbem house rebuild` makes a database for them")


def _take_in(old: Whole, new: Whole, home: Path, room: Path) -> None:
    """What an earlier one that was cut short has left there never was."""
    on_files = new.session.get_bind().dialect.name == "sqlite"
    for name in ("games", "mail") if on_files else ():
        shutil.rmtree(home / name, ignore_errors=True)
        private_folder(home / name)
    copy(old, new)
    if on_files:
        game_file.write_all(new.session, home / "games")
    for name in set(BESIDE) - {"mail"}:
        if (room / name).exists():
            shutil.copytree(room / name, home / name, dirs_exist_ok=True)


# Dice that nobody has seen.


def skip_all(house: House, progress: Progress) -> None:
    """Every game that goes on does so with other dice; its players are told, and from which line."""
    # By the clock: whoever restores the same backup once more must not come to the same dice.
    to = STEP * int(house.clock().timestamp())
    with house.database.reading() as session:
        wanted = col(GameRow.state).in_((*UNDER_WAY, *TO_COME))
        games = session.exec(select(GameRow.id).where(wanted).order_by(col(GameRow.id))).all()
    for number, game in enumerate(games, 1):
        with house.transaction() as session:
            _skip(Act(house, session, cause=f"restore/{game}/{to}"), game, to)
        progress(number, len(games))


def _skip(act: Act, game: str, to: int) -> None:
    room = act.room(game)
    if not room.begun:
        room.game.settings = {**room.game.settings, "restored": f" ({to})"}
        return
    campaign = room.campaign
    if campaign.over or campaign.revealed:
        return
    last = campaign.last
    lines = [
        f"The service was restored from a backup. Line {last['n']} is the last that is known{told_time(last)}; "
        "what came after it is gone, and so are orders that you sent since.",
        "Compare it with your last letter: if that tells of a later line, send what you ordered once more.",
        "Nobody knows what comes: from here on all dice are others, and hidden piles are shuffled anew. "
        f"Line {last['n'] + 1} of the log says so, and `pbem verify` takes it into account.",
    ]
    rule(act, room, campaign.skip(to, at=room.at, cause=act.cause), lambda seat: (HEADING, *lines))


def told_time(line: log.Line) -> str:
    """When it was written."""
    try:
        return f", of {utc(datetime.fromisoformat(line['at'])):%A %-d %B %Y, %H:%M} UTC"
    except ValueError:
        return ""
