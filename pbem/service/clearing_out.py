"""Nothing grows for ever: bytes whose term of keeping is over go, a few at a wake; what is known of them stays."""

from datetime import datetime, timedelta

from sqlalchemy import text, update
from sqlalchemy.orm import aliased
from sqlmodel import col, or_, select

from pbem.house import House
from pbem.store import GameRow, MailIn, MailOut
from pbem.store.whose import OVER

BATCH = 200  # at a wake
WHOLE = text("length(raw) > 0")  # as their indexes have it
WHOLE_MAIL = text("length(mail_in.raw) > 0")
# What came back may be sent once more, what is set aside be tried again. Not `== "sent"` and the like: SQLite would
# look through all that ever were.
WANTED = ("failed", "queued")
OPEN = ("stored", "shunted")
A_DAY = timedelta(days=1)


class ClearingOut:
    """Once a day everything is looked at; while there is more to do, at every wake."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._next: datetime | None = None

    def clear(self) -> int:
        """Gives how many letters and mails have been emptied."""
        now = self.house.clock()
        if self._next is not None and self._next - A_DAY <= now < self._next:
            return 0
        letters, mails = empty_letters(self.house, now), empty_mails(self.house, now)
        if letters < BATCH and mails < BATCH:
            self._next = now + A_DAY
        return letters + mails


def empty_letters(house: House, now: datetime) -> int:
    """Letters that were sent long ago are not kept whole; gives how many were emptied."""
    days = house.settings.keeping.letter_days
    if not days:
        return 0
    with house.database.begin() as session:
        old = select(MailOut.id).where(WHOLE, col(MailOut.sent) <= now - timedelta(days=days))
        old = old.where(col(MailOut.state).not_in(WANTED)).order_by(col(MailOut.sent)).limit(BATCH)
        found = session.exec(old).all()
        session.exec(update(MailOut).where(col(MailOut.id).in_(found)).values(raw=b""))
    return len(found)


def empty_mails(house: House, now: datetime) -> int:
    """Mails of games that are long over, and of none, are not kept as they came; gives how many were emptied.

    What is set aside, or not dealt with yet, is kept.
    """
    days = house.settings.keeping.mail_days
    if not days:
        return 0
    until, later = now - timedelta(days=days), aliased(MailIn)
    goes_on = select(later.id).where(later.game_id == MailIn.game_id, col(later.received) > until).exists()
    over = col(GameRow.state).in_(OVER) & ~goes_on
    mails = (
        select(MailIn)
        .join(GameRow, col(GameRow.id) == col(MailIn.game_id), isouter=True)
        .where(WHOLE_MAIL, col(MailIn.received) <= until, col(MailIn.state).not_in(OPEN))
        .where(or_(col(GameRow.id).is_(None), over))
    )
    with house.database.begin() as session:
        found = session.exec(mails.order_by(col(MailIn.received)).limit(BATCH)).all()
        for mail in found:
            others = select(MailIn.id).where(MailIn.digest == mail.digest, MailIn.id != mail.id, MailIn.raw == mail.raw)
            if session.exec(others.limit(1)).first() is None:
                house.cabinet.drop_raw(session, mail.raw)  # first: bytes that no row knows of would never go
            mail.raw = ""
    return len(found)
