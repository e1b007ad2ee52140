"""The mails of the museum, and how a test takes one in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from games import find_game
from pbem.desk.vocabulary import GameWords
from pbem.inbox.incoming import Incoming, take_in
from pbem.reading import Answered, Known
from pbem.reading.known import openings, twins_of

ADDRESS = "fieldpost@referee.example"
MUSEUM = Path(__file__).parents[2] / "mail"
MAILS = sorted(MUSEUM.glob("*.eml"))


def mail(raw: bytes) -> Incoming:
    return take_in("m1", raw, datetime(2026, 1, 5, 21, 30, tzinfo=UTC), ADDRESS)


@cache
def known() -> Known:
    """What is known of the game that the mails of the museum are about; a letter of it lies there too."""
    return Known(ADDRESS, GameWords(find_game("korsun_spi")), _post)


def _post(references: Sequence[str], text: str) -> Answered:
    for reference in references:
        path = MUSEUM / "letters" / f"{reference.strip('<>').partition('@')[0]}.txt"
        if path.exists():
            twins = path.read_text(encoding="utf-8"), path.with_suffix(".html").read_text(encoding="utf-8")
            return Answered(twins_of(*twins), key="3/soviet.combat/41", openings=openings(*twins))
    return Answered()


def text_mail(text: str, kind: str = "text/plain; charset=utf-8") -> Incoming:
    """A mail of one part."""
    head = f"From: miles@post.example\r\nMIME-Version: 1.0\r\nContent-Type: {kind}\r\n\r\n"
    return mail(head.encode() + text.encode())
