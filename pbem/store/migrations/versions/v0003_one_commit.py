"""One commit decides: lines that are due to their files, and a clock that looks only at what wakes it."""

import sqlalchemy as sa
from alembic import op

from pbem.store.column_words import columns
from pbem.store.schema import HalfDone

revision, down_revision = "0003", "0002"

HALF_DONE = """SELECT EXISTS (SELECT 1 FROM mail_in WHERE state = 'decided')
OR EXISTS (SELECT 1 FROM mail_out WHERE state = 'held')"""


def upgrade() -> None:
    """Raises HalfDone: what such a line was to bring about only the program that wrote it knows."""
    if op.get_bind().execute(sa.text(HALF_DONE)).scalar():
        raise HalfDone(down_revision)
    op.create_table("line_due", *columns("game_id# n:number# row:octets drawer:octets"))
    for table in ("due", "spectator"):
        op.add_column(table, sa.Column("wake", sa.DateTime(timezone=True), nullable=True))
        op.create_index(f"ix_{table}_wake", table, ["wake"])
    # Everything is looked at once, and then knows its time.
    op.execute("UPDATE due SET wake = asked")
    op.execute("UPDATE spectator SET wake = (SELECT created FROM game WHERE game.id = spectator.game_id)")
    op.execute("UPDATE mail_out SET state = 'queued' WHERE state = 'sending'")
