"""A letter of ours as it was sent, to be held against its quotation: letters and digits alone, in one run.

Spaces, marks, wrapping and typography are what mail programs change; so the run has none of them. It remembers where
lines and words begin, and which of them stood behind a `#`.
"""

import re
import unicodedata
from collections.abc import Iterator

from pbem.reading.characters import plain_lines

MOST_FOUND = 200  # places of a line in a letter that are looked at
_WORD = re.compile(r"[^\W_]+")
_LINK = re.compile(
    r"<(?:mailto|https?|tel|cid):[^<>]*>|\[cid:[^\[\]]*\]", re.I
)  # written out beside what they stand for


def fold(line: str) -> str:
    """The letters and digits of a line, in small letters."""
    return "".join(_words(line))


def _words(line: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFKC", _LINK.sub("", line)).casefold())


class Sheet:
    """One twin of a letter."""

    def __init__(self, text: str) -> None:
        self.lines: set[int] = set()  # where a line begins, and where the last one ends
        self.words: set[int] = set()
        self.commented: set[int] = set()  # where the word right behind a `#` begins
        run: list[str] = []
        at = 0
        for line in plain_lines(text):
            if _WORD.search(line):
                self.lines.add(at)
            for number, piece in enumerate(line.split("#")):
                for nth, word in enumerate(_words(piece)):
                    self.words.add(at)
                    if number and not nth:
                        self.commented.add(at)
                    run.append(word)
                    at += len(word)
        self.lines.add(at)
        self.run = "".join(run)

    def places(self, folded: str) -> Iterator[int]:
        """Where it stands, beginning with a whole word."""
        at = self.run.find(folded) if folded else -1
        for _ in range(MOST_FOUND):
            if at < 0:
                return
            if at in self.words:
                yield at
            at = self.run.find(folded, at + 1)

    def is_line(self, at: int, folded: str) -> bool:
        """Whether whole lines stand there, and nothing else."""
        return at in self.lines and at + len(folded) in self.lines
