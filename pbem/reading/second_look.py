"""A second look at what is left, by a library that knows the mail programs of more countries."""

import re
from collections.abc import Sequence

from mailparser_reply.parser import EmailMessage  # type: ignore[import-untyped]

from pbem.reading.quotes import taken_for_quote
from pbem.reading.signatures import CUT, MOST_OF_A_SIGNATURE, in_press

# Danish and Swedish are left out: their signatures begin with "Tak" or "/x", and so do orders.
_LANGUAGES = ("en", "de", "fr", "it", "es", "nl", "pl", "cs", "ja", "ko", "zh")
MOST_LOOKED_AT = 20_000  # characters; its expressions slow down with the square of a text
LONGEST_LINE = 500


def second_look(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """The lines without the quote or signature that only the library found; never a long tail, never all."""
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()  # it is slowest of all at empty lines
    if not text or len(text) > MOST_LOOKED_AT or any(len(line) > LONGEST_LINE for line in lines):
        return list(lines), []
    seen = EmailMessage(text=text, languages=list(_LANGUAGES), keep_hyphen_lists=True).read()
    replies = seen.replies
    if not replies:
        return list(lines), []
    first = replies[0]
    kept, notes = list(lines), []
    if len(replies) > 1 and first.content and replies[1].headers:
        kept, cut = _cut_from(kept, replies[1].headers.splitlines()[0])
        notes += [taken_for_quote(cut)] if cut else []
    if first.signatures and _is_signature(first.signatures):
        kept, cut = _cut_from(kept, first.signatures.splitlines()[0])
        notes += [CUT] if cut else []
    return (kept, notes) if any(line.strip() for line in kept) else (list(lines), [])


def _is_signature(found: str) -> bool:
    """Whether it may be one: the library also takes `Thanks, here are my orders:` for the end of a mail."""
    lines = [line.strip() for line in found.splitlines() if line.strip()]
    return len(lines) <= MOST_OF_A_SIGNATURE and len(lines[0].split()) <= 4 and not lines[0].endswith(":")


def _cut_from(lines: list[str], first: str) -> tuple[list[str], str]:
    """The lines above the last one that reads so, and that line."""
    press = in_press(lines)
    for number in range(len(lines) - 1, -1, -1):
        if lines[number] == first.strip() and first.strip() and not press[number]:
            return lines[:number], first.strip()
    return lines, ""
