"""What the post office remembers about people and mail."""

from pbem.store.database import Database, utc
from pbem.store.tables import *  # noqa: F403 - every table there is

__all__ = ["Database", "utc"]
