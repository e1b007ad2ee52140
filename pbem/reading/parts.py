"""A mail taken into its parts: the texts to read, the attachments, what nobody can read, and why nothing can be."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email.message import Message
from pathlib import Path
from typing import Any, TypeAlias

from engine.folder import read_toml
from pbem.reading.characters import decode

MOST_PARTS = 100
DEEPEST = 12
MOST_TEXT = 200_000  # characters of one part; a whole player-turn is under ten thousand
MOST_MARKUP = 1_000_000  # HTML may quote our own reports in it, with every style spelt out

_TEXT_FILE = re.compile(r".*\.(txt|text|ord)", re.I)
_MARKUP = re.compile(r"\s*<(?:!doctype|html|head|body|div|p|meta)\b", re.I)
_ENCRYPTED = {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
_SILENT = re.compile(r"image/|application/(pgp-signature|(x-)?pkcs7-signature|pgp-keys)|text/(calendar|x-amp-html)")

Part: TypeAlias = "Message[Any, Any]"

_SENTENCES = read_toml(Path(__file__).parent, "problems.toml")
READABLE = ("quoted", "as sent", "no order", "empty")


class Problem(Exception):
    """Nothing can be read: what kind of thing stood in the way. The reader raises it, or tells it when he is done."""

    def __init__(self, kind: str, what: str = "", limit: int = 0) -> None:
        super().__init__(_SENTENCES[kind].format(what=what, limit=f"{limit:,}"))
        self.kind, self.what, self.limit = kind, what, limit

    @property
    def readable(self) -> bool:
        """Whether the mail could be read, and only says nothing."""
        return self.kind in READABLE


@dataclass
class TextPart:
    """One stretch of text, as plain text, as HTML, or as both."""

    plain: str = ""
    markup: str = ""


@dataclass
class Parts:
    """All of a mail that matters to its reader."""

    texts: list[TextPart] = field(default_factory=list)
    files: list[tuple[str, str]] = field(default_factory=list)  # attachments that can be read: name and text
    unread: list[str] = field(default_factory=list)  # names of attachments nobody can read
    winmail: bool = False
    encrypted: bool = False


def parts_of(message: Part) -> Parts:
    """The parts of a mail. Raises Problem for one that is built to break its reader."""
    found = Parts()
    for part, twin in _leaves(message):
        _sort(part, twin, found)
    return found


def _leaves(message: Part) -> Iterator[tuple[Part, TextPart | None]]:
    """Parts that hold no others, each with the text it shares with its alternatives."""
    waiting: list[tuple[Part, int, TextPart | None]] = [(message, 0, None)]
    count = 0
    while waiting:
        part, depth, twin = waiting.pop()
        count += 1
        if count > MOST_PARTS:
            raise Problem("too many parts", limit=MOST_PARTS)
        if depth > DEEPEST:
            raise Problem("too deep", limit=DEEPEST)
        kind = part.get_content_type()
        inner = part.get_payload()
        if kind in _ENCRYPTED or kind == "message/rfc822" or not isinstance(inner, list):
            yield part, twin
            continue
        if kind == "multipart/alternative":
            twin = TextPart()
        waiting.extend((one, depth + 1, twin) for one in reversed(inner) if isinstance(one, Message))


def _sort(part: Part, twin: TextPart | None, found: Parts) -> None:
    """A part put where it belongs."""
    kind, name = part.get_content_type(), _name(part)
    signed = "signed" in str(part.get_param("smime-type", ""))
    if kind in _ENCRYPTED:
        found.encrypted = found.encrypted or not signed
    elif kind == "application/ms-tnef" or name.casefold() == "winmail.dat":
        found.winmail = True
    elif kind in ("text/plain", "text/html") and not name:  # a text with a name is a file
        _add_text(part, kind, twin, found)
    elif _TEXT_FILE.fullmatch(name) and not kind.startswith(("message/", "image/")):
        found.files.append((name, _text(part)))
    elif not _SILENT.match(kind):
        found.unread.append(name or ("an attached mail" if kind == "message/rfc822" else f"a part of type {kind}"))


def _add_text(part: Part, kind: str, twin: TextPart | None, found: Parts) -> None:
    text = _text(part)
    if "-----BEGIN PGP MESSAGE-----" in text:
        found.encrypted = True
        return
    home = twin if twin is not None else TextPart()
    if kind == "text/html" or _MARKUP.match(text):  # some programs call their HTML plain
        home.markup += text
    else:
        home.plain += text
    if not any(home is one for one in found.texts):
        found.texts.append(home)


def _name(part: Part) -> str:
    """A file's name without its folders and controls."""
    name = part.get_filename() or ""
    return re.sub(r"[\x00-\x1f\x7f]", "", str(name)).replace("\\", "/").rpartition("/")[2][:100].strip()


def _text(part: Part) -> str:
    """A part's text, decoded and unflowed."""
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return ""
    most = MOST_MARKUP if part.get_content_type() == "text/html" else MOST_TEXT
    text = decode(data, part.get_content_charset()) if len(data) <= 4 * most else ""
    if len(data) > 4 * most or len(text) > most:
        raise Problem("too long", limit=most)
    if part.get_content_type() == "text/plain" and str(part.get_param("format", "")).casefold() == "flowed":
        return unflow(text, delsp=str(part.get_param("delsp", "")).casefold() == "yes")
    return text


def unflow(text: str, *, delsp: bool = False) -> str:
    """Lines as they were typed; quoted ones keep one `>`. A signature mark never flows."""
    lines: list[str] = []
    flowing: int | None = None  # the quote depth of a line still waiting for its rest
    for raw in text.splitlines():
        depth = len(raw) - len(raw.lstrip(">"))
        line = raw[depth:].removeprefix(" ")  # a space was stuffed in
        mark = line == "-- "
        soft = line.endswith(" ") and not mark
        if soft and delsp:
            line = line[:-1]
        if flowing == depth and not mark:
            lines[-1] += line
        else:
            lines.append(("> " if depth else "") + line)
        flowing = depth if soft else None
    return "\n".join(lines)
