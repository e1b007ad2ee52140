"""A quotation held against the letter as it was sent: what is ours, and what was typed into it.

Spaces, marks, wrapping and typography are what mail programs change; so a letter is letters and digits alone, in one
run. It remembers where lines and words begin, and which of them stood behind a `#`.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

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


ENOUGH = 4  # letters and digits by which a neighbour is known
CERTAIN = 24  # those by which it is known that two neighbours stood together
SURE = 12  # those that stand in one place by no coincidence
LONG = 30  # a line of that many is nobody's but ours if it stands in the letter
LEAST_OF_A_LETTER = 150  # those by which a letter is known
MOSTLY = 0.6
NEIGHBOUR = 40  # of a neighbour, so many are compared

Verdict = Literal["sent", "typed", "doubtful"]


@dataclass(frozen=True)
class Quoted:
    """One line of a quotation, its marks taken off."""

    number: int  # in the mail
    depth: int
    text: str

    @property
    def commented(self) -> bool:
        return self.text.startswith("#")


class Comparison:
    """The lines of a quotation beside the twins of the letter that it quotes."""

    def __init__(self, lines: Sequence[Quoted], sheets: Sequence[Sheet]) -> None:
        self.lines = [line for line in lines if fold(line.text)]
        self.folded = [fold(line.text) for line in self.lines]
        self.sheets = sheets

    @property
    def trusted(self) -> bool:
        """Whether it is mostly ours: a letter that is known by its key alone may be a forgery around that key."""
        ours = [
            folded
            for folded in self.folded
            if any(next(sheet.places(folded), None) is not None for sheet in self.sheets)
        ]
        return len("".join(ours)) >= max(LEAST_OF_A_LETTER, MOSTLY * len("".join(self.folded)))

    def first(self) -> int | None:
        """The first line that is ours without a doubt."""
        for n, line in enumerate(self.lines):
            if len(self.folded[n]) >= SURE and any(
                line.commented or at not in sheet.commented
                for sheet in self.sheets
                for at in sheet.places(self.folded[n])
            ):
                return n
        return None

    def verdict(self, n: int) -> Verdict:
        """Whether a line, or what is left of its beginning, never stood so in the letter."""
        if self.wrapped(n) or any(self._stood_so(n, sheet) for sheet in self.sheets):
            return "sent"
        inserted = any(self._inserted(n, sheet) for sheet in self.sheets)
        if inserted or any(self._places(n, sheet, commented=True) for sheet in self.sheets):
            return "typed"
        found = [(sheet, at) for sheet in self.sheets for at in sheet.places(self.folded[n])]
        if any(sheet.is_line(at, self.folded[n]) and at not in sheet.commented for sheet, at in found):
            return "doubtful"
        sure = not found or len(self.folded[n]) < LONG or any(at in sheet.commented for sheet, at in found)
        return "typed" if sure else "doubtful"

    def _stood_so(self, n: int, sheet: Sheet) -> bool:
        """Whether it stood there; a few words of a line may also be what was typed beside it."""
        places = self._places(n, sheet, commented=False)
        if not places or not self._inserted(n, sheet):
            return bool(places)
        return len(self.folded[n]) >= LONG or any(sheet.is_line(at, self.folded[n]) for at in places)

    def _inserted(self, n: int, sheet: Sheet) -> bool:
        """Whether what is above and below it stood together."""
        before, after = self._before(n, CERTAIN), self._after(n, CERTAIN)
        if not before or not after or before + after not in sheet.run:
            return False
        return before + self.folded[n] + after not in sheet.run

    def wrapped(self, n: int) -> bool:
        """Whether a line is the rest of a remark whose mark stayed on the line above."""
        above = self.lines[n - 1].text.rstrip() if n else ""
        return len(above) > 1 and above.endswith("#")

    def continues(self, n: int, typed: int) -> bool:
        """Whether a line is the rest of one that was typed over, and stood in the same line of the letter."""
        if n != typed + 1 or self.lines[n].commented or any(self._inserted(typed, sheet) for sheet in self.sheets):
            return False
        end, rest = self.folded[typed][-2 * ENOUGH :], self.folded[n]
        return any(
            at + len(end) not in sheet.lines
            and at + len(end) not in sheet.commented
            and at + len(end) + len(rest) in sheet.lines
            for sheet in self.sheets
            for at in (found.start() for found in re.finditer(f"(?={end}{rest})", sheet.run))
        )

    def _before(self, n: int, least: int) -> str:
        """What stands over a line, as far back as is needed to know it."""
        said = ""
        while n and len(said) < least:
            n -= 1
            said = self.folded[n] + said
        return said[-NEIGHBOUR:]

    def _after(self, n: int, least: int) -> str:
        said = ""
        while n + 1 < len(self.folded) and len(said) < least:
            n += 1
            said += self.folded[n]
        return said[:NEIGHBOUR]

    def _places(self, n: int, sheet: Sheet, *, commented: bool) -> list[int]:
        """Where it stood, as it is or behind a `#`, whole or as a piece: what is above and below it says so."""
        near = self._before(n, ENOUGH), self._after(n, ENOUGH)
        far = self._before(n, CERTAIN), self._after(n, CERTAIN)
        return [
            at
            for at in sheet.places(self.folded[n])
            if (at in sheet.commented) is commented
            and (all(_beside(sheet, at, self.folded[n], *near)) or any(_beside(sheet, at, self.folded[n], *far)))
        ]


def _beside(sheet: Sheet, at: int, folded: str, before: str, after: str) -> tuple[bool, bool]:
    """Whether the one stood right before a place, and the other right behind it."""
    above = sheet.run.endswith(before, 0, at) if before else at == 0
    return above, bool(after) and sheet.run.startswith(after, at + len(folded))
