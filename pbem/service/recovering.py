"""A house brought back: from a backup, or its database alone from the games' folders.

A backup is laid out beside its place, put right there, and taken in whole or not at all. Without one a database is made
again from what each `game.json` says, and the mails whose bytes are there.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import inspect
from sqlmodel import Session, SQLModel, col, select

from engine import log
from engine.dice import STEP
from engine.log.lines import parse
from pbem.clock.dues import line_time, set_dues
from pbem.desk.lifecycle import finish_game
from pbem.house import House, game_file
from pbem.house import crash_points as steps
from pbem.house.alone import ServedAlready, nobody_serves
from pbem.house.archive import BESIDE, Progress, read_archive
from pbem.house.in_files import place_of
from pbem.house.moving import CannotMove, Whole, copy, whole
from pbem.house.owner_only import close_to_others, private_file, private_folder
from pbem.house.settings import Settings
from pbem.inbox.storing import row_of
from pbem.moderator import Act
from pbem.moderator.ruling import rule
from pbem.service.service import Service
from pbem.store import Database, Due, GameRow, Player, Pulse
from pbem.store.database import utc
from pbem.store.database_troubles import Damaged
from pbem.store.schema import NewerDatabase, newest

ROOM = "restoring"  # in the home: while it is there, what else was put into an empty house is not decided
UNDER_WAY, TO_COME = ("playing", "paused"), ("invited", "joined")
FROM_BACKUP = "The game goes on from a backup"
LOST = ".lost-"  # and when: what a database is called that was set aside
DOUBTFUL = "the database was made again, and nobody knows whether this mail was dealt with"
MADE_AGAIN = "The records were made again"


def restore(
    place: Path, settings: Settings, clock: Callable[[], datetime], *, skips: bool, progress: Progress
) -> dict[str, Any]:
    """A backup into a house that is empty; gives the manifest. Raises BadArchive, CannotMove, WrongVersion."""
    close_to_others(home := private_folder(settings.home))
    if settings.database_file is not None:
        private_file(settings.database_file)
    room = home / ROOM
    with nobody_serves(home, ServedAlready), closing(Database(settings.database_url(), name="restoring")) as target:
        with whole(target, home) as new:
            _must_be_empty(new, home, room)
        manifest = read_archive(place)  # a bad one leaves nothing behind
        if manifest["schema"] > newest():
            raise NewerDatabase(manifest["schema"])
        shutil.rmtree(room, ignore_errors=True)
        read_archive(place, room)
        steps.reached(steps.RESTORE_UNPACKED)
        with closing(House(settings.model_copy(update={"home": room, "database": ""}), clock)) as house:
            Service(house).file_lines_due()
            if skips:
                skip_all(house, progress)
            steps.reached(steps.RESTORE_SKIPPED)
            with whole(house.database, room) as old, whole(target, home) as new:
                _take_in(old, new, home, room)
                steps.reached(steps.RESTORE_COPIED)
        steps.reached(steps.RESTORE_DECIDED)
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
    rule(act, room, campaign.skip(to, at=room.at, cause=act.cause), lambda seat: (FROM_BACKUP, *lines))


def told_time(line: log.Line) -> str:
    """When it was written."""
    try:
        return f", of {utc(datetime.fromisoformat(line['at'])):%A %-d %B %Y, %H:%M} UTC"
    except ValueError:
        return ""


# Without a backup.


def rebuild(settings: Settings, now: datetime, progress: Progress) -> list[str]:
    """Gives what was made, and what could not be, in sentences. Raises CannotMove, NoGameFile, WrongVersion."""
    home, file = settings.home, settings.database_file
    games = sorted(path for path in (home / "games").glob("*") if path.is_dir())
    if not games:
        raise CannotMove(f"there are no games in {home / 'games'}")
    with nobody_serves(home, ServedAlready):
        _must_know_no_games(settings)
        part = home / "fieldpost.sqlite.part"
        _forget(part)
        staged = settings.model_copy(update={"database": f"sqlite:///{private_file(part)}"})
        told = _made(staged, games, now, progress)
        steps.reached(steps.REBUILD_MADE)
        if file is None:
            _hand_over(part, settings)
        else:
            for old in home.glob(f"{file.name}*"):
                if old.name in (file.name, f"{file.name}-wal", f"{file.name}-shm"):
                    old.rename(old.with_name(f"{file.name}{LOST}{now:%Y%m%d-%H%M%S}{old.name.removeprefix(file.name)}"))
            part.rename(file)
    return told


def _must_know_no_games(settings: Settings) -> None:
    """Raises CannotMove, OlderDatabase."""
    if settings.database_file is not None and not settings.database_file.exists():
        return
    try:
        with closing(Database(settings.database_url(), name="rebuilding")) as database, database.reading() as session:
            known = session.exec(select(GameRow.id).limit(1)).first()
    except Damaged:
        return
    if known is not None:
        raise CannotMove(f"the database knows games already ({known}): it is not lost, and stays as it is")


def _hand_over(part: Path, settings: Settings) -> None:
    source, target = Database(f"sqlite:///{part}"), Database(settings.database, name="rebuilding")
    with closing(source), closing(target), whole(source, settings.home) as old, whole(target, settings.home) as new:
        copy(old, new)
    _forget(part)


def _forget(part: Path) -> None:
    for name in ("", "-wal", "-shm"):
        part.with_name(f"{part.name}{name}").unlink(missing_ok=True)


def _made(settings: Settings, games: list[Path], now: datetime, progress: Progress) -> list[str]:
    """The rows, in a database of their own beside the house."""
    rows = _rows(games)
    seen = max(_written(game) for game in games)
    with closing(Database(settings.database)) as database, database.begin() as session:
        for model in game_file.MODELS:
            session.add_all(row for row in rows if type(row) is model)
            session.flush()
        session.add(Pulse(ran=seen, up=seen))  # so that the time since then counts as one without service
    with closing(House(settings, clock=lambda: now)) as house:
        doubtful, mails = _mails(house, progress)
        for game in games:
            with house.transaction() as session:
                _stand_as_before(Act(house, session), game.name)
    people = sum(isinstance(row, Player) for row in rows)
    return [
        f"The database is made again: {len(games)} games, {people} players, {mails} mails.",
        "What nobody can know any more: letters that were not sent yet, and what replies quote of earlier ones. "
        "All who play have a letter that says so, and how their game stands.",
        *([f"{doubtful} mails may not have been dealt with: see `pbem game shunted`, then retry."] if doubtful else []),
    ]


def _rows(games: list[Path]) -> list[SQLModel]:
    """Those of all games, each once; of a player's record the longest. Raises CannotMove, NoGameFile."""
    found: dict[tuple[type[SQLModel], tuple[object, ...]], tuple[SQLModel, Path]] = {}
    for game in games:
        for row in game_file.rows_in(game):
            key = type(row), tuple(inspect(type(row)).primary_key_from_instance(row))
            before = found.get(key)
            if before is not None and type(row) not in game_file.SHARED:
                raise CannotMove(f"{before[1].name} and {game.name} are not games of one house: move one of them away")
            if before is None or _record(row) > _record(before[0]):
                found[key] = row, game
            if isinstance(row, Due):
                row.outage, row.moved = None, 0  # of outages that nobody knows of any more
    return [row for row, _ in found.values()]


def _record(row: SQLModel) -> int:
    return row.answered + row.late + row.missed if isinstance(row, Player) else 0


def _mails(house: House, progress: Progress) -> tuple[int, int]:
    """A mail that has made a line is known by it, an older one by its age; gives how many are doubtful, and all."""
    doubtful = number = 0
    with house.database.begin() as session:
        made, digests = dict(_causes(house, session)), house.cabinet.mails(session)
        for number, digest in enumerate(digests, 1):
            raw = house.cabinet.raw(session, place_of(digest))
            place, digest = house.cabinet.keep_raw(session, raw)
            row = row_of(house, session, "", 0, raw, place, digest)
            row.received = datetime.fromtimestamp((house.settings.home / place).stat().st_mtime, UTC)
            row.state = "done"
            if row.id in made:
                row.game_id, row.line, row.line_hash = made[row.id]
            elif row.game_id and row.received > _written(house.folder(row.game_id)):
                row.state, row.why = "shunted", DOUBTFUL
                doubtful += 1
            session.add(row)
            progress(number, len(digests))
    return doubtful, number


def _causes(house: House, session: Session) -> Iterator[tuple[str, tuple[str, int, str]]]:
    for game in house.cabinet.games(session):
        for line in map(parse, house.cabinet.stock(session, game).rows):
            if line.get("cause"):
                yield line["cause"], (game, line["n"], line["hash"])


def _written(folder: Path) -> datetime:
    return datetime.fromtimestamp((folder / game_file.NAME).stat().st_mtime, UTC)


def _stand_as_before(act: Act, game: str) -> None:
    """What is owed is what the log says, should it be ahead of its rows; all are told how it stands."""
    room = act.room(game)
    if room.game.state not in UNDER_WAY:
        return
    if room.campaign.over:
        finish_game(room)
        return
    set_dues(room, line_time(room.campaign, room.now))
    last = room.campaign.last
    act.tell_all(
        room,
        MADE_AGAIN,
        f"The service had lost its records. Line {last['n']} is the last of the log{told_time(last)}; nothing in it "
        "has changed, and no dice are thrown again.",
        "If you have sent anything since that is not in it, send it once more. A letter that you wait for may be lost: "
        "`report` sends you how the game stands.",
    )
