"""Versions of the tables: models and migrations agree, old databases come along with their rows, newer are refused."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import Session, SQLModel, create_engine, select
from typer.testing import CliRunner, Result

from engine.log.locking import try_to_hold
from pbem.cli import app
from pbem.house.alone import LOCK
from pbem.store import Database, Player, Wish, migrating, schema
from pbem.store.database import upgrade
from pbem.store.migrating import migrate
from pbem.store.schema import NewerDatabase, newest
from tests.pbem import houses
from tests.pbem.new_database import first_tables, lay_out, run_migrations

pytestmark = pytest.mark.on_files  # and on PostgreSQL below
ROOT = Path(__file__).parents[3]
NEXT = """
import os, signal
from alembic import op
import sqlalchemy as sa
revision, down_revision = "9000", "{before}"
def upgrade():
    op.add_column("player", sa.Column("medals", sa.Integer, nullable=False, server_default="0"))
    if os.environ.get("KILLED"):
        os.kill(os.getpid(), signal.SIGKILL)
    with op.batch_alter_table("player") as player:
        player.alter_column("medals", server_default=None)
"""
OPEN = """
import sys
from pathlib import Path
from pbem.store import Database, schema
schema.MIGRATIONS = Path(sys.argv[2])
Database(sys.argv[1]).close()
"""


@pytest.fixture(autouse=True)
def _no_short_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here new databases are migrated, as everywhere but in tests."""
    monkeypatch.setattr(migrating, "_run", run_migrations)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    (tmp_path / "home").mkdir(mode=0o700)
    return tmp_path / "home"


@pytest.fixture
def file(home: Path) -> Path:
    """A database as it was before versions began, with rows that point at each other."""
    engine = create_engine(f"sqlite:///{home / 'fieldpost.sqlite'}")
    first_tables().create_all(engine)
    with Session(engine) as session:
        session.add(Player(id=7, address="anna@mill.example", late=3))
        session.flush()
        session.add(Wish(player_id=7, what="zone", value="Kyiv"))
        session.commit()
    engine.dispose()
    return home / "fieldpost.sqlite"


@pytest.fixture
def future(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The migrations of a program to come, which has one more; it is that program's turn."""
    before, place = newest(), tmp_path / "migrations"
    shutil.copytree(schema.MIGRATIONS, place, ignore=shutil.ignore_patterns("__pycache__"))
    (place / "versions" / "v9000_medals.py").write_text(NEXT.format(before=before), "utf-8")
    monkeypatch.setattr(schema, "MIGRATIONS", place)
    return place


def asked(file: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(question).fetchall()


def pbem(*words: str) -> Result:
    return CliRunner().invoke(app, words)


def wrong(result: Result, words: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1
    assert words in result.stderr


def test_models_and_migrations_agree() -> None:
    engine = create_engine("sqlite://")
    migrate(engine)
    with engine.connect() as connection:
        differences = compare_metadata(MigrationContext.configure(connection), SQLModel.metadata)
    engine.dispose()
    assert differences == [], "`make migration NAME=...` writes what is missing"


def test_the_tests_of_everything_else_have_the_tables_that_migrations_make() -> None:
    dumps = []
    for run in (run_migrations, lay_out):
        engine = create_engine("sqlite://")
        with engine.connect() as connection:
            run(connection)
            dumps.append(sorted(connection.connection.driver_connection.iterdump()))  # type: ignore[union-attr]
        engine.dispose()
    assert dumps[0] == dumps[1]
    assert f"INSERT INTO \"alembic_version\" VALUES('{newest()}');" in dumps[1]


def test_every_migration_follows_the_one_before() -> None:
    numbers = sorted(path.name[1:5] for path in (schema.MIGRATIONS / "versions").glob("*.py"))
    assert numbers == [f"{number:04}" for number in range(1, len(numbers) + 1)]


def test_a_database_without_a_version_gets_one_and_keeps_its_rows(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    with database.begin() as session:
        assert session.exec(select(Player.address, Player.late)).all() == [("anna@mill.example", 3)]
    database.close()
    assert asked(file, "SELECT version_num FROM alembic_version") == [(newest(),)]
    copy = file.with_name(f"{file.name}.before-{newest()}")
    assert asked(copy, "SELECT address FROM player") == [("anna@mill.example",)]
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    with pytest.raises(sqlite3.OperationalError, match="no such table"):
        asked(copy, "SELECT version_num FROM alembic_version")


def test_a_new_database_is_not_copied_and_heeds_foreign_keys(home: Path) -> None:
    database = Database(f"sqlite:///{home / 'fieldpost.sqlite'}")
    with database.begin() as session:
        assert session.connection().exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    database.close()
    assert [path.name for path in home.iterdir()] == ["fieldpost.sqlite"]


def test_many_may_open_a_new_database_at_once(home: Path) -> None:
    made: list[str] = []

    def open_it() -> None:
        database = Database(f"sqlite:///{home / 'fieldpost.sqlite'}")
        with database.begin() as session:
            made.append(str(session.connection().exec_driver_sql("SELECT version_num FROM alembic_version").scalar()))
        database.close()

    threads = [threading.Thread(target=open_it) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [newest()] * 4


def test_the_next_migration_comes_with_a_copy_and_takes_the_former_one_away(file: Path, future: Path) -> None:
    former = file.with_name(f"{file.name}.before-0001")
    former.write_bytes(b"old")
    database = Database(f"sqlite:///{file}")
    with database.begin() as session:
        assert session.connection().exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    database.close()
    assert asked(file, "SELECT address, medals FROM player") == [("anna@mill.example", 0)]
    assert asked(file, "SELECT value FROM wish") == [("Kyiv",)]
    assert file.with_name(f"{file.name}.before-9000").exists()
    assert not former.exists()


@pytest.mark.parametrize(
    "row",
    [
        "INSERT INTO mail_in VALUES ('a', '', 0, '', '', '', '', '', '', '2026-01-01', 'decided', '', 1, '', "
        "'', 1, '')",
        "INSERT INTO mail_out VALUES ('a', 'k', 'c', 'anna@mill.example', '', '', '', '', 'held', 0, '2026-01-01', "
        "'2026-01-01', NULL, '')",
    ],
)
def test_what_is_half_done_is_left_to_the_program_that_began_it(file: Path, row: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(row)
    wrong(pbem("game", "list"), "install the Fieldpost before this one, start its service once")
    assert ("wake",) not in [(name,) for _, name, *_ in asked(file, "PRAGMA table_info(due)")]
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("DELETE FROM mail_in")
        connection.execute("DELETE FROM mail_out")
    assert pbem("game", "list").exit_code == 0


def test_an_older_clock_is_looked_at_once_and_a_letter_on_its_way_goes_out(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        game = dict.fromkeys((name for _, name, *_ in asked(file, "PRAGMA table_info(game)")), "")
        game |= {"id": "mill", "created": "2026-01-01 00:00:00.000000", "duel_id": None}
        put(connection, "game", game)
        due = {"id": 1, "game_id": "mill", "side": "soviet", "key": "k", "kind": "move", "prompt": "", "reminded": 0}
        put(connection, "due", due | {"asked": "2026-02-01 00:00:00.000000", "moved": 0})
        looker = {"id": 1, "game_id": "mill", "address": "carl@lock.example", "delay_hours": 0, "reported": -1}
        put(connection, "spectator", looker | {"token": ""})
        letter = dict.fromkeys((name for _, name, *_ in asked(file, "PRAGMA table_info(mail_out)")), "")
        put(connection, "mail_out", letter | {"state": "sending"})
    Database(f"sqlite:///{file}").close()
    assert asked(file, "SELECT wake FROM due") == [("2026-02-01 00:00:00.000000",)]
    assert asked(file, "SELECT wake FROM spectator") == [("2026-01-01 00:00:00.000000",)]
    assert asked(file, "SELECT state FROM mail_out") == [("queued",)]


def put(connection: sqlite3.Connection, table: str, row: dict[str, object]) -> None:
    names, marks = ", ".join(f'"{name}"' for name in row), ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", [*row.values()])


def test_killed_in_the_middle_it_leaves_a_copy_and_the_next_start_goes_on(file: Path, future: Path) -> None:
    inside = {**os.environ, "PYTHONPATH": str(ROOT), "KILLED": "yes"}
    words = [sys.executable, "-c", OPEN, f"sqlite:///{file}", str(future)]
    assert subprocess.run(words, env=inside, check=False).returncode == -9
    assert asked(file.with_name(f"{file.name}.before-9000"), "SELECT address FROM player") == [("anna@mill.example",)]
    assert "medals" not in [name for _, name, *_ in asked(file, "PRAGMA table_info(player)")]
    Database(f"sqlite:///{file}").close()
    assert asked(file, "SELECT address, medals FROM player") == [("anna@mill.example", 0)]


def test_a_newer_database_is_refused_by_every_verb(file: Path) -> None:
    Database(f"sqlite:///{file}").close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(NewerDatabase) as refused:
        Database(f"sqlite:///{file}")
    assert refused.value.found == "9999"
    for words in (("game", "list"), ("serve",), ("watch", "--once"), ("house", "upgrade")):
        wrong(pbem(*words), f"a newer Fieldpost has written this database (version 9999; this program knows {newest()}")


@contextmanager
def served(home: Path) -> Iterator[None]:
    """As a service holds its home, in another process's name."""
    place = os.open(home / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        assert try_to_hold(place)
        os.write(place, b"process 77 on host bug serves this home since noon\n")
        yield
    finally:
        os.close(place)


def test_nothing_is_migrated_under_a_service_of_the_older_program(home: Path, file: Path) -> None:
    with served(home):
        wrong(
            pbem("game", "list"), "the database is of an older Fieldpost, and process 77 on host bug serves this home"
        )
        wrong(pbem("house", "upgrade"), "stop that first")
    assert pbem("game", "list").exit_code == 0


def test_the_verb_says_what_it_did(home: Path) -> None:
    assert pbem("house", "upgrade").stdout == f"The database is at version {newest()} now; before, it had none.\n"
    assert pbem("house", "upgrade").stdout == f"The database is at version {newest()}, as it should be.\n"
    assert "Example: pbem house upgrade" in pbem("house", "upgrade", "--help").stdout


# PostgreSQL.


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[str]:
    """An empty database."""
    if not houses.SERVER:
        pytest.skip("FIELDPOST_TEST_POSTGRES names no server")
    yield houses.new_database(tmp_path)
    houses.drop({str(tmp_path)})


def test_postgresql_is_upgraded_by_the_verb_alone(home: Path, postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_DATABASE", postgres)
    for words in (("game", "list"), ("serve",)):
        wrong(pbem(*words), f"this program needs {newest()}: stop the service, and type `pbem house upgrade`")
    assert pbem("house", "upgrade").stdout == f"The database is at version {newest()} now; before, it had none.\n"
    assert pbem("game", "list").exit_code == 0
    engine = create_engine(postgres)
    with engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
    engine.dispose()


def test_postgresql_without_a_version_keeps_its_rows(home: Path, postgres: str, future: Path) -> None:
    engine = create_engine(postgres)
    first_tables().create_all(engine)
    with Session(engine) as session:
        session.add(Player(address="anna@mill.example"))
        session.commit()
    result = pbem("house", "upgrade", "--database", postgres)
    assert result.stdout == "The database is at version 9000 now; before, it had none.\n"
    with engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT address, medals FROM player").all()
    engine.dispose()
    assert [tuple(row) for row in rows] == [("anna@mill.example", 0)]


def test_whoever_upgrades_postgresql_at_the_same_time_finds_it_done(postgres: str) -> None:
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.append(upgrade(postgres))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 3
    assert "" in found


def test_without_its_driver_or_with_nonsense_for_a_url_it_is_one_sentence(home: Path) -> None:
    for url in ("nonsense", "strange://db.example/fieldpost", "postgresql://fieldpost@db.example:x/fieldpost"):
        wrong(pbem("house", "upgrade", "--database", url), "the database cannot be opened")
