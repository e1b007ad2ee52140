"""What the post office remembers about people and mail."""

from pbem.store.database import Database
from pbem.store.tables import Due, GameRow, MailIn, MailOut, Player, PressSent, Seat, Spectator, mail_address, new_id

__all__ = [
    "Database", "Due", "GameRow", "MailIn", "MailOut", "Player", "PressSent", "Seat",
    "Spectator", "mail_address", "new_id",
]  # fmt: skip
