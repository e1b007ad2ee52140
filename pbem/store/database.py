"""Opening the database: SQLite beside the games by default, PostgreSQL by its URL."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, Connection, Engine, event, inspect
from sqlmodel import Session, SQLModel, create_engine

from pbem.store import tables as tables  # known before they are made

PATIENCE = 30  # seconds for which a writer waits for another


class Database:
    """Sessions on one database. A session is one transaction: all of it is there afterwards, or nothing.

    A row that was read in it is written back by itself when it has changed; only new ones are added.
    """

    def __init__(self, url: str) -> None:
        self.engine: Engine = create_engine(
            url,
            connect_args={"check_same_thread": False, "timeout": PATIENCE} if "sqlite" in url else {},
            hide_parameters=True,  # an error is written into the journal, and tokens are among them
        )
        if url.startswith("sqlite"):
            event.listen(self.engine, "connect", _durable)
            event.listen(self.engine, "begin", _begin)
        self._writing = self.engine.execution_options(writes=True)
        _grow(self.engine)
        SQLModel.metadata.create_all(self.engine)

    @contextmanager
    def begin(self) -> Iterator[Session]:
        """A transaction: committed at the end; if anything is raised it is closed before that, and so undone."""
        with Session(self._writing, expire_on_commit=False) as session:
            yield session
            session.commit()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A look at what is there: nothing is written, so nothing is committed."""
        with Session(self.engine) as session:
            yield session

    def close(self) -> None:
        self.engine.dispose()


def _grow(engine: Engine) -> None:
    """A database made by an earlier version gets the columns that its tables have gained since."""
    there = inspect(engine)
    for table in SQLModel.metadata.sorted_tables:
        known = {column["name"] for column in there.get_columns(table.name)} if there.has_table(table.name) else None
        for column in table.columns if known is not None else ():
            if column.name not in (known or ()):
                with engine.begin() as connection:
                    connection.exec_driver_sql(f'ALTER TABLE "{table.name}" ADD COLUMN {_gained(engine, column)}')


def _gained(engine: Engine, column: Column[Any]) -> str:
    """A new column as old rows have it: empty, or with the plain value that new rows begin with."""
    said = f'"{column.name}" {column.type.compile(engine.dialect)}'
    if column.nullable:
        return said
    begins = getattr(column.default, "arg", None)
    plain = str(begins).upper() if isinstance(begins, bool | int | float) else "''"
    return f"{said} NOT NULL DEFAULT {plain}"


def _durable(connection, _record) -> None:  # type: ignore[no-untyped-def]
    connection.isolation_level = None  # `_begin` says when a transaction begins, and not the driver
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Who will write waits for his turn before he reads: what he has read is true until he has written."""
    how = "BEGIN IMMEDIATE" if connection.get_execution_options().get("writes") else "BEGIN"
    connection.connection.cursor().execute(how)


def utc(moment: datetime) -> datetime:
    """A time from the database, which SQLite gives back without its zone."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
