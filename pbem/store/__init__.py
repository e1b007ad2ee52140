"""What the post office remembers about people and mail."""

from pbem.store.database import Database
from pbem.store.tables import (
    AddressRequest,
    Due,
    FormerToken,
    GameRow,
    MailIn,
    MailOut,
    Player,
    PressSent,
    Seat,
    SecondAddress,
    Spectator,
    mail_address,
    new_id,
)

__all__ = [
    "AddressRequest",
    "Database",
    "Due",
    "FormerToken",
    "GameRow",
    "MailIn",
    "MailOut",
    "Player",
    "PressSent",
    "Seat",
    "SecondAddress",
    "Spectator",
    "mail_address",
    "new_id",
]
