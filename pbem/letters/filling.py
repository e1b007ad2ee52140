"""A mail that waits in the outbox is without its pictures, but for a frame where each belongs: here they are filled."""

import re
from binascii import a2b_qp
from collections.abc import Collection, Mapping
from email import message_from_bytes
from typing import Any

from markupsafe import escape

from pbem.letters.envelope import octets, part_of
from pbem.letters.headers import OUTGOING, quoted
from pbem.letters.letter import Enclosure
from pbem.letters.letter_printing import settled

PAGE = "text/html"
HEAD_ENDS = b"\r\n\r\n"
MOST = 350_000  # bytes, the order board apart
BASE64 = 4 / 3 * 78 / 76
QUOTED = 1.06  # what quoted-printable adds to words
_TOP = re.compile(r'(<td class="part"[^>]*>\n)')  # of the letter's own words, in its HTML

Drawn = tuple[Enclosure, int]  # a file made for its frame; if it stands in the text, how wide it is


def weight(files: int, words: int) -> int:
    """Bytes of the mail, as near as need be, by the bytes of its files and of both twins."""
    return round(files * BASE64 + words * QUOTED)


class Framed:
    """A mail with empty frames, taken apart; `frames` are the names of the files that belong there."""

    def __init__(self, raw: bytes, frames: Collection[str]) -> None:
        self._head = raw[: raw.index(HEAD_ENDS)]  # word for word
        self._mail: Any = message_from_bytes(raw.replace(b"\r\n", b"\n"), policy=OUTGOING)
        self._frames = frames
        leaves: list[Any] = [part for part in self._mail.walk() if not part.is_multipart()]
        self._twins = {part: a2b_qp(part.get_payload()).decode() for part in leaves if not part.get_filename()}
        beside = [p for p in leaves if p.get_filename() and p.get_filename() not in frames]
        self._beside = sum(len(p.get_payload(decode=True)) for p in beside if p.get_content_type() != PAGE)

    def lightened(self, drawn: Mapping[str, Drawn]) -> dict[str, Drawn]:
        """Too heavy, it goes without its third battle picture, then the map, then the second picture."""
        left, fights = dict(drawn), [name for name in drawn if name.startswith("fight-")]
        for name in (*fights[2:3], "map.png", *fights[1:2]):
            if self._weight(left) <= MOST:
                break
            left.pop(name, None)
        return left

    def _weight(self, drawn: Mapping[str, Drawn]) -> int:
        """An order board has a limit of its own."""
        files = sum(len(file.data) for file, _ in drawn.values() if file.kind != PAGE)
        return weight(self._beside + files, sum(len(text.encode()) for text in self._words(drawn).values()))

    def filled(self, drawn: Mapping[str, Drawn], sentence: str = "") -> bytes:
        """The mail as it is sent: of a frame for which nothing was drawn nothing is left."""
        for part, text in self._words(drawn).items():
            if sentence and part.get_content_type() == PAGE:
                text = "".join([*(top := _TOP.split(text, 1))[:2], f"<p>{escape(sentence)}</p>\n", *top[2:]])
            elif sentence:
                text = f"{sentence}\n\n{text}"
            part.set_payload(quoted(text))
        whole = octets(self._put(self._mail, drawn))
        return self._head + whole[whole.index(HEAD_ENDS) :]

    def _words(self, drawn: Mapping[str, Drawn]) -> dict[Any, str]:
        widths = {name.removesuffix(".png"): width for name, (_, width) in drawn.items()}
        return {part: settled(text, widths) for part, text in self._twins.items()}

    def _put(self, part: Any, drawn: Mapping[str, Drawn]) -> Any:
        if part.is_multipart():
            found = [self._put(child, drawn) for child in part.get_payload()]
            found = [child for child in found if child is not None]
            if part.get_content_type() == "multipart/related" and len(found) == 1:
                found[0]["MIME-Version"] = part["MIME-Version"]
                return found[0]
            part.set_payload(found)
        elif (name := part.get_filename()) in self._frames:
            return part_of(drawn[name][0]) if name in drawn else None
        return part
