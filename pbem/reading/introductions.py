"""What stands over a quoted mail, in any language: a line with our address or name, or the header of a mail.

No language is listed. An introduction names us, mostly with a date, and ends in a colon or right above a quotation; a
header is some lines of `Label: value`, one of which names us or our subject.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.letters import SENDER
from pbem.reading.known import Known

MOST_OF_AN_INTRODUCTION = 4  # lines into which one may be wrapped
MOST_OF_A_HEADER = 9
MOST_BLANK = 2  # empty lines between a banner and its header
LEAST_OF_A_SUBJECT = 6

_LABEL = re.compile(r"[\s*_|]*[^\W\d_][^:\d<>@/]{0,30}? ?[*_]{0,2}: ?[*_]{0,2}(?!//)\s*\S.*")
_BANNER = re.compile(r"\s*(?:[-_=*]{2,}.*[-_=*]{2,}|[_=-]{8,}|[^:\d]{4,60}:)\s*")
_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True)
class Introductions:
    """Finds them in a mail."""

    known: Known
    subject: str = ""
    quoted: Sequence[bool] = ()  # which lines bear a mark

    def at(self, lines: Sequence[str], number: int) -> int:
        """How many lines from here say that a quotation follows; 0 if none do."""
        if self._plain(lines, number):
            for span in range(1, MOST_OF_AN_INTRODUCTION + 1):
                if span > 1 and not self._plain(lines, number + span - 1):
                    break
                if self._wrote(lines, number, span):
                    return span
            if self._header(lines, number):
                return 1
        return self._banner(lines, number)

    def _plain(self, lines: Sequence[str], number: int) -> bool:
        """Whether a line may be of an introduction: not empty, not quoted, no order."""
        if number >= len(lines) or self.quoted[number] or not lines[number].strip():
            return False
        return not self.known.begins(lines[number])

    def _wrote(self, lines: Sequence[str], number: int, span: int) -> bool:
        some = lines[number : number + span]
        said = " ".join(some).strip(" *_")
        dated = len(_NUMBERS.findall(said)) > 1
        if span > 1 and not (_NUMBERS.search(some[0]) or SENDER.casefold() in some[0].casefold()):
            return False  # a name or a word of thanks right above it is not its beginning
        ends = said.endswith(":")
        over = self._quote_follows(number + span, lines)
        if self._names_our_address("".join(some)):
            return ends or over
        return dated and ((ends and SENDER.casefold() in said.casefold()) or (ends and over))

    def _header(self, lines: Sequence[str], number: int) -> bool:
        """Whether a quoted mail's header begins here."""
        if not _LABEL.fullmatch(lines[number]):
            return False
        some = [line for line in lines[number : number + MOST_OF_A_HEADER + MOST_BLANK] if line.strip()]
        block: list[str] = []
        for line in some[:MOST_OF_A_HEADER]:
            if _LABEL.fullmatch(line) and not self.known.begins(line):
                block.append(line)
            elif not block or "@" not in line or self.known.begins(line):  # a long address may be wrapped, and go on
                break
        return len(block) > 1 and any(self._names_us(line) for line in (*block, "".join(some[: len(block) + 1])))

    def _banner(self, lines: Sequence[str], number: int) -> int:
        """A rule or a title right above an introduction belongs to it."""
        if not self._plain(lines, number) or not _BANNER.fullmatch(lines[number]):
            return 0
        for after in range(number + 1, min(number + 2 + MOST_BLANK, len(lines))):
            if lines[after].strip():
                span = self.at(lines, after)
                return after - number + span if span else 0
        return 0

    def _quote_follows(self, number: int, lines: Sequence[str]) -> bool:
        following = next((n for n in range(number, len(lines)) if lines[n].strip()), None)
        return following is not None and self.quoted[following]

    def _names_us(self, line: str) -> bool:
        bare = bare_subject(self.subject).casefold()
        named = len(bare) >= LEAST_OF_A_SUBJECT and bare in line.casefold()
        return named or SENDER.casefold() in line.casefold() or self._names_our_address(line)

    def _names_our_address(self, text: str) -> bool:
        local, _, host = self.known.address.casefold().partition("@")
        if not host:
            return False
        where = re.sub(r"\s", "", text).casefold()
        return bool(re.search(rf"(?<![\w.]){re.escape(local)}(?:\+[\w.=-]*)?@{re.escape(host)}(?![\w-])", where))


def bare_subject(subject: str) -> str:
    """A subject without what was put before it: `Re:`, `AW:`, `[game]`."""
    bare = subject
    while (shorter := re.sub(r"^\s*(?:[^\W\d_]{1,5}\s?(?:\[\d+\])?\s?:|\[[^\]]*\])\s*", "", bare)) != bare:
        bare = shorter
    return bare.strip()
