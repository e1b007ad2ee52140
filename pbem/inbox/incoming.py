"""A mail on its way through the office, opened with care: what the gate, the reader and the desk are given.

One made to choke its reader is recognised by its bytes and never taken apart.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.utils import getaddresses, parseaddr

from pbem.house import House
from pbem.letters.headers import INCOMING
from pbem.store import mail_address

MOST_HEADER = 2_000  # characters of a header that anybody needs
MOST_PARTS = 100
MOST_DEPTH = 12
MOST_HEAD = 64_000  # bytes of headers; long chains of servers stay under half of it
MOST_ONE_HEADER = 4_000  # bytes of each header that is kept of a dangerous mail
MOST_SEPARATORS = 400  # lines that begin like a boundary
MOST_DESCRIPTIONS = 64_000  # bytes of Content- headers in all parts together

_BLANK = re.compile(rb"\r?\n\r?\n")
_DESCRIPTION = re.compile(rb"^content-[a-z-]+:[^\n]*(?:\n[ \t][^\n]*)*", re.I | re.M)
_HEADER = re.compile(rb"^[!-9;-~]+:[^\n]*(?:\n[ \t][^\n]*)*", re.M)


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


def open_mail(id_: str, raw: bytes, received: datetime, house: House) -> Incoming:
    """A mail taken in; of one that is too large or dangerous only the plain headers are read."""
    if len(raw) <= house.settings.limits.mail_bytes and not danger(raw):
        return take_in(id_, raw, received, house.settings.address)
    mail = take_in(id_, _plain_headers(raw), received, house.settings.address)
    mail.raw = raw
    return mail


def danger(raw: bytes) -> str:
    """What would take a mail reader minutes, in words; reading headers costs the square of their length."""
    if len(_head(raw)) > MOST_HEAD:
        return f"its headers have more than {MOST_HEAD // 1000} kB"
    if raw.count(b"\n--") > MOST_SEPARATORS:
        return "it has far too many parts"
    if sum(len(found[0]) for found in _DESCRIPTION.finditer(raw)) > MOST_DESCRIPTIONS:
        return "the descriptions of its parts are far too long"
    return ""


def _head(raw: bytes) -> bytes:
    """Everything before the first empty line, or just too much of it."""
    end = _BLANK.search(raw, 0, MOST_HEAD + 4)
    return raw[: end.start() + 1] if end else raw[: MOST_HEAD + 4]


def _plain_headers(raw: bytes) -> bytes:
    headers = (found[0] for found in _HEADER.finditer(_head(raw)))
    return b"\n".join(header for header in headers if len(header) <= MOST_ONE_HEADER) + b"\n\n"


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


def content_of(mail: Incoming) -> str:
    """A digest of who wrote what to which seat in reply to what, for `MailIn.content`; never raises."""
    digest = hashlib.sha256()
    try:
        for piece in _pieces(mail):
            digest.update(piece + b"\0")
    except Exception:  # a mail that cannot be taken apart is compared as it came
        return hashlib.sha256(mail.raw).hexdigest()
    return digest.hexdigest()


def _pieces(mail: Incoming) -> Iterator[bytes]:
    if mail.message is None or too_many_parts(mail.message):
        yield mail.raw
        return
    reply = str(mail.message.get("In-Reply-To", "")).strip()
    for text in (mail.sender, " ".join(sorted(mail.tags)), reply, mail.subject):
        yield text.encode("utf-8", "surrogatepass")
    for part in mail.message.walk():
        payload = part.get_payload(decode=True)
        if isinstance(payload, bytes):
            yield b" ".join(payload.split())


def too_many_parts(message: Message) -> bool:
    """Counts layer by layer and stops at the limit, however deep the rest goes."""
    layer: list[Message] = [message]
    seen = 0
    for _ in range(MOST_DEPTH + 1):
        seen += len(layer)
        if not layer or seen > MOST_PARTS:
            break
        inside = [part.get_payload() for part in layer if part.is_multipart()]
        layer = [part for parts in inside if isinstance(parts, list) for part in parts if isinstance(part, Message)]
    return bool(layer)
