"""Somebody else's words taken out, and what was typed into our own letter taken from its quotation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.reading.comparing import ENOUGH, Comparison, Quoted, Sheet, fold
from pbem.reading.introductions import Introductions
from pbem.reading.known import LEAST_OF_AN_OPENING, MOST_OF_AN_OPENING, Answered, Known

WIDE = 45  # characters: a shorter quoted line was not wrapped

# What a line is. One that lost its mark is the rest of the quoted line above it, which was wrapped.
OWN, INTRODUCTION, QUOTED, LOST, UNMARKED = range(5)

_MARKS = re.compile(r"\s*(?:(?:[A-Za-z]{1,3})?> ?)+(?<=[> ])")  # also the old way, with the writer's initials
_MARK = re.compile(r"\s*(?:>|[A-Za-z]{1,3}> )")
_END = re.compile(r"[\s*#=-]*end of orders[\s*#=.!-]*", re.I)


@dataclass
class Apart:
    """A mail's lines, told apart."""

    # Those that stand together: the writer's own, or (True) those that he typed into the quotation.
    stretches: list[tuple[bool, list[str]]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    key: str = ""  # of what the letter asked into which something was typed

    def put(self, line: str, *, quoted: bool) -> None:
        if not self.stretches or self.stretches[-1][0] is not quoted:
            self.stretches.append((quoted, []))
        self.stretches[-1][1].append(line)


def quoted(line: str) -> bool:
    return bool(_MARK.match(line))


def end_mark(line: str) -> bool:
    return bool(_END.fullmatch(line))


def tell_apart(lines: Sequence[str], known: Known, answered: Answered, subject: str = "") -> Apart:
    """The writer's own lines, and what he typed into the letter that he quotes. In doubt a line is not his."""
    marked = [quoted(line) for line in lines]
    labels, notes = _labels(lines, marked, Introductions(known, subject, marked), answered)
    sheets = answered.sheets
    for number in range(len(lines)):
        if labels[number] == OWN and _lost_its_mark(lines, labels, number, sheets):
            labels[number] = LOST
            notes += [f"`{lines[number].strip()[:60]}` was taken for the rest of the quoted line above it"]
    apart = Apart(notes=[] if sheets else notes)
    typed = _typed(lines, labels, known, answered, apart) if sheets else {}
    for number, line in enumerate(lines):
        if labels[number] == OWN:
            apart.put(line, quoted=False)
        elif number in typed:
            apart.put(typed[number], quoted=True)
        elif apart.stretches and not apart.stretches[-1][0]:
            apart.put("", quoted=False)  # what stood on both sides of a quote is two paragraphs
    apart.key = answered.key if any(quoted for quoted, _ in apart.stretches) else ""
    return apart


def _labels(
    lines: Sequence[str], marked: Sequence[bool], introductions: Introductions, answered: Answered
) -> tuple[list[int], list[str]]:
    """What each line is. Under an introduction without a marked quotation all the rest is quoted."""
    labels = [QUOTED if mark else OWN for mark in marked]
    folded = [fold(line) for line in lines]
    number = 0
    while number < len(lines):
        span = 0 if marked[number] else introductions.at(lines, number)
        if span:
            labels[number : number + span] = [INTRODUCTION] * span
            following = next((n for n in range(number + span, len(lines)) if lines[n].strip()), None)
            if following is not None and not marked[following]:
                return _rest(labels, number + span), _left_out(lines, number)
        elif not marked[number] and _begins_letter(folded, number, answered):
            return _rest(labels, number), _left_out(lines, number)
        number += max(span, 1)
    return labels, []


def _rest(labels: list[int], number: int) -> list[int]:
    return [*labels[:number], *(QUOTED if label == QUOTED else UNMARKED for label in labels[number:])]


def _begins_letter(folded: Sequence[str], number: int, answered: Answered) -> bool:
    """Whether a letter of ours begins here without any mark."""
    openings = tuple(opening for opening in answered.openings if len(opening) >= LEAST_OF_AN_OPENING)
    if not folded[number] or not openings:
        return False
    said, following = "", number
    while len(said) < MOST_OF_AN_OPENING and following < len(folded):
        said += folded[following]
        following += 1
    return said.startswith(openings)


def _typed(
    lines: Sequence[str], labels: Sequence[int], known: Known, answered: Answered, apart: Apart
) -> dict[int, str]:
    """What was typed into the letter: by number, each as one line, however it was wrapped."""
    found: dict[int, str] = {}
    for part in _quotations(lines, labels):
        compared = Comparison(part, answered.sheets)
        first = compared.first()
        if first is None or (answered.by_key and not compared.trusted):
            continue
        depth, last = compared.lines[first].depth, -1
        for n in range(first + 1, len(compared.lines)):
            line = compared.lines[n]
            if line.depth != depth or line.commented:
                continue
            ours = not known.begins(line.text) and not end_mark(line.text)
            if ours and last >= 0 and compared.continues(n, last):
                found[compared.lines[last].number] += f" {line.text}"
                last = -1
            elif not ours:
                verdict = compared.verdict(n)
                if verdict == "typed":
                    found[line.number], last = line.text, n
                elif verdict == "doubtful":
                    apart.notes.append(f"`{line.text[:60]}` was not read: it stands so in the letter that you quote")
    return found


def _quotations(lines: Sequence[str], labels: Sequence[int]) -> list[list[Quoted]]:
    """The quoted lines, from one introduction to the next."""
    parts: list[list[Quoted]] = [[]]
    for number, (line, label) in enumerate(zip(lines, labels, strict=True)):
        if label == INTRODUCTION:
            parts.append([])
        elif label == LOST and parts[-1]:
            parts[-1].append(Quoted(number, parts[-1][-1].depth, line.strip()))
        elif label != OWN:
            parts[-1].append(Quoted(number, *_without_marks(line)))
    return [part for part in parts if part]


def _without_marks(line: str) -> tuple[int, str]:
    if not quoted(line):
        return 0, line.strip()
    marks = _MARKS.match(line)
    assert marks is not None
    return marks[0].count(">"), line[marks.end() :].strip()


def _lost_its_mark(lines: Sequence[str], labels: Sequence[int], number: int, sheets: Sequence[Sheet]) -> bool:
    """Whether a line is the end of the quoted one above it, which was wrapped.

    Held against the letter that can be seen; without it, by what a wrapped line looks like.
    """
    if number == 0 or labels[number - 1] not in (QUOTED, LOST) or not lines[number].strip():
        return False
    above, rest = fold(_without_marks(lines[number - 1])[1]), fold(lines[number])
    if sheets:
        return len(above) >= ENOUGH and any(_goes_on(sheet, above, rest) for sheet in sheets)
    follows = number + 1 < len(lines) and labels[number + 1] == QUOTED
    return follows and len(lines[number - 1]) >= WIDE


def _goes_on(sheet: Sheet, above: str, rest: str) -> bool:
    at = sheet.run.find(above + rest)
    return at >= 0 and bool(rest) and at + len(above) not in sheet.commented


def _left_out(lines: Sequence[str], number: int) -> list[str]:
    """The note about a quote that had no mark; without the address, which may hold a seat's token."""
    if not any(line.strip() and not quoted(line) for line in lines[number + 1 :]):
        return []
    first = next(line for line in lines[number:] if line.strip("_ "))
    return [f"everything from `{first.split('<')[0].strip()[:60]}` down was taken for a quoted mail and left out"]
