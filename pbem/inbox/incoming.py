"""A mail on its way through the office: what the gate, the reader and the desk are given."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.parser import BytesParser
from email.utils import getaddresses, parseaddr

from pbem.letters.headers import INCOMING
from pbem.store import mail_address

MOST_HEADER = 2_000  # characters of a header that anybody needs


@dataclass
class Incoming:
    """One mail, its bytes stored already. `message` is None when they cannot be taken apart."""

    id: str
    raw: bytes
    received: datetime
    message: EmailMessage | None = None
    sender: str = ""  # the address in From, normalised
    subject: str = ""
    message_id: str = ""
    tags: tuple[str, ...] = ()  # what stood behind the + in the addresses it was sent to
    notes: list[str] = field(default_factory=list)  # remarks for the answer


def take_in(id_: str, raw: bytes, received: datetime, own_address: str) -> Incoming:
    """A mail taken apart as far as it goes; never raises."""
    mail = Incoming(id_, raw, received)
    try:
        message = BytesParser(policy=INCOMING).parsebytes(raw)
        assert isinstance(message, EmailMessage)
        mail.sender = mail_address(parseaddr(str(message.get("From", "")))[1])
        mail.subject = re.sub(r"\s+", " ", str(message.get("Subject", "")))[:MOST_HEADER]
        mail.message_id = str(message.get("Message-ID", "")).strip()[:MOST_HEADER]
        mail.tags = tags_of(message, own_address)
        mail.message = message
    except Exception:  # whatever a stranger sent, it is stored, and the gate says so
        mail.message = None
    return mail


def tags_of(message: EmailMessage, own_address: str) -> tuple[str, ...]:
    """The tags of our own address in everything the mail was sent to."""
    local, _, host = own_address.casefold().partition("@")
    ours = re.compile(rf"(?<![\w.+-]){re.escape(local)}\+([^\s@<>(),;:\"]+)@{re.escape(host)}(?![\w.-])")
    found: list[str] = []
    for name in ("Delivered-To", "X-Original-To", "To", "Cc"):
        for value in map(str, message.get_all(name, [])):
            said = [mail_address(address) for _, address in getaddresses([value])]
            tags = [match[1] for match in map(ours.fullmatch, said) if match]
            # One odd address beside ours must not hide it.
            found += tags or ours.findall(value.casefold())
    return tuple(dict.fromkeys(found))
