"""What the mail provider marked as spam gets no answer, unless it opens a chair."""

import re

from pbem.gate.arrival import MARKS, Arrival, TurnedAway
from pbem.inbox.incoming import Incoming


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
    for name, pattern in MARKS["spam"].items():
        for value in mail.message.get_all(name, []):
            if re.match(pattern, " ".join(str(value).split()), re.I):
                return f"marked as spam ({name})"
    return ""
