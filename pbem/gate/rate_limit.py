"""So many mails an hour from one sender; the first over the limit is told so, the rest are not."""

from dataclasses import replace
from datetime import UTC
from functools import cache

from sqlalchemy import bindparam
from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from pbem.gate.arrival import SENTENCES, Arrival, TurnedAway
from pbem.gate.duplicate import BEFORE, SENDER, before
from pbem.inbox.incoming import Incoming
from pbem.store import MailIn

# What anybody can send under another's name; it must not use up the allowance of the one who is imitated.
IMITATIONS = (
    *("too_large", "unreadable", "loop", "auto_reply", "bounce", "duplicate"),
    *("echo", "spam", "unknown_sender", "bare_address", "token", "authentication"),
)


def judge(arrival: Arrival) -> TurnedAway | None:
    """Counts the mails that came with the right token, and with proof where it is asked for."""
    most = arrival.house.settings.limits.mails_an_hour
    earlier = _earlier(arrival, but=IMITATIONS)
    if earlier < most:
        return None
    if earlier > most:
        return TurnedAway("rate_limit", "silent", f"more than {most} mails from one sender within the hour")
    return TurnedAway.told("rate_limit", "answer", most=most, until=_end_of_hour(arrival.mail))


def spare(found: TurnedAway, arrival: Arrival) -> TurnedAway:
    """For what another rule would answer every mail counts: nobody is to be flooded by our answers."""
    most = arrival.house.settings.limits.mails_an_hour
    earlier = _earlier(arrival)
    if earlier > most:
        return replace(found, action="silent")
    if earlier < most or found.action != "answer":
        return found
    last = SENTENCES["rate_limit"]["last"].format(most=most, until=_end_of_hour(arrival.mail))
    return replace(found, say=f"{found.say} {last}")


def _earlier(arrival: Arrival, but: tuple[str, ...] = ()) -> int:
    """How many came before it in the same hour of the clock; counting stops just over the limit."""
    mail = arrival.mail
    hour = mail.received.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    most = arrival.house.settings.limits.mails_an_hour + 1
    said = {"sender": mail.sender, "hour": hour, **before(mail)}
    return len(arrival.session.exec(_came(but, most), params=said).all())


@cache
def _came(but: tuple[str, ...], most: int) -> SelectOfScalar[str]:
    came = select(MailIn.id).where(SENDER, col(MailIn.received) >= bindparam("hour"), BEFORE)
    return (came.where(col(MailIn.why).not_in(but)) if but else came).limit(most)


def _end_of_hour(mail: Incoming) -> str:
    return f"{(mail.received.astimezone(UTC).hour + 1) % 24:02d}:00 UTC"
