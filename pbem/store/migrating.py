"""Bringing a database to this program's version: all of it or nothing, after a copy where it is a file."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine

from pbem.store import schema
from pbem.store.schema import NONE, has_tables, newest, version_in

LOCK = 1_944_0128  # the advisory lock of PostgreSQL under which one migrates at a time
COPY = ".before-"  # and the version that a copy was made for


def migrate(engine: Engine) -> str:
    """Every migration that the database lacks, in one transaction; gives the version that it had.

    Raises NewerDatabase. Whoever else wants the same waits, and finds it done.
    """
    file = database_file(engine)
    with engine.connect().execution_options(begins="") as connection:
        if file is not None:  # a table that is written anew would take along the rows that point at it
            connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        # Begins the transaction, when nobody else is at it.
        sqlite = connection.dialect.name == "sqlite"
        connection.exec_driver_sql("BEGIN IMMEDIATE" if sqlite else f"SELECT pg_advisory_xact_lock({LOCK})")
        found = version_in(connection)
        if found != newest():
            if file is not None and has_tables(connection):
                keep_copy(file)
            _run(connection)
            if file is not None and connection.exec_driver_sql("PRAGMA foreign_key_check").first() is not None:
                raise AssertionError("a migration has left rows that point nowhere")
        connection.commit()
    if file is not None:
        engine.dispose()  # the next connection heeds foreign keys again
    return found


def _run(connection: Connection) -> None:
    command.upgrade(config_on(connection), "head")


def config_on(connection: Connection) -> Config:
    """What alembic needs to know."""
    config = Config()
    config.set_main_option("script_location", str(schema.MIGRATIONS).replace("%", "%%"))
    config.set_main_option("file_template", "v%%(rev)s_%%(slug)s")
    config.attributes["connection"] = connection
    return config


def database_file(engine: Engine) -> Path | None:
    """Where a database lies that is a file."""
    name = engine.url.database or ""
    return Path(name) if engine.dialect.name == "sqlite" and name not in (NONE, ":memory:") else None


def keep_copy(file: Path) -> Path:
    """A copy of the file beside it, whole or not at all, for its owner alone; the one of an earlier migration goes."""
    place = file.with_name(f"{file.name}{COPY}{newest()}")
    part = place.with_name(f"{place.name}.part")
    os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    try:
        with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(part)) as target:
            source.backup(target)
        part.replace(place)
    except BaseException:
        part.unlink()
        raise
    for former in set(file.parent.glob(f"{file.name}{COPY}*")) - {place}:
        former.unlink()
    return place
