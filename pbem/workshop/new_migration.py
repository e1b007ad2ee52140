"""The next migration, begun from what the tables have that the last one does not know of."""

import sys

from alembic import command
from sqlmodel import create_engine

from pbem.store import Database as Database  # and its tables
from pbem.store.migrating import config_on, migrate
from pbem.store.schema import newest


def new_migration(name: str) -> None:
    """Writes the file; alembic says where."""
    engine = create_engine("sqlite://")
    migrate(engine)
    with engine.connect() as connection:
        command.revision(config_on(connection), name, autogenerate=True, rev_id=f"{int(newest()) + 1:04}")
    engine.dispose()


if __name__ == "__main__":
    new_migration(" ".join(sys.argv[1:]) or "another")
