"""Mails and letters whose bytes are still kept are found without looking at all others."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"

WHOLE = sa.text("length(raw) > 0")


def upgrade() -> None:
    for table, when in (("mail_in", "received"), ("mail_out", "sent")):
        op.create_index(f"ix_{table}_whole", table, [when], sqlite_where=WHOLE, postgresql_where=WHOLE)
