"""A mail that waits in the outbox is without its pictures, but for a frame where each belongs: here they are filled."""

import re
from binascii import a2b_qp
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from email import message_from_bytes
from typing import Any

from markupsafe import escape

from pbem.letters import weight
from pbem.letters.envelope import octets, part_of
from pbem.letters.headers import OUTGOING, quoted
from pbem.letters.letter import Enclosure
from pbem.letters.letter_printing import settled

PAGE = "text/html"
HEAD_ENDS = b"\r\n\r\n"
_TOP = re.compile(r'(<td class="part"[^>]*>\n)')  # of the letter's own words, in its HTML


@dataclass(frozen=True)
class Drawn:
    """A file made for its frame; if it stands in the text, how wide it is."""

    file: Enclosure
    width: int = 0


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
        """What goes along; an order board has a limit of its own."""

        def weigh(without: set[str]) -> int:
            left = {name: one for name, one in drawn.items() if name not in without}
            files = sum(len(one.file.data) for one in left.values() if one.file.kind != PAGE)
            return weight.weight(self._beside + files, sum(len(text.encode()) for text in self._words(left).values()))

        without = weight.too_much([name for name in drawn if name.startswith("fight-")], "map.png", weigh)
        return {name: one for name, one in drawn.items() if name not in without}

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
        widths = {name.removesuffix(".png"): one.width for name, one in drawn.items()}
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
            return part_of(drawn[name].file) if name in drawn else None
        return part
