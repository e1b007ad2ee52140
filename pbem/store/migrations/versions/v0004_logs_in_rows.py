"""Logs, what lies beside them, and mails as they came: in rows, where a house has no files; and where it has moved."""

import sqlalchemy as sa
from alembic import op

from pbem.store.column_words import columns

revision, down_revision = "0004", "0003"

COLUMNS = {
    "log_line": "game_id# n:number# hash cause row:octets",
    "paper": "game_id# name# head content:octets",
    "game_secret": "game_id# secret",
    "house": "id:number# moved_to",
    "raw_mail": "digest# raw:octets",
}
CAUSED = sa.text("cause <> ''")


def upgrade() -> None:
    for name, words in COLUMNS.items():
        op.create_table(name, *columns(words))
    op.create_index(
        "ix_log_line_cause", "log_line", ["game_id", "cause"], unique=True, sqlite_where=CAUSED, postgresql_where=CAUSED
    )
