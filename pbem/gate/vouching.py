"""What a mailbox allows: whose word about senders stands on the mails that came there."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage

from pbem.gate.authentication import PROOFS, read_stamp
from pbem.house.settings import Limits


@dataclass(frozen=True)
class Vouching:
    """The strongest setting that the mails of a mailbox bear out."""

    mails: int  # that were looked at
    policy: str = "off"  # as `limits.authentication` calls it
    host: str = ""  # whose stamp it is, for "trusted header"
    bear_it: int = 0  # mails that have it

    def in_words(self) -> str:
        if not self.mails:
            return "There is no mail in the mailbox yet, so nobody knows who vouches for senders there."
        if self.policy == "trusted header":
            return f"{self.bear_it} of the last {self.mails} mails bear the word of {self.host} about their senders."
        if self.policy == "dkim":
            return f"{self.bear_it} of the last {self.mails} mails are signed by DKIM, which can be checked here."
        return f"Nobody vouches for the senders of the last {self.mails} mails there: the token must do."

    def settings(self) -> str:
        """The lines of the settings file."""
        lines = [f'authentication = "{self.policy}"']
        return "\n".join([*lines, f'trusted_host = "{self.host}"'] if self.host else lines)

    def is_better_than(self, limits: Limits) -> bool:
        """Whether the settings ask for less than could be had, or for the word of a host that gives none."""
        if not self.mails or limits.authentication == "dkim":
            return False
        if limits.authentication == "off":
            return self.policy != "off"
        return (self.policy, self.host) != ("trusted header", limits.trusted_host.lower())


def vouching(heads: Sequence[EmailMessage]) -> Vouching:
    """By the stamp on top of each mail: what stands below it the sender may have written. Half of them are enough."""
    came = [head for head in heads if "Received" in head]
    stamps = Counter(host for head in came if (host := _on_top(head)))
    signed = sum("DKIM-Signature" in head for head in came)
    host, number = next(iter(stamps.most_common(1)), ("", 0))
    if number * 2 > len(came):
        return Vouching(len(came), "trusted header", host, number)
    if signed * 2 > len(came):
        return Vouching(len(came), "dkim", "", signed)
    return Vouching(len(came))


def _on_top(head: EmailMessage) -> str:
    """Whose stamp is the topmost, if it tells of a check that proves anything."""
    stamp = read_stamp(" ".join(str(head.get("Authentication-Results", "")).split()))
    if stamp is None or not any(result.method in PROOFS for result in stamp.results):
        return ""
    return str(stamp.authserv_id).lower()
