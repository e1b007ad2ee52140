"""A mail read: its order lines, what was left out and why, or why there is nothing to read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.inbox.incoming import Incoming
from pbem.reading.characters import plain_lines
from pbem.reading.markup import Deep, markup_text
from pbem.reading.parts import DEEPEST, File, Parts, TextPart, parts_of
from pbem.reading.phrases import phrase
from pbem.reading.problem import Problem
from pbem.reading.quotes import cut_end_mark, cut_quotes, end_mark
from pbem.reading.second_look import second_look
from pbem.reading.signatures import (
    Step,
    cut_armour,
    cut_closing,
    cut_disclaimers,
    cut_greeting,
    cut_mark,
    cut_sent_from,
)

MOST_LINES = 2_000
MOST_RAW_LINES = 20_000  # with all that is quoted
WRAPPED = 50  # a shorter line that ends in a comma was ended by its writer

# A file so called holds the orders: it is read in place of the mail's text. Any other .txt is read when the text has
# nothing to say.
_ORDERS_FILE = re.compile(r"(orders?|befehle?|ordres?|приказы?|命令|指令)\b.*|(orders?|befehle?|ordres?)[_\d-].*", re.I)
_BULLET = re.compile(r"^\s*(?:[-*\u2022\u00b7\u25cf\u25aa\u2023+]|\d{1,2}[.)])\s+(?=\S)")
_OWN_STEPS: tuple[Step, ...] = (cut_mark, cut_sent_from, cut_disclaimers, cut_closing, cut_greeting, second_look)


@dataclass
class Read:
    """What a mail says: order lines as typed, with an empty line between paragraphs."""

    lines: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was left out and why, in words for the answer
    problem: Problem | None = None


@dataclass
class _Own:
    """What its writer wrote in one text."""

    lines: list[str]
    notes: list[str]
    ended: bool = False  # END OF ORDERS stands in it
    seen: bool = False  # there was something in it, be it quoted


def read_mail(mail: Incoming) -> Read:
    """The order lines of a mail; never raises, whatever a stranger sent."""
    if mail.message is None:
        return Read(problem=Problem("broken"))
    try:
        return _read(parts_of(mail.message))
    except Problem as problem:
        return Read(problem=problem)
    except Deep:
        return Read(problem=Problem("too deep", limit=DEEPEST))
    except Exception:  # a header or a part that even the standard library trips over
        return Read(problem=Problem("broken"))


def _read(parts: Parts) -> Read:
    read = Read()
    seen = ended = False
    for text in parts.texts:
        own = _own(text)
        _add(read, own)
        seen, ended = seen or own.seen, own.ended
        if ended:
            break
    _take_files(parts.files, read, ended=ended)
    read.notes += [f"{name} cannot be read: send plain text" for name in parts.unread]
    if parts.winmail:
        read.notes.append("winmail.dat cannot be read: send plain text")
    read.notes = list(dict.fromkeys(read.notes))
    if not read.lines:
        read.problem = _nothing(parts, seen)
    return read


def _add(read: Read, own: _Own) -> None:
    read.lines += ["", *own.lines] if read.lines and own.lines else own.lines
    read.notes += own.notes
    if len(read.lines) > 2 * MOST_LINES:
        raise Problem("too many lines", limit=MOST_LINES)


def _take_files(files: Sequence[File], read: Read, *, ended: bool) -> None:
    """Attached text: the orders themselves, or what there is when the mail says nothing."""
    named = [file for file in files if _ORDERS_FILE.fullmatch(file.name)]
    if read.lines and (ended or not named):
        read.notes += [f"{file.name} was not read, as there are orders in the mail itself" for file in files]
        return
    if read.lines:
        read.notes.append(f"your orders were taken from {named[0].name}; the text of the mail was not read as orders")
        read.lines = []
    for file in named or files:
        _add(read, _steps(plain_lines(file.text)))


def _own(text: TextPart) -> _Own:
    """The writer's lines of one text, from its plain version; its HTML twin mends lines that were wrapped."""
    plain = _steps(plain_lines(text.plain))
    try:
        markup = markup_text(text.markup) if text.markup.strip() else ""
    except Deep:
        if not plain.lines:
            raise
        markup = ""
    if not markup.strip():
        return plain
    twin = _steps(plain_lines(markup))
    if not plain.lines or _folded(plain.lines) == _folded(twin.lines):
        return _Own(twin.lines, plain.notes or twin.notes, plain.ended or twin.ended, seen=True)
    return plain


def _steps(lines: list[str]) -> _Own:
    if len(lines) > MOST_RAW_LINES:
        raise Problem("too many lines", limit=MOST_RAW_LINES)
    seen = any(lines)
    lines, _ = cut_armour(lines)
    lines, of_quotes = cut_quotes(lines)
    if sum(map(bool, lines)) > MOST_LINES:
        raise Problem("too many lines", limit=MOST_LINES)
    ended = any(map(end_mark, lines))
    lines, notes = cut_end_mark(lines)
    # Who closes his orders with the mark need not be told what became of the quote below it.
    notes += [] if ended else of_quotes
    for step in _OWN_STEPS:
        lines, said = step(lines)
        notes += said
    return _Own(_tidy(lines), notes, ended, seen)


def _tidy(lines: Sequence[str]) -> list[str]:
    """Bullets and margins off, wrapped lines joined, one empty line at most."""
    tidy: list[str] = []
    for line in (_BULLET.sub("", line).strip() for line in lines if not phrase("picture").fullmatch(line)):
        if tidy and line and tidy[-1].endswith(",") and len(tidy[-1]) >= WRAPPED:
            tidy[-1] += f" {line}"
        elif line or (tidy and tidy[-1]):
            tidy.append(line)
    while tidy and not tidy[-1]:
        tidy.pop()
    return tidy


def _folded(lines: Sequence[str]) -> str:
    """Lines without what a mail program adds for bold and for wrapping."""
    return re.sub(r"[\s*_]", "", "".join(lines))


def _nothing(parts: Parts, seen: bool) -> Problem:
    if parts.encrypted:
        return Problem("encrypted")
    if parts.winmail:
        return Problem("winmail")
    if parts.unread and not seen:
        return Problem("no text", what=", ".join(parts.unread[:5]))
    return Problem("quoted") if seen else Problem("empty")
