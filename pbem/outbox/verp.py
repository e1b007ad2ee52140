"""Envelope senders that say which mail came back (VERP): our own address with the outgoing mail's id in it."""

import re

MARK = "bounces+"
_TAG = re.compile(rf"{re.escape(MARK)}([0-9a-f]{{32}})")


def envelope_sender(address: str, mail_out: str) -> str:
    """Where a mail that cannot be delivered is sent back to; plus-addressing brings it into our mailbox."""
    local, _, host = address.partition("@")
    return f"{local}+{MARK}{mail_out}@{host}"


def bounced_mail(tag: str) -> str | None:
    """The id of the outgoing mail that came back, from what stood behind the + (`Incoming.tags`)."""
    found = _TAG.fullmatch(tag)
    return found[1] if found else None
