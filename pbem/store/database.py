"""Opening the database: SQLite beside the games by default, PostgreSQL by its URL."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from sqlalchemy import Engine, event
from sqlmodel import Session, SQLModel, create_engine

from pbem.store import tables as tables  # known before they are made


class Database:
    """Sessions on one database. A session is one transaction: all of it is there afterwards, or nothing.

    A row that was read in it is written back by itself when it has changed; only new ones are added.
    """

    def __init__(self, url: str) -> None:
        memory = url in ("sqlite://", "sqlite:///:memory:")
        self.engine: Engine = create_engine(
            url,
            connect_args={"check_same_thread": False} if "sqlite" in url else {},
            hide_parameters=True,  # an error is written into the journal, and tokens are among them
        )
        if url.startswith("sqlite") and not memory:
            event.listen(self.engine, "connect", _durable)
        SQLModel.metadata.create_all(self.engine)

    @contextmanager
    def begin(self) -> Iterator[Session]:
        """A transaction: committed at the end; if anything is raised it is closed before that, and so undone."""
        with Session(self.engine, expire_on_commit=False) as session:
            yield session
            session.commit()

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A look at what is there: nothing is written, so nothing is committed."""
        with Session(self.engine) as session:
            yield session

    def close(self) -> None:
        self.engine.dispose()


def _durable(connection, _record) -> None:  # type: ignore[no-untyped-def]
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def utc(moment: datetime) -> datetime:
    """A time from the database, which SQLite gives back without its zone."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
