"""What the post office remembers about people and mail."""

from pbem.store.database import Database
from pbem.store.tables import (
    CalendarEntry,
    Due,
    GameRow,
    MailIn,
    MailOut,
    Player,
    PressSent,
    Seat,
    Spectator,
    Wish,
    mail_address,
    new_id,
)

__all__ = [
    "CalendarEntry",
    "Database",
    "Due",
    "GameRow",
    "MailIn",
    "MailOut",
    "Player",
    "PressSent",
    "Seat",
    "Spectator",
    "Wish",
    "mail_address",
    "new_id",
]
