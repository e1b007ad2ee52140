"""The same mail twice, and the same orders sent twice, are carried out once."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, timedelta
from typing import Any

from sqlalchemy import bindparam
from sqlmodel import and_, col, or_, select

from pbem.gate.arrival import Arrival, TurnedAway
from pbem.inbox.incoming import Incoming, content_of
from pbem.store import MailIn

# The mails that came before one, in an order that is the same each time it is asked.
BEFORE = or_(
    col(MailIn.received) < bindparam("received"),
    and_(col(MailIn.received) == bindparam("received"), col(MailIn.id) < bindparam("id")),
)
SENDER = col(MailIn.sender) == bindparam("sender")
SAME_BYTES = select(MailIn).where(col(MailIn.digest) == bindparam("digest"), BEFORE).limit(1)
COPIES = select(MailIn).where(col(MailIn.message_id) == bindparam("message_id"), SENDER, BEFORE).limit(20)
LATELY = (
    select(MailIn)
    .where(SENDER, BEFORE, col(MailIn.received) >= bindparam("since"), col(MailIn.line).is_not(None))
    .order_by(col(MailIn.received).desc())
    .limit(10)
)
SHORTLY = timedelta(minutes=10)  # within this time the same reply is a second press of the button


def judge(arrival: Arrival) -> TurnedAway | None:
    """A second copy of a mail has had its answer; a second mail with the same orders gets one of its own."""
    first = _same_mail(arrival)
    if first is not None:
        return TurnedAway("duplicate", "silent", f"another copy of mail {first.id}", {"first": first.id})
    first = _same_orders(arrival)
    return TurnedAway.told("duplicate", "answer", first=first.id, line=first.line) if first is not None else None


def before(mail: Incoming) -> dict[str, Any]:
    """What `BEFORE` is asked of a mail with."""
    return {"received": mail.received.astimezone(UTC), "id": mail.id}


def _same_mail(arrival: Arrival) -> MailIn | None:
    mail, session = arrival.mail, arrival.session
    if not mail.message_id:
        digest = hashlib.sha256(mail.raw).hexdigest()
        return session.exec(SAME_BYTES, params={"digest": digest, **before(mail)}).first()
    said = {"message_id": mail.message_id, "sender": mail.sender, **before(mail)}
    return _with_content(session.exec(COPIES, params=said).all(), mail, arrival)


def _same_orders(arrival: Arrival) -> MailIn | None:
    """Only replies are compared: two phases of a game may well be closed with the same word."""
    mail = arrival.mail
    if mail.message is None or "In-Reply-To" not in mail.message:
        return None
    since = mail.received.astimezone(UTC) - SHORTLY
    said = {"sender": mail.sender, "since": since, **before(mail)}
    return _with_content(arrival.session.exec(LATELY, params=said).all(), mail, arrival)


def _with_content(rows: Sequence[MailIn], mail: Incoming, arrival: Arrival) -> MailIn | None:
    """The first of these mails that says the same; a row need not have noted what its mail says."""
    content = content_of(mail) if rows else ""
    noted = ((row, row.content or "".join(map(content_of, arrival.once_more([row])))) for row in rows)
    return next((row for row, said in noted if said == content), None)
