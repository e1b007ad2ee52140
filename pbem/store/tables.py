"""The database: the truth about people and mail. The log files are the truth about games."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import JSON, Column, DateTime, LargeBinary, UniqueConstraint
from sqlmodel import Field, SQLModel


def new_id() -> str:
    return uuid4().hex


def mail_address(address: str) -> str:
    """An address as it is compared: trimmed, in lower case."""
    return address.strip().strip("<>").casefold()


def _time(*, null: bool = False) -> Any:
    return Column(DateTime(timezone=True), nullable=null)


class Player(SQLModel, table=True):
    """Somebody with a mail address."""

    id: int | None = Field(default=None, primary_key=True)
    address: str = Field(unique=True, index=True)  # as `mail_address` makes it
    name: str = ""
    zone: str = "UTC"  # his time zone, for deadlines
    pictures: str = "on"  # in his letters: on, small or off
    answered: int = 0  # his record, for the moderator: asks answered in time,
    late: int = 0  # answered late,
    missed: int = 0  # and left to the clock
    seconds: int = 0  # how long he took in all


class GameRow(SQLModel, table=True):
    """A game: invited, joined, playing, paused, finished or abandoned."""

    __tablename__ = "game"
    id: str = Field(primary_key=True)  # its name in addresses and folders
    rulebook: str
    scenario: str
    options: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    settings: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    state: str = Field(default="invited", index=True)
    moderator: str = ""
    moderator_token: str = Field(default_factory=new_id, index=True)
    title: str = ""
    commit: str = ""  # the hash of the secret, told in the invitation
    created: datetime = Field(sa_column=_time())
    paused_at: datetime | None = Field(default=None, sa_column=_time(null=True))


class Seat(SQLModel, table=True):
    """A chair at a game: whoever holds its token speaks for its side."""

    __table_args__ = (UniqueConstraint("game_id", "side"),)
    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(foreign_key="game.id", index=True)
    side: str
    player_id: int | None = Field(default=None, foreign_key="player.id")
    bot: str = ""  # "sensible" or "random" when no person sits here
    token: str = Field(default_factory=new_id, unique=True, index=True)
    nonce_commit: str = ""
    nonce: str = ""
    joined: bool = False
    waiting: bool = False  # he asked that the phase be kept open (`wait`)
    away_until: datetime | None = Field(default=None, sa_column=_time(null=True))
    extensions: int = 0  # how often he has been given more time
    draw_offered: bool = False
    press_printed: bool = False  # his press may stand in the campaign book
    undo_wanted: int | None = None  # the line he asks to go back to
    reported: int = -1  # the last line he has been told of
    map_sent: str = ""  # what the last map sent to him showed, as a key


class CalendarEntry(SQLModel, table=True):
    """A deadline as a player's calendar has it: what his chair owes, as he was told last."""

    __tablename__ = "calendar_entry"
    seat_id: int = Field(foreign_key="seat.id", primary_key=True)
    player_id: int = Field(foreign_key="player.id", primary_key=True)
    sequence: int = 0  # how often it has changed
    due: datetime | None = Field(default=None, sa_column=_time(null=True))  # None: he was told that it is off
    off: bool = False  # he wants none


class Wish(SQLModel, table=True):
    """What a player wants otherwise than it usually is, or was asked about once."""

    player_id: int = Field(foreign_key="player.id", primary_key=True)
    what: str = Field(primary_key=True)  # "zone", or "reminders/" and a chair
    value: str = ""


class Spectator(SQLModel, table=True):
    """Somebody who gets the public reports, perhaps later than the players."""

    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(foreign_key="game.id", index=True)
    address: str
    delay_hours: int = 0
    reported: int = -1


class PressSent(SQLModel, table=True):
    """Words from one side to the others, kept for the campaign book."""

    __tablename__ = "press"
    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(foreign_key="game.id", index=True)
    side: str
    turn: int
    at: datetime = Field(sa_column=_time())
    text: str


class MailIn(SQLModel, table=True):
    """A mail that came: its raw bytes lie in the house, under `raw`."""

    __tablename__ = "mail_in"
    id: str = Field(default_factory=new_id, primary_key=True)
    box: str = ""  # the mailbox and its UIDVALIDITY,
    uid: int = 0  # and the UID there, so that it is fetched once
    message_id: str = Field(default="", index=True)
    digest: str = Field(index=True)  # of the raw bytes
    content: str = Field(default="", index=True)  # of what was written in it, for repeated sendings
    raw: str
    sender: str = Field(default="", index=True)
    subject: str = ""
    received: datetime = Field(sa_column=_time())
    state: str = Field(default="stored", index=True)  # stored, decided, done, silent, shunted
    why: str = ""  # the gate rule or verb that dealt with it, or what went wrong
    tries: int = 0
    game_id: str = Field(default="", index=True)
    side: str = ""
    line: int | None = None  # the log line it made
    line_hash: str = ""


class MailOut(SQLModel, table=True):
    """A mail to send. `key` says what it answers, so that it is queued once whatever happens."""

    __tablename__ = "mail_out"
    id: str = Field(default_factory=new_id, primary_key=True)
    key: str = Field(unique=True)  # "answer/<mail>", "report/<game>/<line>/<address>", "reminder/..."
    cause: str = Field(default="", index=True)  # the mail that made it, while it is held
    to: str = Field(index=True)
    game_id: str = Field(default="", index=True)
    message_id: str = ""
    subject: str = ""
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    state: str = Field(default="queued", index=True)  # held, queued, sent, failed
    tries: int = 0
    next_try: datetime = Field(sa_column=_time())
    queued: datetime = Field(sa_column=_time())
    sent: datetime | None = Field(default=None, sa_column=_time(null=True))
    error: str = ""


class Due(SQLModel, table=True):
    """What a side owes and by when: one row for each open ask."""

    __table_args__ = (UniqueConstraint("game_id", "side"),)
    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(foreign_key="game.id", index=True)
    side: str
    key: str  # the ask's key
    kind: str  # what the deadline rules call it: the stage, or "reply"
    prompt: str = ""
    asked: datetime = Field(sa_column=_time())
    due: datetime | None = Field(default=None, sa_column=_time(null=True))
    reminded: int = 0
