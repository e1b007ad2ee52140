"""What the post office remembers about people and mail."""

from pbem.store.database import Database
from pbem.store.tables import (
    CalendarEntry,
    Due,
    GameRow,
    Invitation,
    MailIn,
    MailOut,
    Outage,
    Player,
    PressSent,
    Pulse,
    Seat,
    Spectator,
    Wish,
    mail_address,
    new_id,
)

__all__ = [
    "CalendarEntry", "Database", "Due", "GameRow", "Invitation", "MailIn", "MailOut", "Outage", "Player", "PressSent",
    "Pulse", "Seat", "Spectator", "Wish", "mail_address", "new_id",
]  # fmt: skip
