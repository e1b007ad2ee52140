"""A quotation held against the letter that was sent: what is ours, and what was typed into it."""

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.reading.sheet import Sheet, fold

ENOUGH = 4  # letters and digits by which a neighbour is known
SURE = 12  # those that stand in one place by no coincidence
LONG = 30  # a line of that many is nobody's but ours if it stands in the letter
NEIGHBOUR = 40  # of a neighbour, so many are compared


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

    def typed(self, n: int) -> bool:
        """Whether a line, or what is left of its beginning, never stood so in the letter."""
        before, after = self._before(n), self._after(n)
        if self._between(before, "", after) and not self._between(before, self.folded[n], after):
            return True
        if self.wrapped(n) or self._stood(n, before, after):
            return False
        if self._uncommented(n, before, after):
            return True
        found = [(sheet, at) for sheet in self.sheets for at in sheet.places(self.folded[n])]
        whole = any(sheet.is_line(at, self.folded[n]) and at not in sheet.commented for sheet, at in found)
        behind_a_mark = any(at in sheet.commented for sheet, at in found)
        return not whole and (behind_a_mark or not found or len(self.folded[n]) < LONG)

    def wrapped(self, n: int) -> bool:
        """Whether a line is the rest of a remark whose mark stayed on the line above."""
        above = self.lines[n - 1].text.rstrip() if n else ""
        return len(above) > 1 and above.endswith("#")

    def continues(self, n: int, typed: int) -> bool:
        """Whether a line is the rest of one that was typed over, and stood in the same line of the letter."""
        if n != typed + 1 or self.lines[n].commented:
            return False
        end, rest = self.folded[typed][-2 * ENOUGH :], self.folded[n]
        return any(
            at + len(end) not in sheet.lines
            and at + len(end) not in sheet.commented
            and at + len(end) + len(rest) in sheet.lines
            for sheet in self.sheets
            for at in _all(sheet.run, end + rest)
        )

    def _before(self, n: int) -> str:
        """What stands over a line, as far back as is needed to know it."""
        said = ""
        while n and len(said) < ENOUGH:
            n -= 1
            said = self.folded[n] + said
        return said[-NEIGHBOUR:]

    def _after(self, n: int) -> str:
        said = ""
        while n + 1 < len(self.folded) and len(said) < ENOUGH:
            n += 1
            said += self.folded[n]
        return said[:NEIGHBOUR]

    def _between(self, before: str, line: str, after: str) -> bool:
        return bool(before and after) and any(before + line + after in sheet.run for sheet in self.sheets)

    def _stood(self, n: int, before: str, after: str) -> bool:
        """Whether it stood there, whole or as a piece: what is above or below it says so."""
        return any(
            at not in sheet.commented and _beside(sheet, at, self.folded[n], before, after)
            for sheet in self.sheets
            for at in sheet.places(self.folded[n])
        )

    def _uncommented(self, n: int, before: str, after: str) -> bool:
        """Whether it stood there behind a `#`."""
        return any(
            at in sheet.commented and _beside(sheet, at, self.folded[n], before, after)
            for sheet in self.sheets
            for at in sheet.places(self.folded[n])
        )


def _beside(sheet: Sheet, at: int, folded: str, before: str, after: str) -> bool:
    above = sheet.run.endswith(before, 0, at) if before else at == 0
    return above or bool(after and sheet.run.startswith(after, at + len(folded)))


def _all(run: str, what: str) -> list[int]:
    found, at = [], run.find(what)
    while at >= 0:
        found.append(at)
        at = run.find(what, at + 1)
    return found
