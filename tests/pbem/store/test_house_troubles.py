"""Disk and database in trouble: one sentence with the way out; mail waits, loses no try, and all goes on by itself."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import event
from structlog.testing import capture_logs
from typer.testing import CliRunner, Result

from engine.log import sidecar
from pbem.cli import app
from pbem.house import House, archive, disk_space
from pbem.house.in_files import InFiles
from pbem.house.settings import Settings
from pbem.store import database
from tests.pbem.clock.served import Served
from tests.pbem.desk.office import MODERATOR, text_of
from tests.pbem.houses import log_of

pytestmark = pytest.mark.on_files

NEW = (
    *("game", "new", "korsun_spi", "--scenario", "proving", "--pictures", "none"),
    *("--soviet", "anna@mill.example", "--german", "bert@ford.example", "--name"),
)


# By hand: one sentence, and nothing is changed.


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A house with one game in it."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    assert pbem(*NEW, "mill").exit_code == 0
    return tmp_path / "home"


def pbem(*words: str) -> Result:
    return CliRunner().invoke(app, words)


def wrong(result: Result, *said: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    for words in said:
        assert words in result.stderr


@pytest.mark.parametrize("verb", [("game", "list"), ("serve",), ("watch", "--once"), (*NEW, "ford")])
def test_a_damaged_database_is_told_by_every_verb(home: Path, verb: Sequence[str]) -> None:
    (home / "fieldpost.sqlite").write_bytes(b"no database at all" * 1000)
    wrong(pbem(*verb), "the database is damaged (file is not a database)", "put back the last backup")


def test_damage_in_the_middle_is_told_when_it_is_met(home: Path) -> None:
    file = home / "fieldpost.sqlite"
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    wrong(pbem("game", "list"), "the database is damaged", "put back the last backup")


@pytest.mark.parametrize("verb", [("game", "list"), ("serve",), (*NEW, "ford")])
def test_an_empty_database_is_not_begun_beside_games(home: Path, verb: Sequence[str]) -> None:
    (home / "games" / "mill").mkdir(exist_ok=True)
    (home / "games" / "mill" / "log.jsonl").write_bytes(b"{}\n")
    assert pbem("game", "list").exit_code == 0
    saved = (home / "fieldpost.sqlite").rename(home.parent / "backup.sqlite")
    wrong(pbem(*verb), "the database knows no game, though there are games in the home folder", "games/mill")
    saved.replace(home / "fieldpost.sqlite")
    assert "mill" in pbem("game", "list").stdout


def test_a_locked_database_is_waited_for_and_then_told(home: Path) -> None:
    with locked(home / "fieldpost.sqlite"):
        assert "mill" in pbem("game", "list").stdout
        wrong(pbem(*NEW, "ford"), "another program keeps the database locked", "let it finish")
    assert pbem(*NEW, "ford").exit_code == 0


@pytest.mark.parametrize(
    ("pragma", "said", "remedy"),
    [
        ("max_page_count=1", "the disk is full (database or disk is full)", "make room on it"),
        ("query_only=ON", "cannot be opened for writing (attempt to write a readonly database)", "see who owns it"),
    ],
)
def test_a_full_disk_and_a_read_only_one(
    home: Path, pragma: str, said: str, remedy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = database._durable

    def crippled(connection: sqlite3.Connection, record: object) -> None:
        usual(connection, record)
        connection.execute(f"PRAGMA {pragma}")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(database, "_durable", crippled)
        wrong(pbem(*NEW, "ford"), said, remedy)
        assert pbem("watch", "--once").exit_code == 0
    assert "ford  invited" not in pbem("game", "list").stdout
    assert pbem(*NEW, "ford").exit_code == 0


@pytest.mark.parametrize(("free", "said"), [(900_000, "the disk is full"), (1_000_000, "the disk gives errors")])
def test_an_error_of_a_disk_without_room_is_its_want_of_room(
    home: Path, free: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(connection: sqlite3.Connection, record: object) -> None:
        problem = sqlite3.OperationalError("disk I/O error")
        problem.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE
        raise problem

    monkeypatch.setattr(database, "_durable", fails)
    monkeypatch.setattr("shutil.disk_usage", lambda place: SimpleNamespace(free=free))
    wrong(pbem("game", "list"), said)


def test_a_backup_onto_a_full_disk_leaves_nothing_behind(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, to = sqlite3.connect, tmp_path / "backups"
    to.mkdir()

    def full(place: str | Path) -> sqlite3.Connection:
        connection = usual(place)
        if str(place).startswith(str(to)):
            connection.execute("PRAGMA max_page_count=1")
        return connection

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(archive.sqlite3, "connect", full)
        wrong(pbem("house", "backup", str(to)), "the disk is full (database or disk is full)", "make room on it")
    assert list(to.iterdir()) == []
    assert pbem("house", "backup", str(to)).exit_code == 0


def test_a_restore_onto_a_full_disk_is_done_again_when_there_is_room(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = tmp_path / "house.tar.gz"
    assert pbem("house", "backup", str(packed)).exit_code == 0
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "other"))

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(archive.shutil, "copyfileobj", full)
        wrong(pbem("house", "restore", str(packed)), "no space left on device; make room on its disk, then try again")
    assert pbem("house", "restore", str(packed)).exit_code == 0
    assert "mill" in pbem("game", "list").stdout


def test_a_rebuild_on_a_full_disk_is_done_again_when_there_is_room(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "fieldpost.sqlite").unlink()
    usual = database._durable

    def full(connection: sqlite3.Connection, record: object) -> None:
        usual(connection, record)
        connection.execute("PRAGMA max_page_count=1")

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(database, "_durable", full)
        wrong(pbem("house", "rebuild"), "the disk is full (database or disk is full)", "make room on it")
    assert pbem("house", "rebuild").exit_code == 0
    assert "mill" in pbem("game", "list").stdout


def test_a_file_that_a_full_disk_took_half_of_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        sidecar.replace_file(tmp_path / "a.eml", b"x" * 1000)
    assert list(tmp_path.iterdir()) == []


# The service.


class Kept:
    """A mailbox that keeps what was not stored, as real ones do."""

    trouble = ""

    def __init__(self, *raws: bytes) -> None:
        self.waiting = dict(enumerate(raws, 1000))

    def fetch(self, known: Callable[..., Any]) -> list[tuple[str, int, bytes]]:
        return [("box", uid, raw) for uid, raw in self.waiting.items() if uid not in known("box", [uid])]

    def dealt_with(self, box: str, *uids: int) -> None:
        for uid in uids:
            del self.waiting[uid]


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr(database, "PATIENCE", 0.05)
    found = Served(tmp_path)
    found.begin({"deadline": "48h"})
    found.serve(1)
    yield found
    found.house.close()


@contextmanager
def locked(file: Path) -> Iterator[None]:
    with closing(sqlite3.connect(file)) as other:
        other.execute("PRAGMA locking_mode=NORMAL")
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def crippled(house: House, pragma: str) -> Iterator[None]:
    """Every connection has a limit that a healthy one has not."""

    def limit(connection: sqlite3.Connection, _record: object) -> None:
        connection.execute(f"PRAGMA {pragma}")

    engine = house.database.engine
    event.listen(engine, "connect", limit)
    engine.dispose()
    yield
    event.remove(engine, "connect", limit)
    engine.dispose()


@contextmanager
def no_room() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as meanwhile:
        meanwhile.setattr(InFiles, "keep_raw", _full)
        yield


TROUBLES: dict[str, Callable[[House], AbstractContextManager[None]]] = {
    "the disk was full": lambda house: no_room(),
    "the home folder or the database could not be written": lambda house: crippled(house, "query_only=ON"),
    "another program kept the database locked": lambda house: locked(house.settings.home / "fieldpost.sqlite"),
}


@pytest.mark.parametrize("was", list(TROUBLES))
def test_mail_waits_in_the_mailbox_and_all_goes_on_by_itself(office: Served, was: str) -> None:
    office.daemon.inbox = box = Kept(office.raw("soviet", "status"))  # type: ignore[assignment]
    with capture_logs() as said, TROUBLES[was](office.house):
        for _ in range(5):
            office.round()
            office.pass_time(timedelta(minutes=2))
        assert list(box.waiting) == [1000]
    assert [line["event"] for line in said] == ["in trouble"]
    before = {row.key for row in office.letters()}
    letters = [row for row in office.serve(0) if row.key not in before]
    assert box.waiting == {}
    assert [row.to for row in letters if row.key.startswith("answer/")] == ["anna@mill.example"]
    (told,) = [row for row in letters if row.to == MODERATOR]
    assert f"{was}." in " ".join(text_of(told).split())
    assert (office.mails()[-1].state, office.mails()[-1].tries) == ("done", 1)


def test_a_line_is_decided_once_and_waits_for_room_in_its_file(office: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is full just when the line is to be written, again and again."""
    mail, log = office.post("soviet", "end"), log_of(office.house, office.name)
    before = log.read_bytes()
    with monkeypatch.context() as meanwhile, capture_logs() as said:
        meanwhile.setattr("engine.log.file.LogFile.append", _full)
        for _ in range(6):
            office.round()
    assert [line["event"] for line in said if line["log_level"] != "info"] == [
        "a line waits for its file",
        "in trouble",
    ]
    assert log.read_bytes() == before
    assert (office.mails()[-1].state, office.mails()[-1].tries) == ("done", 1)
    office.round()
    assert log.read_bytes().count(b"\n") == before.count(b"\n") + 1
    assert [row.to for row in office.letters("sent") if mail in row.key] == ["anna@mill.example"]
    assert sum("the disk was full." in " ".join(text_of(row).split()) for row in office.letters()) == 1


def test_a_mail_loses_no_try_to_a_full_disk(office: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is full before anything is decided, again and again."""
    mail = office.post("soviet", "end")
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("pbem.service.service.open_mail", _full)
        for _ in range(6):
            office.round()
    assert (office.mails()[-1].state, office.mails()[-1].tries) == ("stored", 1)
    office.round()
    assert (office.mails()[-1].state, office.mails()[-1].tries) == ("done", 1)
    assert [row.to for row in office.letters("sent") if mail in row.key] == ["anna@mill.example"]


def test_a_letter_that_could_not_be_marked_as_sent_is_not_sent_meanwhile(office: Served) -> None:
    office.mail("soviet", "status")
    carried: list[str] = []
    usual = office.lorry.send

    async def counting(sender: str, to: str, raw: bytes) -> None:
        carried.append(to)
        await usual(sender, to, raw)

    office.lorry.send = counting  # type: ignore[method-assign]
    with crippled(office.house, "query_only=ON"):
        for _ in range(3):
            office.round()
        assert carried == []
    office.round()
    assert carried.count("anna@mill.example") == 1


def _full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_with_too_little_room_nothing_is_begun_and_the_moderator_is_told(
    office: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.daemon.inbox = box = Kept(office.raw("soviet", "status"))  # type: ignore[assignment]
    left = office.left()
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(disk_space, "free_bytes", lambda settings: 49_000_000)
        written = office.serve(5)
        assert list(box.waiting) == [1000]
    assert [row.to for row in written] == [MODERATOR]
    assert "the disk is nearly full (49 MB are left" in " ".join(text_of(written[0]).split())
    assert written[0].state == "sent"
    office.serve(0)
    assert box.waiting == {}
    assert office.left() >= left - timedelta(minutes=1), "no deadline runs meanwhile"
    told = [" ".join(text_of(row).split()) for row in office.letters() if row.to == MODERATOR]
    assert sum("there was no mail service: the disk was nearly full." in text for text in told) == 1
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(disk_space, "free_bytes", lambda settings: 50_000_000)
        assert disk_space.nearly_full(Settings(home=office.home)) is None


def test_two_troubles_that_take_turns_stand_in_the_journal_once_each(
    office: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is nearly full, and then full when the moderator is to be told."""
    with monkeypatch.context() as meanwhile, crippled(office.house, "query_only=ON"), capture_logs() as said:
        meanwhile.setattr(disk_space, "free_bytes", lambda settings: 0)
        for _ in range(3):
            office.round()
    assert [line["event"] for line in said] == ["in trouble", "in trouble"]
    with capture_logs() as said, locked(office.home / "fieldpost.sqlite"):
        office.round()
    assert [line["event"] for line in said] == ["in trouble"]


def test_a_lock_that_passes_is_no_news(office: Served) -> None:
    with locked(office.home / "fieldpost.sqlite"):
        office.round()
    office.pass_time(timedelta(minutes=1))
    assert [row for row in office.serve(0) if row.to == MODERATOR] == []
