"""What the mail provider marked as spam gets no answer, unless it opens a chair."""

import re

from pbem.gate.arrival import Arrival, TurnedAway
from pbem.inbox.incoming import Incoming

# By header: what it says of spam. Who marks his own mail so harms nobody but himself, so any such mark will do.
MARKS = {
    "X-Spam-Flag": r"yes\b",
    "X-Spam-Status": r"yes\b",
    "X-Spam": r"(yes|true|spam)\b",
    "X-Rspamd-Action": r"(reject|add header|rewrite subject)\b",
    "X-MS-Exchange-Organization-SCL": r"[5-9]\b",
    "X-Forefront-Antispam-Report": r".*\bSFV:(SPM|SKB|BLK)\b",
    "X-Microsoft-Antispam-Mailbox-Delivery": r".*\bdest:J\b",
    "X-GMX-Antispam": r"[1-9]",
    "X-YMail-ISG-Verdict": r"spam\b",
    "Authentication-Results": r".*\b(x-)?(spam|antispam|vade)\s*=\s*(yes|spam|fail)\b",
}


def judge(arrival: Arrival) -> TurnedAway | None:
    """A player's mail to his own chair is heard whatever a filter thinks of it: nobody guesses a token."""
    why = sign_of_spam(arrival.mail)
    if not why or arrival.chairs:
        return None
    return TurnedAway("spam", "silent", why)


def sign_of_spam(mail: Incoming) -> str:
    """The first mark, in words."""
    if mail.message is None:
        return ""
    for name, pattern in MARKS.items():
        for value in mail.message.get_all(name, []):
            if re.match(pattern, " ".join(str(value).split()), re.I):
                return f"marked as spam ({name})"
    return ""
