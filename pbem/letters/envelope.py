"""Putting a letter into an envelope: both twins printed, files enclosed, headers for threads and machines."""

from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage, Message
from email.utils import format_datetime
from functools import lru_cache
from typing import Any

from pbem.letters.headers import OUTGOING, folded, ready
from pbem.letters.letter import Enclosure, Letter
from pbem.letters.letter_printing import printed
from pbem.letters.subjects import sender_name

LOOP = "X-Fieldpost-Loop"
SENDER = "Fieldpost"  # our name before our address, which quotations of our letters repeat


def enclose(
    letter: Letter, *, id_: str, address: str, at: datetime, twins: tuple[str, str] | None = None
) -> EmailMessage:
    """The mail as it will be sent; the same letter gives the same bytes. `twins` are its text and HTML, if printed."""
    host = address.partition("@")[2]
    mail = EmailMessage(policy=OUTGOING)
    sender = sender_name(letter.game)
    mail["From"] = _mailbox(sender, address)
    mail["To"] = letter.to
    mail["Subject"] = one_line(letter.subject)
    mail["Date"] = format_datetime(at)
    mail["Message-ID"] = f"<{id_}@{host}>"
    if letter.reply_to:
        mail["Reply-To"] = _mailbox(sender, letter.reply_to)
    if letter.answers:
        mail["In-Reply-To"] = one_line(letter.answers)
    root = [f"<game-{letter.game}@{host}>"] if letter.game else []
    references = [*root, *(one_line(reference) for reference in letter.thread)]
    if letter.answers and letter.answers not in references:
        references.append(one_line(letter.answers))
    if references:
        mail["References"] = " ".join(references)
    if letter.unsubscribe:
        mail["List-Unsubscribe"] = f"<mailto:{letter.unsubscribe}?subject=unsubscribe>"
    mail["Auto-Submitted"] = "auto-replied" if letter.answers else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    mail[LOOP] = address
    text, markup = twins or printed(letter)
    mail.set_content(text)
    mail.add_alternative(markup, "html")
    _put_in(mail, letter)
    _fixed_boundaries(mail, id_)
    return mail


@lru_cache(maxsize=1024)
def _mailbox(name: str, address: str) -> str:
    return str(Address(name, addr_spec=address))


def octets(mail: Message) -> bytes:
    """The mail as it travels; what the library would make of it line by line."""
    head = b"".join(folded(name, value) for name, value in mail.raw_items())
    parts: Any = mail.get_payload()
    if isinstance(parts, str):
        return head + b"\r\n" + parts.encode("ascii").replace(b"\n", b"\r\n")
    edge = f"\r\n--{mail.get_boundary()}".encode("ascii")
    return head + b"".join(edge + b"\r\n" + octets(part) for part in parts) + edge + b"--\r\n"


def _put_in(mail: EmailMessage, letter: Letter) -> None:
    html = mail.get_payload()[1]  # type: ignore[index]
    assert isinstance(html, EmailMessage)
    if any(file.source for file in letter.enclosures):
        html.make_related()
    if not all(file.source for file in letter.enclosures):
        mail.make_mixed()
    for file in letter.enclosures:
        (html if file.source else mail).attach(part_of(file))


def part_of(file: Enclosure) -> EmailMessage:
    """A file as it stands in a mail."""
    kind, _, more = file.kind.partition("; ")
    main, _, sub = kind.partition("/")
    part = EmailMessage(policy=OUTGOING)
    if kind == "text/html" and file.data.isascii():  # quoted it grows by a twentieth, in base64 by a third
        part.set_content(file.data.decode("ascii"), "html", "us-ascii", filename=file.name)
    elif file.source:
        part.set_content(file.data, main, sub, cid=f"<{file.source}>", filename=file.name)
    else:
        params = {"charset": "utf-8"} if main == "text" else {}  # some readers believe nothing else
        params |= dict([more.split("=", 1)]) if more else {}
        part.set_content(file.data, main, sub, filename=file.name, params=params)
    return part


def _fixed_boundaries(mail: EmailMessage, id_: str) -> None:
    """Boundaries by count, not by chance: a letter made twice is the same letter."""
    for number, part in enumerate(mail.walk()):
        if part.is_multipart():
            kind = f'{part.get_content_type()}; boundary="=_{id_}_{number}"'
            part.replace_header("Content-Type", ready("Content-Type", kind))


def one_line(text: str) -> str:
    """Text that is safe in a header: no line ends, no control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:900]
