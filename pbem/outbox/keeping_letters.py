"""The words of every letter of a game, kept until it is over: replies quote them, with orders typed into them."""

import zlib

from sqlalchemy import delete
from sqlmodel import Session, col

from pbem.store import GameRow, KeptLetter, MailOut

NEWLINE = "\n"
QUICK = 1  # how hard they are pressed: few are ever read again, and each mail waits for it
OVER = ("finished", "abandoned")


def keep(session: Session, row: MailOut, twins: tuple[str, str], key: str) -> None:
    """Keeps the twins of a letter that can be answered, without pictures; nothing of a game that is over is kept."""
    game = session.get(GameRow, row.game_id) if row.game_id else None
    if game is None:
        return
    if game.state in OVER:
        session.flush()  # those of this very mail too
        session.exec(delete(KeptLetter).where(col(KeptLetter.game_id) == game.id))
        return
    text, markup = (zlib.compress(f"{twin.removesuffix(NEWLINE)}{NEWLINE}".encode(), QUICK) for twin in twins)
    same = row.model_dump(include={"id", "game_id", "to", "message_id", "subject", "queued"})
    session.add(KeptLetter(**same, key=key, text=text, markup=markup))


def keep_again(session: Session, id_: str, again: MailOut) -> None:
    """The same letter sent under another number can be answered too."""
    kept = session.get(KeptLetter, id_)
    if kept is not None:
        session.add(KeptLetter(**{**kept.model_dump(), "id": again.id, "message_id": again.message_id}))


def twins(kept: KeptLetter) -> tuple[str, str]:
    """The text and the HTML of a letter, as they were sent."""
    return zlib.decompress(kept.text).decode(), zlib.decompress(kept.markup).decode()
