"""Taking mail in: the bytes, then the row, then the mark on the server; a crash in between repeats, never loses."""

from collections.abc import Collection, Sequence
from typing import Protocol

from sqlmodel import Session, col, select

from pbem.house import House
from pbem.house.crash_points import AFTER_STORE, reached
from pbem.inbox.inbox import Fetched, Known
from pbem.inbox.incoming import content_of, open_mail
from pbem.store import MailIn
from pbem.store.whose import lane_of


class Mailboxes(Protocol):
    """Where mail may lie."""

    def fetch(self, known: Known) -> list[Fetched]: ...

    def dealt_with(self, box: str, *uids: int) -> None: ...


CHUNK = 500  # UIDs in one question to the database


def store_new(house: House, inbox: Mailboxes) -> int:
    """Stores all mail that has come and marks it on the server; gives how many are new."""
    stored = 0
    seen: set[tuple[str, int]] = set()  # a server that keeps no marks shows a mail again at once

    def known(box: str, uids: Sequence[int]) -> Collection[int]:
        return _known(house, box, uids) | {uid for uid in uids if (box, uid) in seen}

    while fetched := inbox.fetch(known):
        stored += store(house, fetched)
        box = fetched[0][0]
        uids = [uid for _, uid, _ in fetched]
        seen.update((box, uid) for uid in uids)
        inbox.dealt_with(box, *uids)
    return stored


def store(house: House, fetched: Sequence[Fetched]) -> int:
    """Stores mails durably, all or none; those whose very bytes are here (under another UID) are not counted."""
    new = 0
    with house.database.begin() as session:
        for box, uid, raw in fetched:
            place, digest = house.cabinet.keep_raw(session, raw)
            if not _moved(session, digest, box, uid):
                session.add(row_of(house, session, box, uid, raw, place, digest))
                new += 1
        house.cabinet.ring(session)
    reached(AFTER_STORE)
    return new


def row_of(house: House, session: Session, box: str, uid: int, raw: bytes, place: str, digest: str) -> MailIn:
    """What is written down of a mail whose bytes are kept."""
    # By its bytes: the cause of a line names the mail, and is all that is left of it if the database is lost.
    mail = open_mail(digest[:32], raw, house.clock(), house)
    return MailIn(
        id=mail.id,
        box=box,
        uid=uid,
        message_id=_plain(mail.message_id),
        digest=digest,
        content=content_of(mail),
        raw=place,
        sender=_plain(mail.sender),
        subject=_plain(mail.subject),
        received=mail.received,
        game_id=lane_of(session, mail.tags),
    )


def _plain(text: str) -> str:
    """Text that every database takes: a header may hold half a character, or a zero."""
    return text.encode("utf-8", "replace").decode("utf-8").replace("\0", "?")


def _moved(session: Session, digest: str, box: str, uid: int) -> bool:
    """A mail has one row however often its server numbers it anew: the row learns its latest number."""
    row = session.exec(select(MailIn).where(MailIn.digest == digest)).first()
    if row is None:
        return False
    row.box, row.uid = box, uid
    return True


def _known(house: House, box: str, uids: Sequence[int]) -> set[int]:
    found: set[int] = set()
    with house.database.reading() as session:
        for start in range(0, len(uids), CHUNK):
            some = uids[start : start + CHUNK]
            found.update(session.exec(select(MailIn.uid).where(MailIn.box == box, col(MailIn.uid).in_(some))).all())
    return found
