"""Which version its tables have, and which one this program wants: both are told by a number."""

from pathlib import Path

from sqlalchemy import Connection, Engine, inspect
from sqlalchemy.exc import DBAPIError

MIGRATIONS = Path(__file__).parent / "migrations"
NONE = ""  # no version: a database that is new, or from before versions began
TABLE = "alembic_version"


class WrongVersion(Exception):
    """Program and database do not match, and this says what to type."""

    says = ""

    def __init__(self, found: str) -> None:
        super().__init__(found)
        self.found = found

    def __str__(self) -> str:
        is_at = f"is at version {self.found}" if self.found else "has no tables of this program's"
        return self.says.format(found=self.found, is_at=is_at, newest=newest())


class NewerDatabase(WrongVersion):
    says = (
        "a newer Fieldpost has written this database (version {found}; this program knows {newest}): "
        "install that one, `pip install --upgrade fieldpost`, or put back the copy made before it"
    )


class OlderDatabase(WrongVersion):
    says = "the database {is_at}, and this program needs {newest}: stop the service, and type `pbem house upgrade`"


class HalfDone(WrongVersion):
    says = (
        "a mail is half dealt with, as Fieldpost did that up to version {found} of its tables: "
        "install the Fieldpost before this one, start its service once, stop it, and then start this one again"
    )


def newest() -> str:
    """The version that this program's tables have: the number of its last migration."""
    return max(path.name[1:5] for path in (MIGRATIONS / "versions").glob("v*.py"))


def version_of(engine: Engine) -> str:
    """The version of a database's tables, by one question: every verb asks it. Raises NewerDatabase."""
    with engine.connect() as connection:
        try:
            return _told(connection)
        except DBAPIError:  # no such table
            return NONE


def version_in(connection: Connection) -> str:
    """The same within a transaction, which goes on. Raises NewerDatabase."""
    return _told(connection) if inspect(connection).has_table(TABLE) else NONE


def _told(connection: Connection) -> str:
    found = str(connection.exec_driver_sql(f"SELECT version_num FROM {TABLE}").scalar() or NONE)
    if found > newest():
        raise NewerDatabase(found)
    return found


def has_tables(connection: Connection) -> bool:
    return inspect(connection).has_table("game")
