"""What the post office remembers about people and mail."""

from pbem.store.database import Database, utc
from pbem.store.tables import (
    AddressRequest,
    CalendarEntry,
    Due,
    Duel,
    FormerToken,
    GameRow,
    GameSecret,
    HouseRow,
    Invitation,
    KeptLetter,
    LineDue,
    LogLine,
    MailIn,
    MailOut,
    Outage,
    Paper,
    Player,
    PressSent,
    Pulse,
    RawMail,
    Seat,
    SecondAddress,
    Spectator,
    Wish,
    mail_address,
    new_id,
    without_tag,
)

__all__ = [
    "AddressRequest", "CalendarEntry", "Database", "Due", "Duel", "FormerToken", "GameRow",
    "GameSecret", "HouseRow", "Invitation", "KeptLetter", "LineDue", "LogLine", "MailIn", "MailOut", "Outage", "Paper",
    "Player", "PressSent", "Pulse", "RawMail", "Seat", "SecondAddress", "Spectator", "Wish", "mail_address", "new_id",
    "utc", "without_tag",
]  # fmt: skip
