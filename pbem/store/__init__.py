"""What the post office remembers about people and mail."""

from pbem.store.database import Database
from pbem.store.tables import (
    AddressRequest,
    CalendarEntry,
    Due,
    Duel,
    FormerToken,
    GameRow,
    Invitation,
    KeptLetter,
    LineDue,
    MailIn,
    MailOut,
    Outage,
    Player,
    PressSent,
    Pulse,
    Seat,
    SecondAddress,
    Spectator,
    Wish,
    mail_address,
    new_id,
)

__all__ = [
    "AddressRequest", "CalendarEntry", "Database", "Due", "Duel", "FormerToken", "GameRow", "Invitation",
    "KeptLetter", "LineDue", "MailIn", "MailOut", "Outage", "Player", "PressSent", "Pulse", "Seat", "SecondAddress",
    "Spectator", "Wish", "mail_address", "new_id",
]  # fmt: skip
