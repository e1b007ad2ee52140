"""The house that a test is given: on files, or in rows of a PostgreSQL server where one is named.

FIELDPOST_TEST_POSTGRES is the URL of a server where databases may be made and dropped. Each home has a database of its
own there, so that whatever opens the same home again finds the same house.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event, make_url
from sqlmodel import select

from pbem.house import House
from pbem.house.in_files import InFiles
from pbem.store import LogLine
from pbem.store.database import upgrade

SERVER = os.environ.get("FIELDPOST_TEST_POSTGRES", "")
FILES, POSTGRES = "files", "postgres"

kind = FILES  # what the test at hand is given: tests/pbem/conftest.py says so
made: dict[str, str] = {}  # by home: its database
_opened: list[Engine] = []
_connections: list[Any] = []  # of all of these, in a pool or by themselves
_TEMPLATE = f"fieldpost_{os.getpid()}_template"


def database_of(home: Path) -> str:
    """The URL for the settings of a house in this home; empty where it is a house on files."""
    if kind == FILES:
        return ""
    if str(home) not in made:
        _create(home, _template())
    return _url(made[str(home)])


def url_of(home: Path) -> str:
    """Where the rows of a house in this home are, be it a file."""
    return _url(made[str(home)]) if str(home) in made else in_file(home)


def in_file(home: Path) -> str:
    return f"sqlite:///{home / 'fieldpost.sqlite'}"


def new_database(home: Path) -> str:
    """An empty one, whatever house the test is given."""
    _create(home, "template1")
    return _url(made[str(home)])


def copied(home: Path, to: Path) -> Path:
    """A house that is closed, once more: its home and its rows."""
    shutil.copytree(home, to)
    if str(home) in made:
        for engine in _opened:
            if engine.url.database == made[str(home)]:
                engine.dispose()
        _create(to, made[str(home)])
    return to


def log_of(house: House, game: str) -> Path:
    """The log of a game as a file with its secret beside it, as if the house had files."""
    place = house.log_path(game)
    if not house.cabinet.shared:
        return place
    shutil.rmtree(place.parent, ignore_errors=True)
    with house.database.reading() as session:
        if house.cabinet.has_log(session, game):
            InFiles(house.settings.home).put_stock(session, game, house.cabinet.stock(session, game))
    return place


def bytes_of(house: House, game: str) -> bytes:
    """The log of a game as it lies there, whole or not."""
    if not house.cabinet.shared:
        return house.log_path(game).read_bytes()
    with house.database.reading() as session:
        return b"".join(row + b"\n" for row in house.cabinet.stock(session, game).rows)


def damage(house: House, game: str) -> None:
    """Something else lies where its log was."""
    if not house.cabinet.shared:
        house.log_path(game).write_text("not a log\n")
        return
    with house.database.begin() as session:
        for line in session.exec(select(LogLine).where(LogLine.game_id == game)).all():
            line.row = b"not a log"


def noted(engine: Engine) -> Engine:
    """A test may leave its houses open: they are closed before their databases go."""
    _opened.append(engine)
    event.listen(engine, "connect", lambda connection, _record: _connections.append(connection))
    return engine


def drop(names: set[str]) -> None:
    """The databases of these homes are gone, whoever still holds them open."""
    while _opened:
        _opened.pop().dispose()
    while _connections:
        _connections.pop().close()
    for home in names:
        _run(f'DROP DATABASE IF EXISTS "{made.pop(home)}" WITH (FORCE)')


def drop_template() -> None:
    _run(f'DROP DATABASE IF EXISTS "{_TEMPLATE}" WITH (FORCE)')


def _create(home: Path, like: str) -> None:
    name = f"fieldpost_{os.getpid()}_{hashlib.sha256(str(home).encode()).hexdigest()[:16]}"
    _run(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
    made[str(home)] = name


def _template() -> str:
    """An empty house at our version, made once: to copy it is quicker than to make another."""
    if "" not in made:
        _run(f'DROP DATABASE IF EXISTS "{_TEMPLATE}"', f'CREATE DATABASE "{_TEMPLATE}"')
        upgrade(_url(_TEMPLATE))
        made[""] = _TEMPLATE
    return _TEMPLATE


def _url(name: str) -> str:
    return make_url(SERVER).set(database=name).render_as_string(hide_password=False)


def _run(*statements: str) -> None:
    engine: Engine = create_engine(make_url(SERVER).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)
    engine.dispose()
