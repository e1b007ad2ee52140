"""Logs, what lies beside them, and mails as they came: in rows, where a house has no files; and where it has moved."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0004", "0003"


def upgrade() -> None:
    op.create_table(
        "log_line",
        sa.Column("game_id", sa.String, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("cause", sa.String, nullable=False),
        sa.Column("row", sa.LargeBinary, nullable=False),
    )
    caused = sa.text("cause <> ''")
    op.create_index(
        "ix_log_line_cause",
        "log_line",
        ["game_id", "cause"],
        unique=True,
        sqlite_where=caused,
        postgresql_where=caused,
    )
    op.create_table(
        "paper",
        sa.Column("game_id", sa.String, primary_key=True),
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("head", sa.String, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "game_secret",
        sa.Column("game_id", sa.String, primary_key=True),
        sa.Column("secret", sa.String, nullable=False),
    )
    op.create_table(
        "house",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("moved_to", sa.String, nullable=False),
    )
    op.create_table(
        "raw_mail",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("raw", sa.LargeBinary, nullable=False),
    )
