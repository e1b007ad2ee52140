"""Chairs that leave deadlines to the clock are found without looking at all others."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0006", "0005"

UNHEARD = sa.text("unheard > 0")


def upgrade() -> None:
    op.create_index("ix_seat_unheard", "seat", ["game_id"], sqlite_where=UNHEARD, postgresql_where=UNHEARD)
