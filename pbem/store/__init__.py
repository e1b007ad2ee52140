"""What the post office remembers about people and mail."""

from pbem.store.database import Database
from pbem.store.tables import Due, GameRow, KeptLetter, MailIn, MailOut, Player, Seat, Spectator, mail_address, new_id

__all__ = [
    "Database", "Due", "GameRow", "KeptLetter", "MailIn", "MailOut", "Player", "Seat", "Spectator", "mail_address",
    "new_id",
]  # fmt: skip
