"""Mail headers taken apart once: the same ones stand in letter after letter, and are asked for again and again."""

import re
from binascii import b2a_qp
from email.contentmanager import ContentManager, raw_data_manager
from email.headerregistry import HeaderRegistry, UnstructuredHeader
from email.message import MIMEPart
from email.policy import SMTP, Policy, default
from functools import cache, lru_cache
from typing import Any

MOST_KEPT = 1_000
WIDEST = 78  # letters of a header's line, as the library has it


class _Registry(HeaderRegistry):
    __getitem__ = cache(HeaderRegistry.__getitem__)  # otherwise a class of its own is made for every header
    __call__ = lru_cache(MOST_KEPT)(HeaderRegistry.__call__)


class _Ready(str):
    """A header of ours that needs no taking apart: as it is, or broken behind a `;` if there is no room."""

    __slots__ = ("name",)
    name: str

    def fold(self, *, policy: Policy) -> str:
        line = f"{self.name}: {self}"
        return (line if len(line) <= WIDEST else line.replace("; ", f";{policy.linesep} ")) + policy.linesep


def ready(name: str, value: str) -> str:
    """A header that is not looked at any more, ready to be set."""
    header = _Ready(value)
    header.name = name
    return header


class _Own(_Registry):
    """For what we write. Of these headers nobody asks more than their words, and words mean nothing else in them."""

    plain = ("Subject", "Date", "Message-ID", "In-Reply-To", "References")
    whole = ("List-Unsubscribe",)  # never wrapped or encoded: an address in it would open nothing
    fits = re.compile(r"(?!.*=\?)[!-~]+(?: [!-~]+)*").fullmatch

    def __call__(self, name: str, value: Any) -> Any:  # type: ignore[override]
        if name in self.whole or (name in self.plain and len(f"{name}: {value}") <= WIDEST and self.fits(value)):
            return ready(name, value)
        return super().__call__(name, value)


_REGISTRY, _OWN = _Registry(), _Own()
_AS_TEXT = HeaderRegistry(default_class=UnstructuredHeader, use_default_map=False)


def _patient(name: str, value: Any) -> Any:
    """For what others write: a header that the library trips over is text. Who it is from must be said plainly."""
    try:
        return _REGISTRY(name, value)
    except Exception:
        if name.casefold() == "from":
            raise
        return _AS_TEXT(name, value)


def _quoted(part: MIMEPart, text: str, subtype: str = "plain", charset: str = "utf-8", *, filename: str = "") -> None:
    """Text as the library puts it into a mail, letter for letter in C."""
    part["Content-Type"] = f'text/{subtype}; charset="{charset}"'
    part["Content-Transfer-Encoding"] = "quoted-printable"
    if filename:
        part["Content-Disposition"] = f'attachment; filename="{filename}"'
    part.set_payload(quoted(text, charset))


def quoted(text: str, charset: str = "utf-8") -> str:
    return "".join([_quoted_line(line, charset) for line in text.removesuffix("\n").split("\n")])


@lru_cache(maxsize=4096)
def _quoted_line(line: str, charset: str) -> str:
    """Most lines stand in every letter: the styles of the HTML, the ground and the script of the order board."""
    return b2a_qp(f"{line}\n".encode(charset)).decode("ascii")


_CONTENTS = ContentManager()
_CONTENTS.set_handlers = {**raw_data_manager.set_handlers, str: _quoted}  # type: ignore[attr-defined]
_CONTENTS.get_handlers = raw_data_manager.get_handlers  # type: ignore[attr-defined]

INCOMING = default.clone(header_factory=_patient)
OUTGOING = SMTP.clone(header_factory=_OWN, content_manager=_CONTENTS)
folded = lru_cache(MOST_KEPT)(OUTGOING.fold_binary)
