"""Sending what is due.

A mail is marked `sent` when the relay has taken it. A crash or a broken line just before that leaves it open whether
the relay has it; SMTP has no way to ask. Such a mail is sent again, the same bytes under the same Message-ID, by which
mailboxes tell that they have it. At every other point it is sent once.
"""

from collections.abc import Callable
from datetime import timedelta

from sqlmodel import Session, col, select

from pbem.house import House
from pbem.outbox.notice import tell_moderator
from pbem.outbox.transport import RelayUnreachable, Transport, Undelivered
from pbem.outbox.verp import envelope_sender
from pbem.store import MailOut

# Minutes before the second try, the third, ...: ten tries in three and a half days, as mail servers do.
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720, 1440, 1440))
MOST_TRIES = len(WAITS) + 1
BATCH = 100
LONGEST = 10  # minutes that a relay may take over a mail before another worker sends it, too

Teller = Callable[[House, Session, MailOut], None]


async def send_due(
    house: House, transport: Transport, tell: Teller = tell_moderator, stopping: Callable[[], bool] = lambda: False
) -> int:
    """Sends every queued mail whose time has come, oldest first; gives how many were sent."""
    sent = 0
    ours = True
    while ours and (ids := _due(house)):
        ours = False  # until one is: what others have in hand is theirs to send
        for id_ in ids:
            if stopping():
                return sent
            with house.cabinet.claim(f"letter/{id_}", minutes=LONGEST) as claimed:
                ours = ours or claimed
                try:
                    sent += await _send(house, transport, id_, tell) if claimed else 0
                except RelayUnreachable:
                    return sent  # nobody's fault: no mail loses a try by it
    return sent


def _due(house: House) -> list[str]:
    with house.database.reading() as session:
        due = select(MailOut.id).where(MailOut.state == "queued", MailOut.next_try <= house.clock())
        return list(session.exec(due.order_by(col(MailOut.queued), col(MailOut.id)).limit(BATCH)).all())


async def _send(house: House, transport: Transport, id_: str, tell: Teller) -> bool:
    with house.database.reading() as session:
        mail = session.get(MailOut, id_)
    if mail is None or mail.state != "queued":
        return False
    sender = envelope_sender(house.settings.address, id_)
    try:
        await transport.send(sender, mail.to, mail.raw)
    except Undelivered as problem:
        _failed(house, id_, problem, tell)
        return False
    with house.database.begin() as session:
        mail = session.get_one(MailOut, id_)
        mail.state, mail.sent, mail.error = "sent", house.clock(), ""
        mail.tries += 1
    return True


def _failed(house: House, id_: str, problem: Undelivered, tell: Teller) -> None:
    with house.database.begin() as session:
        mail = session.get_one(MailOut, id_)
        mail.tries += 1
        mail.error = str(problem)
        if problem.permanent or mail.tries >= MOST_TRIES:
            mail.state = "failed"
            tell(house, session, mail)
        else:
            mail.next_try = house.clock() + WAITS[mail.tries - 1]
