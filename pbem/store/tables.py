"""The database: the truth about people and mail. The log files are the truth about games."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from sqlalchemy import JSON, Column, DateTime, Index, LargeBinary, UniqueConstraint, text
from sqlmodel import Field, SQLModel

_CAUSED = text("cause <> ''")
_UNHEARD = text("unheard > 0")
_WHOLE = text("length(raw) > 0")  # those whose bytes are still kept; it is asked in these very words


def new_id() -> str:
    return uuid4().hex


def mail_address(address: str) -> str:
    """An address as it is compared: trimmed, in lower case."""
    return address.strip().strip("<>").casefold()


def without_tag(address: str) -> str:
    """The same without what stands behind a +, which is its owner's own business."""
    local, _, host = mail_address(address).rpartition("@")
    return f"{local.partition('+')[0]}@{host}"


def _time(*, null: bool = False) -> Any:
    return Column(DateTime(timezone=True), nullable=null)


def _waking() -> Any:
    return Column(DateTime(timezone=True), nullable=True, index=True)


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


class Duel(SQLModel, table=True):
    """Two games on one secret, each of one player, measured against each other turn by turn."""

    id: int | None = Field(default=None, primary_key=True)
    compared: int = 0  # the last turn that both have ended and been told of
    since: datetime | None = Field(default=None, sa_column=_time(null=True))  # the time for the next one runs from here
    ended: str = ""  # how it ended, in a sentence for both; their games may go on
    winner: str = ""  # the game whose player has won
    closed: bool = False  # both games are over, and the secret is out


class GameRow(SQLModel, table=True):
    """A game: invited, joined, lapsed, playing, paused, finished or abandoned."""

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
    pause_began: datetime | None = Field(default=None, sa_column=_time(null=True))  # the last pause that is over,
    pause_ended: datetime | None = Field(default=None, sa_column=_time(null=True))  # whose time was given back then
    duel_id: int | None = Field(default=None, foreign_key="duel.id", index=True)  # shared with one other game


class Seat(SQLModel, table=True):
    """A chair at a game: whoever holds its token speaks for its side."""

    __table_args__ = (
        UniqueConstraint("game_id", "side"),
        Index("ix_seat_unheard", "game_id", sqlite_where=_UNHEARD, postgresql_where=_UNHEARD),
    )
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
    unheard: int = 0  # how many deadlines running the clock has answered for him,
    unheard_since: int | None = None  # and the log line of the first of them


class FormerToken(SQLModel, table=True):
    """A token that a chair had: it opens nothing, but its player is told so."""

    __tablename__ = "former_token"
    token: str = Field(primary_key=True)
    seat_id: int = Field(foreign_key="seat.id", index=True)
    player_id: int = Field(foreign_key="player.id")


class SecondAddress(SQLModel, table=True):
    """Another address that may write for a chair, as long as the same player sits there."""

    __tablename__ = "second_address"
    id: int | None = Field(default=None, primary_key=True)
    seat_id: int = Field(foreign_key="seat.id", index=True)
    player_id: int = Field(foreign_key="player.id")
    address: str = Field(index=True)  # as `mail_address` makes it


class AddressRequest(SQLModel, table=True):
    """A new or a second address for a chair, until both addresses have confirmed it."""

    __tablename__ = "address_request"
    id: int | None = Field(default=None, primary_key=True)
    seat_id: int = Field(foreign_key="seat.id", unique=True)  # one at a time
    player_id: int = Field(foreign_key="player.id")
    address: str = Field(index=True)
    second: bool = False  # it is to write for the chair as well, not instead
    word: str = Field(default_factory=new_id)  # what the old address must say; empty: the moderator has vouched for it
    token: str = Field(default_factory=new_id)  # in the reply address of the letter to the new one
    confirmed: bool = False  # by the new address
    asked: datetime = Field(sa_column=_time())


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
    wake: datetime | None = Field(default=None, sa_column=_waking())  # when the next news is old enough for him
    token: str = Field(default_factory=new_id, index=True)  # whoever holds it may leave


class Invitation(SQLModel, table=True):
    """Somebody asked to sit on a chair: open, taken, declined, lapsed or withdrawn."""

    id: int | None = Field(default=None, primary_key=True)
    game_id: str = Field(foreign_key="game.id", index=True)
    seat_id: int = Field(foreign_key="seat.id", index=True)
    player_id: int = Field(foreign_key="player.id")
    token: str = Field(index=True)  # the chair's own, or the one it will have once he sits there
    state: str = Field(default="open", index=True)
    asked: datetime = Field(sa_column=_time())
    step: int = 0  # how far up the ladder: reminded, reported


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
    """A mail that came: its raw bytes lie in the house, under `raw`, until their term of keeping is over."""

    __tablename__ = "mail_in"
    __table_args__ = (Index("ix_mail_in_whole", "received", sqlite_where=_WHOLE, postgresql_where=_WHOLE),)
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
    state: str = Field(default="stored", index=True)  # stored, done, silent, shunted
    why: str = ""  # the gate rule or verb that dealt with it, or what went wrong
    tries: int = 0
    game_id: str = Field(default="", index=True)  # by the token in its address; none once it is turned away
    side: str = ""
    line: int | None = None  # the log line it made
    line_hash: str = ""


class MailOut(SQLModel, table=True):
    """A mail to send. `key` says what it answers, so that it is queued once whatever happens."""

    __tablename__ = "mail_out"
    __table_args__ = (Index("ix_mail_out_whole", "sent", sqlite_where=_WHOLE, postgresql_where=_WHOLE),)
    id: str = Field(default_factory=new_id, primary_key=True)
    key: str = Field(unique=True)  # "answer/<mail>", "report/<game>/<line>/<address>", "reminder/..."
    cause: str = Field(default="", index=True)  # of an earlier version; never read
    to: str = Field(index=True)
    game_id: str = Field(default="", index=True)
    message_id: str = ""
    subject: str = ""
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # empty when its term of keeping is over
    pictures: list[Any] = Field(default_factory=list, sa_column=Column(JSON, nullable=False))  # drawn when it is sent
    tells: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))  # of which lines
    state: str = Field(default="queued", index=True)  # queued, sent, failed, dropped
    tries: int = 0
    next_try: datetime = Field(sa_column=_time())
    queued: datetime = Field(sa_column=_time())
    sent: datetime | None = Field(default=None, sa_column=_time(null=True))
    error: str = ""


class LineDue(SQLModel, table=True):
    """A line that is decided and perhaps not yet in its log's file: whoever opens the game puts it there first."""

    __tablename__ = "line_due"
    game_id: str = Field(primary_key=True)
    n: int = Field(primary_key=True)
    row: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # the line as it is written; empty: it is there,
    drawer: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # and only what lies in the drawer has changed


class LogLine(SQLModel, table=True):
    """A line of a game's log, where logs lie in rows: as it is written, without the newline behind it."""

    __tablename__ = "log_line"
    __table_args__ = (
        Index(
            "ix_log_line_cause", "game_id", "cause", unique=True, sqlite_where=_CAUSED, postgresql_where=_CAUSED
        ),  # one input, one line
    )
    game_id: str = Field(primary_key=True)
    n: int = Field(primary_key=True)
    hash: str
    cause: str = ""
    row: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class Paper(SQLModel, table=True):
    """What lies beside a log, where logs lie in rows, under the name that its file has."""

    game_id: str = Field(primary_key=True)
    name: str = Field(primary_key=True)
    head: str = ""  # the hash of the line after which it was so, where that matters
    content: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class GameSecret(SQLModel, table=True):
    """Where the dice of a game come from, where logs lie in rows; apart, so that others can be kept out of it."""

    __tablename__ = "game_secret"
    game_id: str = Field(primary_key=True)
    secret: str


class RawMail(SQLModel, table=True):
    """A mail as it came, where mails lie in rows."""

    __tablename__ = "raw_mail"
    digest: str = Field(primary_key=True)
    raw: bytes = Field(sa_column=Column(LargeBinary, nullable=False))


class HouseRow(SQLModel, table=True):
    """One row, if there is anything to say of the house itself."""

    __tablename__ = "house"
    id: int = Field(default=1, primary_key=True)
    moved_to: str = ""  # where it is now: here nobody serves any more


class KeptLetter(SQLModel, table=True):
    """The words of a letter, kept until its game is over: what a reply quotes is held against them."""

    __tablename__ = "kept_letter"
    id: str = Field(primary_key=True)  # the mail's own in the outbox
    game_id: str = Field(index=True)
    to: str
    message_id: str = Field(index=True)
    subject: str = ""
    key: str = ""  # of what it asked
    text: bytes = Field(sa_column=Column(LargeBinary, nullable=False))  # the twins, without pictures, packed
    markup: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    queued: datetime = Field(sa_column=_time())


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
    outage: int | None = None  # the last outage that has moved it,
    moved: int = 0  # and by how many seconds
    wake: datetime | None = Field(default=None, sa_column=_waking())  # when the clock next wants it; a bot's: at once


class Pulse(SQLModel, table=True):
    """One row: when the service was last known to be well, so that it knows afterwards for how long it was not."""

    id: int = Field(default=1, primary_key=True)
    ran: datetime = Field(sa_column=_time())  # by the wall clock,
    monotonic: float = 0.0  # and by the one that never jumps
    fetched: datetime | None = Field(default=None, sa_column=_time(null=True))
    sent: datetime | None = Field(default=None, sa_column=_time(null=True))
    up: datetime | None = Field(default=None, sa_column=_time(null=True))  # when all of it worked


class Outage(SQLModel, table=True):
    """A time without mail service, by which deadlines have been moved; or a clock that was put back."""

    id: int | None = Field(default=None, primary_key=True)
    since: datetime = Field(sa_column=_time())
    until: datetime = Field(sa_column=_time())
    why: str = ""
    told: bool = False  # all that it concerns have their letters
