"""Mail that a machine wrote is not answered (RFC 3834)."""

import re
from datetime import UTC, timedelta
from email.message import EmailMessage

from sqlmodel import col, select

from pbem.gate.arrival import MARKS, Arrival, TurnedAway
from pbem.gate.bounce import may_be_a_bounce
from pbem.store import MailOut

AT_ONCE = timedelta(minutes=2)  # nobody reads a report, goes on holiday and says so faster
MACHINE = MARKS["machine"]
AWAY = re.compile(rf"\s*(re:|aw:|fwd?:)?\s*({'|'.join(MACHINE['away'])})", re.I)


def judge(arrival: Arrival) -> TurnedAway | None:
    """Headers decide; a subject that says so is only a hint and needs the speed of a machine beside it."""
    mail = arrival.mail
    if mail.message is None or may_be_a_bounce(mail):
        return None  # reports of failed delivery call themselves auto-replied, and must still be heard
    why = _sign_of_a_machine(mail.message, mail.sender)
    if not why and AWAY.match(mail.subject) and _came_at_once(arrival):
        why = "its subject speaks of absence, and it came at once upon a letter of ours"
    return TurnedAway("auto_reply", "silent", why) if why else None


def _sign_of_a_machine(message: EmailMessage, sender: str) -> str:
    submitted = _words(message, "Auto-Submitted")
    if submitted and submitted[0] != "no":
        return f"Auto-Submitted: {submitted[0]}"
    for precedence in _words(message, "Precedence"):
        if precedence in MACHINE["precedences"]:
            return f"Precedence: {precedence}"
    if not set(MACHINE["suppressed"]).isdisjoint(_words(message, "X-Auto-Response-Suppress")):
        return "it asks not to be answered (X-Auto-Response-Suppress)"
    for name in MACHINE["marks"]:
        if name in message:
            return f"a machine's mark ({name})"
    if message.get_content_type() == "multipart/report":
        return "a report that a machine made, such as a receipt"
    if re.fullmatch(MACHINE["senders"], sender.rpartition("@")[0], re.I):
        return "its sender takes no mail"
    return ""


def _words(message: EmailMessage, header: str) -> list[str]:
    """A header's words in lower case, without comments."""
    text = " ".join(str(value) for value in message.get_all(header, []))
    return [word for word in re.split(r"[\s,;]+", re.sub(r"\([^()]*\)", " ", text).lower()) if word]


def _came_at_once(arrival: Arrival) -> bool:
    mail = arrival.mail
    received = mail.received.astimezone(UTC)
    ours = (
        select(MailOut.id)
        .where(MailOut.to == mail.sender, col(MailOut.sent).is_not(None))
        .where(col(MailOut.sent) >= received - AT_ONCE, col(MailOut.sent) <= received)
    )
    return arrival.session.exec(ours.limit(1)).first() is not None
