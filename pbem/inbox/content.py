"""What a mail says, as a digest by which the same words sent twice are known."""

import hashlib
from collections.abc import Iterator
from email.message import Message

from pbem.inbox.incoming import Incoming

MOST_PARTS = 100
MOST_DEPTH = 12


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
