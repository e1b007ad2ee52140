"""What is drawn when a letter is sent, and of which lines it tells; those that wait already hold all they need."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0005", "0004"


def upgrade() -> None:
    with op.batch_alter_table("mail_out") as mail_out:
        mail_out.add_column(sa.Column("pictures", sa.JSON, nullable=False, server_default="[]"))
        mail_out.add_column(sa.Column("tells", sa.JSON, nullable=False, server_default="{}"))
