"""A case file read into statements, before any game is at hand."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.cases.failures import BadCase

USAGES = {
    "case": "case NUMBER, NUMBER...",
    "scenario": "scenario NAME",
    "option": "option NAME VALUE",
    "figure": "figure TABLE.ROW... VALUE",
    "counter": "counter UNIT, UNIT... VALUE-VALUE... [VALUE-VALUE...]...",
    "opening": "opening",
    "turn": "turn NUMBER, STAGE",
    "place": "place UNIT HEX [lost N] [MARK | MARK=VALUE]...; UNIT HEX ...",
    "box": 'box UNIT "BOX" [lost N]; UNIT "BOX" ...',
    "mark": "mark UNIT|@HEX|@HEX/HEX|SIDE|game NAME [VALUE]",
    "count": "count TRACK NUMBER",
    "took": "took HEX SIDE",
    "pool": "pool NAME ITEM... [only SIDE]",
    "unseen": "unseen SIDE UNIT; SIDE UNIT ...",
    "unsure": "unsure SIDE UNIT; SIDE UNIT ...",
    "deal": "deal PILE CARD CARD...",
    "dice": "dice FACE FACE... [...]",
    "pace": "pace brisk|careful",
    "stand": "stand SIDE> when QUESTION: ANSWER",
    "expect": "expect ...",
    "refused": 'refused CASE|unclear|ambiguous|returned ["words"]',
}
PREPARATION = ("opening", "turn", "place", "box", "mark", "count", "took", "pool", "unseen", "unsure", "deal", "pace")
_MAIL = re.compile(r"(?P<side>[a-z][\w-]*)>\s*(?P<line>.*)")
_WORD = re.compile(r'"[^"]*"|[^\s"]+')


@dataclass(frozen=True)
class Said:
    """One statement of a case file: its line, its first word (`mail` for orders), and what follows it."""

    line: int
    word: str
    rest: str
    side: str = ""


@dataclass
class CaseFile:
    """What a case file says, in its order."""

    file: str
    numbers: list[str] = field(default_factory=list)
    scenario: str = ""
    options: list[Said] = field(default_factory=list)
    figures: list[Said] = field(default_factory=list)
    dice: list[int] = field(default_factory=list)
    dice_may_be_left: bool = False
    prepared: list[Said] = field(default_factory=list)
    played: list[Said] = field(default_factory=list)

    @property
    def tops(self) -> dict[str, list[str]]:
        """The cards that lie on top of each pile."""
        said = [words_of(statement.rest) for statement in self.prepared if statement.word == "deal"]
        return {pile: cards for pile, *cards in said}

    @property
    def last_line(self) -> int:
        return self.played[-1].line if self.played else 0


def words_of(text: str) -> list[str]:
    """The words of a text; what stands in quotation marks is one word, without them."""
    return [word.strip('"') if word.startswith('"') else word for word in _WORD.findall(text)]


def phrases_of(text: str) -> list[str]:
    """The parts of a text between semicolons outside quotation marks."""
    parts = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', text)
    return [part.strip() for part in parts if part.strip()]


def read_case(path: Path) -> CaseFile:
    """The case file at a path. Raises BadCase."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadCase(path.name, 0, f"the file cannot be read: {error}") from None
    return read_text(text, path.name)


def read_text(text: str, file: str) -> CaseFile:
    """The case file that a text is. Raises BadCase."""
    found = CaseFile(file)
    for number, raw in enumerate(text.splitlines(), 1):
        line = re.sub(r"(^|\s)#.*", "", raw).strip()
        if line:
            _take(found, _said(file, number, line))
    if not found.numbers:
        raise BadCase(file, 1, "it names no case: write `case NUMBER`")
    if not any(said.word in ("expect", "refused") for said in found.played):
        raise BadCase(file, found.last_line or 1, "it expects nothing: write `expect ...` or `refused ...`")
    if not any(said.word in ("turn", "opening") for said in found.prepared):
        raise BadCase(file, 1, "it does not say when it is played: write `turn NUMBER, STAGE`, or `opening`")
    return found


def _said(file: str, number: int, line: str) -> Said:
    mail = _MAIL.fullmatch(line)
    if mail:
        return Said(number, "mail", mail["line"].strip(), mail["side"])
    word, _, rest = line.partition(" ")
    rest = rest.strip()
    if word not in USAGES:
        raise BadCase(file, number, f"{word!r} is no statement; there is {', '.join(USAGES)}, and SIDE> ORDER")
    if word == "stand":
        standing = _MAIL.fullmatch(rest)
        if not standing:
            raise BadCase(file, number, f"write: {USAGES['stand']}")
        return Said(number, word, standing["line"].strip(), standing["side"])
    if not rest and word != "opening":
        raise BadCase(file, number, f"write: {USAGES[word]}")
    return Said(number, word, rest)


def _take(found: CaseFile, said: Said) -> None:
    if said.word == "case":
        found.numbers += [number for number in re.split(r"[,\s]+", said.rest) if number]
    elif said.word == "dice":
        _take_dice(found, said)
    elif said.word in ("scenario", "option", "figure", "counter", *PREPARATION):
        if found.played:
            raise BadCase(found.file, said.line, f"`{said.word}` must stand before the first order")
        if said.word == "scenario":
            found.scenario = said.rest
        else:
            apart = {"option": found.options, "figure": found.figures, "counter": found.figures}
            apart.get(said.word, found.prepared).append(said)
    elif said.word == "stand" and not found.played:
        found.prepared.append(said)
    else:
        found.played.append(said)


def _take_dice(found: CaseFile, said: Said) -> None:
    faces: Sequence[str] = said.rest.replace(",", " ").split()
    if faces[-1:] == ["..."]:
        found.dice_may_be_left = True
        faces = faces[:-1]
    if not all(face.isdigit() for face in faces):
        raise BadCase(found.file, said.line, f"write: {USAGES['dice']}")
    found.dice += [int(face) for face in faces]
