"""Mail from somebody who plays in no game is answered once a day, with one sentence that gives nothing away."""

from datetime import UTC, timedelta

from sqlmodel import col, select

from pbem.gate.arrival import Arrival, TurnedAway
from pbem.gate.confirmation import request_of
from pbem.gate.duplicate import BEFORE, before
from pbem.store import MailIn
from pbem.store.whose import is_known

DAY = timedelta(days=1)
SUBJECT = "Your mail to Fieldpost"  # nothing of a stranger's goes out again in our name


def judge(arrival: Arrival) -> TurnedAway | None:
    """The same words whatever the mail said: an outsider learns of no game and no player."""
    if is_known(arrival.session, arrival.mail.sender, arrival.house.settings.moderator) or request_of(arrival):
        return None
    if why := _answered_enough(arrival):
        return TurnedAway("unknown_sender", "silent", why)
    return TurnedAway.told("unknown_sender", "answer")


def _answered_enough(arrival: Arrival) -> str:
    """From is easily forged: whoever is imitated would get the answers, and strangers in their hundreds, too."""
    mail, most = arrival.mail, arrival.house.settings.limits.strangers_a_day
    since = mail.received.astimezone(UTC) - DAY
    answered = select(MailIn.sender).where(MailIn.why == "unknown_sender", MailIn.state == "done", BEFORE)
    answered = answered.where(col(MailIn.received) > since).limit(most)
    senders = arrival.session.exec(answered, params=before(mail)).all()
    if mail.sender in senders:
        return "a stranger gets one answer a day"
    if len(senders) >= most:
        return f"strangers get {most} answers a day, all together"
    return ""
