"""Opening a mail with care: one made to choke its reader is recognised by its bytes and never taken apart."""

import re
from datetime import datetime

from pbem.house import House
from pbem.inbox.incoming import Incoming, take_in

MOST_HEAD = 64_000  # bytes of headers; long chains of servers stay under half of it
MOST_ONE_HEADER = 4_000  # bytes of each header that is kept of a dangerous mail
MOST_SEPARATORS = 400  # lines that begin like a boundary
MOST_DESCRIPTIONS = 64_000  # bytes of Content- headers in all parts together

_BLANK = re.compile(rb"\r?\n\r?\n")
_DESCRIPTION = re.compile(rb"^content-[a-z-]+:[^\n]*(?:\n[ \t][^\n]*)*", re.I | re.M)
_HEADER = re.compile(rb"^[!-9;-~]+:[^\n]*(?:\n[ \t][^\n]*)*", re.M)


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
