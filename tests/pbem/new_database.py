"""New databases without a migration: what all of them come to is found out once, and laid out each time.

What is asked of them is put into SQL once, too, and not for each of hundreds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location

import pytest
from sqlalchemy import Connection, Engine, MetaData, create_engine

from pbem.store import database, migrating, schema
from pbem.store.database import _engine as new_engine
from pbem.store.migrating import _run as run_migrations
from pbem.store.schema import has_tables, newest

OURS = schema.MIGRATIONS
_FIRST: dict[str, Engine] = {}  # by the kind of database


@pytest.fixture(scope="session", autouse=True)
def quick_databases() -> Iterator[None]:
    """Hundreds of tests begin a database: only `store/test_schema.py` needs the migrations themselves."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(migrating, "_run", lay_out)
        patch.setattr(database, "_engine", like_the_first)
        yield


def like_the_first(url: str, name: str = "") -> Engine:
    """An engine with the dialect of the first of its kind, and with it all statements that were put into SQL."""
    engine = new_engine(url, name)
    first = _FIRST.setdefault(engine.dialect.name, engine)
    engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
    return engine


def lay_out(connection: Connection) -> None:
    """The tables of this program in an empty SQLite database; any other is migrated."""
    if connection.dialect.name != "sqlite" or schema.MIGRATIONS != OURS or has_tables(connection):
        run_migrations(connection)
        return
    for statement in _statements():
        connection.exec_driver_sql(statement)
    connection.exec_driver_sql(f"INSERT INTO {schema.TABLE} VALUES (?)", (newest(),))


@cache
def _statements() -> tuple[str, ...]:
    return written_by(run_migrations)


def written_by(run: Callable[[Connection], None]) -> tuple[str, ...]:
    """How the tables and indexes are written that it leaves in a new database."""
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        run(connection)
        found = connection.exec_driver_sql("SELECT sql FROM sqlite_master WHERE sql <> '' ORDER BY rowid").scalars()
        statements = tuple(map(str, found))
    engine.dispose()
    return statements


def first_tables() -> MetaData:
    """All tables as they were when versions began."""
    found = spec_from_file_location("first", schema.MIGRATIONS / "versions" / "v0001_first_tables.py")
    assert found is not None
    assert found.loader is not None
    first = module_from_spec(found)
    found.loader.exec_module(first)
    tables: MetaData = first.TABLES
    return tables
