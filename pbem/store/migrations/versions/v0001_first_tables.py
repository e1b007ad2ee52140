"""The tables as they were when versions began.

A database from before then has no version: what it lacks of these tables it gets, and its rows stay.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0001", None

TABLES = sa.MetaData()


def text(name: str, *more: Any, **how: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.String, *more, **{"nullable": False, "default": "", **how})


def number(name: str, *more: Any, **how: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.Integer, *more, **{"nullable": False, "default": 0, **how})


def yes_or_no(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Boolean, nullable=False, default=False)


def moment(name: str, **how: Any) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), **{"nullable": False, "default": "", **how})


def data(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.JSON, nullable=False, default="")


def octets(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.LargeBinary, nullable=False, default="")


def real(name: str) -> sa.Column[Any]:
    return sa.Column(name, sa.Float, nullable=False, default=0.0)


sa.Table(
    "duel",
    TABLES,
    number("id", primary_key=True, default=None),
    number("compared"),
    moment("since", nullable=True),
    text("ended"),
    text("winner"),
    yes_or_no("closed"),
)
sa.Table(
    "kept_letter",
    TABLES,
    text("id", primary_key=True),
    text("game_id", index=True),
    text("to"),
    text("message_id", index=True),
    text("subject"),
    text("key"),
    octets("text"),
    octets("markup"),
    moment("queued"),
)
sa.Table(
    "mail_in",
    TABLES,
    text("id", primary_key=True),
    text("box"),
    number("uid"),
    text("message_id", index=True),
    text("digest", index=True),
    text("content", index=True),
    text("raw"),
    text("sender", index=True),
    text("subject"),
    moment("received"),
    text("state", index=True),
    text("why"),
    number("tries"),
    text("game_id", index=True),
    text("side"),
    number("line", nullable=True),
    text("line_hash"),
)
sa.Table(
    "mail_out",
    TABLES,
    text("id", primary_key=True),
    text("key", unique=True),
    text("cause", index=True),
    text("to", index=True),
    text("game_id", index=True),
    text("message_id"),
    text("subject"),
    octets("raw"),
    text("state", index=True),
    number("tries"),
    moment("next_try"),
    moment("queued"),
    moment("sent", nullable=True),
    text("error"),
)
sa.Table(
    "outage",
    TABLES,
    number("id", primary_key=True, default=None),
    moment("since"),
    moment("until"),
    text("why"),
    yes_or_no("told"),
)
sa.Table(
    "player",
    TABLES,
    number("id", primary_key=True, default=None),
    text("address", unique=True, index=True),
    text("name"),
    text("zone"),
    text("pictures"),
    number("answered"),
    number("late"),
    number("missed"),
    number("seconds"),
)
sa.Table(
    "pulse",
    TABLES,
    number("id", primary_key=True, default=1),
    moment("ran"),
    real("monotonic"),
    moment("fetched", nullable=True),
    moment("sent", nullable=True),
    moment("up", nullable=True),
)
sa.Table(
    "game",
    TABLES,
    text("id", primary_key=True),
    text("rulebook"),
    text("scenario"),
    data("options"),
    data("settings"),
    text("state", index=True),
    text("moderator"),
    text("moderator_token", index=True),
    text("title"),
    text("commit"),
    moment("created"),
    moment("paused_at", nullable=True),
    moment("pause_began", nullable=True),
    moment("pause_ended", nullable=True),
    number("duel_id", sa.ForeignKey("duel.id"), nullable=True, index=True),
)
sa.Table(
    "wish",
    TABLES,
    number("player_id", sa.ForeignKey("player.id"), primary_key=True),
    text("what", primary_key=True),
    text("value"),
)
sa.Table(
    "due",
    TABLES,
    number("id", primary_key=True, default=None),
    text("game_id", sa.ForeignKey("game.id"), index=True),
    text("side"),
    text("key"),
    text("kind"),
    text("prompt"),
    moment("asked"),
    moment("due", nullable=True),
    number("reminded"),
    number("outage", nullable=True),
    number("moved"),
    sa.UniqueConstraint("game_id", "side"),
)
sa.Table(
    "press",
    TABLES,
    number("id", primary_key=True, default=None),
    text("game_id", sa.ForeignKey("game.id"), index=True),
    text("side"),
    number("turn"),
    moment("at"),
    text("text"),
)
sa.Table(
    "seat",
    TABLES,
    number("id", primary_key=True, default=None),
    text("game_id", sa.ForeignKey("game.id"), index=True),
    text("side"),
    number("player_id", sa.ForeignKey("player.id"), nullable=True),
    text("bot"),
    text("token", unique=True, index=True),
    text("nonce_commit"),
    text("nonce"),
    yes_or_no("joined"),
    yes_or_no("waiting"),
    moment("away_until", nullable=True),
    number("extensions"),
    yes_or_no("draw_offered"),
    yes_or_no("press_printed"),
    number("undo_wanted", nullable=True),
    number("reported", default=-1),
    text("map_sent"),
    number("unheard"),
    number("unheard_since", nullable=True),
    sa.UniqueConstraint("game_id", "side"),
)
sa.Table(
    "spectator",
    TABLES,
    number("id", primary_key=True, default=None),
    text("game_id", sa.ForeignKey("game.id"), index=True),
    text("address"),
    number("delay_hours"),
    number("reported", default=-1),
    text("token", index=True),
)
sa.Table(
    "address_request",
    TABLES,
    number("id", primary_key=True, default=None),
    number("seat_id", sa.ForeignKey("seat.id"), unique=True),
    number("player_id", sa.ForeignKey("player.id")),
    text("address", index=True),
    yes_or_no("second"),
    text("word"),
    text("token"),
    yes_or_no("confirmed"),
    moment("asked"),
)
sa.Table(
    "calendar_entry",
    TABLES,
    number("seat_id", sa.ForeignKey("seat.id"), primary_key=True),
    number("player_id", sa.ForeignKey("player.id"), primary_key=True),
    number("sequence"),
    moment("due", nullable=True),
    yes_or_no("off"),
)
sa.Table(
    "former_token",
    TABLES,
    text("token", primary_key=True),
    number("seat_id", sa.ForeignKey("seat.id"), index=True),
    number("player_id", sa.ForeignKey("player.id")),
)
sa.Table(
    "invitation",
    TABLES,
    number("id", primary_key=True, default=None),
    text("game_id", sa.ForeignKey("game.id"), index=True),
    number("seat_id", sa.ForeignKey("seat.id"), index=True),
    number("player_id", sa.ForeignKey("player.id")),
    text("token", index=True),
    text("state", index=True),
    moment("asked"),
    number("step"),
)
sa.Table(
    "second_address",
    TABLES,
    number("id", primary_key=True, default=None),
    number("seat_id", sa.ForeignKey("seat.id"), index=True),
    number("player_id", sa.ForeignKey("player.id")),
    text("address", index=True),
)


def upgrade() -> None:
    bind = op.get_bind()
    there = sa.inspect(bind)
    for table in TABLES.sorted_tables:
        if there.has_table(table.name):
            _grow(there, table)
    TABLES.create_all(bind)


def _grow(there: sa.Inspector, table: sa.Table) -> None:
    """Columns that a table has gained since it was made: empty in old rows, or what new ones begin with."""
    known = {column["name"] for column in there.get_columns(table.name)}
    for column in table.columns:
        if column.name not in known:
            old = None if column.nullable else sa.text(repr(getattr(column.default, "arg", "")))
            op.add_column(table.name, sa.Column(column.name, column.type, nullable=column.nullable, server_default=old))
    indexed = {index["name"] for index in there.get_indexes(table.name)}
    for index in table.indexes:
        if index.name not in indexed:
            index.create(op.get_bind())
