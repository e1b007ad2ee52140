"""Letters as their readers get them: with all that is drawn when they are sent."""

from __future__ import annotations

from collections.abc import Sequence
from weakref import WeakKeyDictionary

from sqlmodel import Session

from pbem.house import House
from pbem.outbox.easel import Easel
from pbem.store import MailOut

_DRAWN: WeakKeyDictionary[House, dict[str, bytes]] = WeakKeyDictionary()


def as_sent(house: House, session: Session, rows: Sequence[MailOut]) -> list[MailOut]:
    """The rows, taken out of a session that reads, each with the mail as it is handed to the relay; drawn once."""
    drawn = _DRAWN.setdefault(house, {})
    for row in rows:
        if row.pictures and row.raw and row.id not in drawn:
            drawn[row.id], _ = Easel(house, session).finished(row)
    session.expunge_all()
    for row in rows:
        row.raw = drawn.get(row.id, row.raw) if row.raw else row.raw
    return list(rows)
