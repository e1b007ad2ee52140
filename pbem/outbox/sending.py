"""Sending what is due: what a letter refers to is drawn now, and the rule of weight applied.

A mail is marked `sent` when the relay has taken it. A crash or a broken line just before that leaves it open whether
the relay has it; SMTP has no way to ask. Such a mail is sent again, the same bytes under the same Message-ID, by which
mailboxes tell that they have it. At every other point it is sent once.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

import structlog
from sqlalchemy import update
from sqlmodel import Session, col, select

from pbem.house import House
from pbem.outbox.easel import TOO_HEAVY, Easel
from pbem.outbox.notice import tell_moderator, tell_undrawn
from pbem.outbox.transport import RelayUnreachable, Transport, Undelivered
from pbem.outbox.verp import envelope_sender
from pbem.store import MailOut, Seat
from pbem.store.database_troubles import trouble_of

# Minutes before the second try, the third, ...: ten tries in three and a half days, as mail servers do.
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720, 1440, 1440))
MOST_TRIES = len(WAITS) + 1
BATCH = 100
DRAWING_TRIES = 3  # then it goes without what cannot be drawn
MAP = "map.png"
LONGEST = 10  # minutes that a relay may take over a mail before another worker sends it, too

_log = structlog.get_logger()

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
    try:
        to, raw, missing = _finished(house, id_)
        if not to:
            return False
        await transport.send(envelope_sender(house.settings.address, id_), to, raw)
    except Undelivered as problem:
        _failed(house, id_, problem, tell)
        return False
    with house.database.begin(single=not missing) as session:
        gone = update(MailOut).where(col(MailOut.id) == id_)  # all of it need not be read again
        session.exec(gone.values(state="sent", sent=house.clock(), error="", tries=MailOut.tries + 1))
        if missing:
            _without(house, session, session.get_one(MailOut, id_), missing)
    return True


def _finished(house: House, id_: str) -> tuple[str, bytes, dict[str, str]]:
    """To whom a waiting mail goes, and all of it, or after some tries what can be drawn of it. Raises Undelivered."""
    with house.database.reading() as session:
        mail = session.get(MailOut, id_)
        if mail is None or mail.state != "queued":
            return "", b"", {}
        try:
            return mail.to, *Easel(house, session).finished(mail, patient=mail.tries >= DRAWING_TRIES)
        except Exception as problem:
            if trouble_of(problem) is not None:
                raise
            _log.error("a letter could not be drawn", letter=id_, problem=repr(problem))
            raise Undelivered(0, f"it could not be drawn: {problem!r}") from problem


def _without(house: House, session: Session, mail: MailOut, missing: Mapping[str, str]) -> None:
    """A map that was too heavy is due with the next letter; of what could not be drawn the moderator is told."""
    if missing.get(MAP) == TOO_HEAVY:
        (sketch,) = (sketch for sketch in mail.pictures if sketch["name"] == MAP)
        had = update(Seat).where(col(Seat.game_id) == sketch["game"], col(Seat.side) == sketch["side"])
        session.exec(had.where(col(Seat.map_sent) == sketch["content"]).values(map_sent=""))
    if undrawn := {name: why for name, why in missing.items() if why != TOO_HEAVY}:
        tell_undrawn(house, session, mail, undrawn)


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
