"""The mails of the museum, and how a test takes one in."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from pbem.inbox.incoming import Incoming, take_in

MUSEUM = Path(__file__).parents[2] / "mail"
MAILS = sorted(MUSEUM.glob("*.eml"))


def mail(raw: bytes) -> Incoming:
    return take_in("m1", raw, datetime(2026, 1, 5, 21, 30, tzinfo=UTC), "fieldpost@referee.example")


def text_mail(text: str, kind: str = "text/plain; charset=utf-8") -> Incoming:
    """A mail of one part."""
    head = f"From: miles@post.example\r\nMIME-Version: 1.0\r\nContent-Type: {kind}\r\n\r\n"
    return mail(head.encode() + text.encode())
