"""The same words over and over, and nothing ever comes of them: a machine that does not say that it is one.

No rule of its own: the rules that answer ask here before they do, and so does the desk when it found nothing to do.
"""

from datetime import UTC, timedelta

from sqlmodel import col, select

from pbem.gate.arrival import SENTENCES, Arrival, TurnedAway
from pbem.gate.duplicate import BEFORE, before
from pbem.inbox.incoming import Incoming
from pbem.store import MailIn

MOST = 3  # times that two machines may meet
LATELY = timedelta(days=7)
NOTHING = "nothing understood"  # why the desk's answer to a mail was its end
ENOUGH = 300  # letters by which two texts are known for the same
OTHERS = 20  # mails that are looked at

SILENT = f"the same words came {MOST} times before, and nothing came of them"
LAST: str = SENTENCES["echo"]["last"]


def spare(found: TurnedAway, arrival: Arrival) -> TurnedAway:
    """What a rule would answer, unless it has answered the same often enough: a forgery harms no other mail."""
    return found if times_before(arrival, found.rule) < MOST else TurnedAway("echo", "silent", SILENT)


def times_before(arrival: Arrival, why: str = NOTHING) -> int:
    """How often these words have been answered already: by the desk, which found nothing in them, or by a rule."""
    mail = arrival.mail
    since = mail.received.astimezone(UTC) - LATELY
    rows = select(MailIn).where(MailIn.sender == mail.sender, col(MailIn.received) >= since, BEFORE)
    rows = rows.where(MailIn.state == "done", MailIn.why == why).order_by(col(MailIn.received).desc()).limit(OTHERS)
    found = arrival.session.exec(rows, params=before(mail)).all()
    gist = gist_of(mail) if len(found) >= MOST - 1 else ""  # fewer are too few to count
    return sum(gist_of(one) == gist for one in arrival.once_more(found)) if gist else 0


def gist_of(mail: Incoming) -> str:
    """What a mail says, by its letters alone: a machine counts and dates what it writes, and quotes what it answers."""
    if mail.message is None:
        return ""
    for part in mail.message.walk():
        if part.get_content_maintype() != "text":
            continue
        payload = part.get_payload(decode=True)
        text = payload.decode("utf-8", "replace") if isinstance(payload, bytes) else ""
        own = (line for line in text.splitlines() if not line.lstrip().startswith(">"))
        return "".join(c for line in own for c in line if c.isalpha()).casefold()[:ENOUGH]
    return ""
