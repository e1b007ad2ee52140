"""Opening the database: SQLite beside the games by default, PostgreSQL by its URL."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from datetime import UTC, datetime
from socket import gethostname
from typing import Any

from sqlalchemy import URL, Connection, Engine, event, make_url
from sqlalchemy.exc import ArgumentError
from sqlmodel import Session, create_engine

from pbem.store.database_troubles import in_a_sentence
from pbem.store.schema import OlderDatabase, has_tables, newest, version_of

PATIENCE = 30.0  # seconds for which a writer waits for another: bots among themselves may take some
# A worker that is stopped or cut off lets go of what it holds, and whoever waits for it does not wait for ever.
AT_A_SERVER: dict[str, Any] = {
    "options": f"-c idle_in_transaction_session_timeout=60s -c lock_timeout={PATIENCE:.0f}s",
    "keepalives_idle": 25,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
Alone = Callable[[], AbstractContextManager[object]]  # what keeps others out meanwhile


class NoDatabase(Exception):
    """A URL that leads to no database of ours; it is not told, for a password may stand in it."""

    def __str__(self) -> str:
        return (
            "the database cannot be opened, for its URL is none of a PostgreSQL: "
            "write it as postgresql://fieldpost@db.example/fieldpost"
        )


class Database:
    """Sessions on one database. A session is one transaction: all of it is there afterwards, or nothing.

    A row that was read in it is written back by itself when it has changed; only new ones are added.
    """

    def __init__(self, url: str, alone: Alone = nullcontext, name: str = "") -> None:
        """Opens it at this program's version: SQLite is migrated, any other is refused until somebody upgrades it.

        A server is told the `name` of who asks. `alone` is entered while a database with rows in it is migrated.
        Raises WrongVersion, HouseTrouble.
        """
        self.engine = _engine(url, name)
        self._writing = self.engine.execution_options(begins="BEGIN IMMEDIATE")
        # At a server each look is one round trip: nothing it reads there is held still by a transaction anyway.
        at_a_server = self.engine.dialect.name != "sqlite"
        self._reading = self.engine.execution_options(isolation_level="AUTOCOMMIT") if at_a_server else self.engine
        try:
            if (found := version_of(self.engine)) != newest():
                if self.engine.dialect.name != "sqlite":
                    raise OlderDatabase(found)
                _migrated(self.engine, alone)
        except BaseException:
            self.close()
            raise

    @contextmanager
    def begin(self, *, single: bool = False) -> Iterator[Session]:
        """A transaction, or a `single` statement in one round trip: committed at the end, or else undone."""
        engine = self._reading if single else self._writing
        with Session(engine, expire_on_commit=False, info={"writes": True}) as session:
            yield session
            session.commit()

    def reading(self) -> Session:
        """A look at what is there: nothing is written, so nothing is committed."""
        return Session(self._reading, autoflush=False)

    def close(self) -> None:
        self.engine.dispose()


def upgrade(url: str, alone: Alone = nullcontext) -> str:
    """Brings any database to this program's version; gives the one it had. Raises NewerDatabase, HouseTrouble."""
    engine = _engine(url)
    try:
        found = version_of(engine)
        return found if found == newest() else _migrated(engine, alone)
    finally:
        engine.dispose()


def url_of(said: str) -> URL:
    """Raises NoDatabase."""
    try:
        place = make_url(said)
    except (ArgumentError, ValueError):  # a port that is no number
        raise NoDatabase from None
    if place.get_backend_name() not in ("postgres", "postgresql", "sqlite"):
        raise NoDatabase
    return place


def _engine(url: str, name: str = "") -> Engine:
    place = url_of(url)
    in_file = place.get_backend_name() == "sqlite"
    if not in_file:  # whichever driver is named, and by either name of theirs
        place = place.set(drivername="postgresql+psycopg")
    who = {"application_name": f"fieldpost/{gethostname()}/{name}"}
    engine = create_engine(
        place,
        connect_args={"check_same_thread": False, "timeout": PATIENCE} if in_file else AT_A_SERVER | who,
        hide_parameters=True,  # an error is written into the journal, and tokens are among them
        **({} if in_file else {"pool_use_lifo": True}),  # the one used last has prepared what it is asked
    )
    if in_file:
        event.listen(engine, "connect", _durable)
        event.listen(engine, "begin", _begin)
    event.listen(engine, "handle_error", in_a_sentence)
    return engine


def _migrated(engine: Engine, alone: Alone) -> str:
    from pbem.store.migrating import migrate  # and alembic with it, which a database of our version never needs

    with engine.connect() as connection:
        is_new = not has_tables(connection)
    with nullcontext() if is_new else alone():
        return migrate(engine)


def _durable(connection, _record) -> None:  # type: ignore[no-untyped-def]
    connection.isolation_level = None  # `_begin` says when a transaction begins, and not the driver
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin(connection: Connection) -> None:
    """Who will write waits for his turn before he reads: what he has read is true until he has written."""
    how = connection.get_execution_options().get("begins", "BEGIN")
    if how:  # a migration says itself when it begins
        connection.exec_driver_sql(how)


def utc(moment: datetime) -> datetime:
    """A time from the database, which SQLite gives back without its zone."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
