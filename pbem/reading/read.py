"""A mail read: its order lines, what was left out and why, or why there is nothing to read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.inbox.incoming import Incoming
from pbem.reading.characters import plain, plain_lines
from pbem.reading.chatter import BULLET, pass_over, told
from pbem.reading.introductions import bare_subject
from pbem.reading.known import Answered, Known
from pbem.reading.markup import Deep, markup_text
from pbem.reading.parts import DEEPEST, File, Parts, TextPart, parts_of
from pbem.reading.problem import Problem
from pbem.reading.quotes import Stretch, end_mark, quoted, tell_apart
from pbem.reading.signatures import cut_armour, cut_mark

MOST_LINES = 2_000
MOST_RAW_LINES = 20_000  # with all that is quoted
MOST_REFERENCES = 10
WRAPPED = 50  # a shorter line that ends in a comma was ended by its writer

# A file so called holds the orders: it is read in place of the mail's text. Any other .txt is read when the text has
# nothing to say.
_ORDERS_FILE = re.compile(r"(orders?|befehle?|ordres?|приказы?|命令|指令)\b.*|(orders?|befehle?|ordres?)[_\d-].*", re.I)
_REFERENCE = re.compile(r"<[^<>\s]{3,200}>")
_KEY = re.compile(r"key\s", re.I)


@dataclass
class Read:
    """What a mail says: order lines as typed, with an empty line between paragraphs."""

    lines: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was left out and why, in words for the answer
    problem: Problem | None = None


@dataclass
class _Own:
    """What its writer wrote in one text."""

    lines: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    passed: list[str] = field(default_factory=list)  # politeness
    ended: bool = False  # END OF ORDERS stands in it
    seen: bool = False  # there was something in it, be it quoted


def read_mail(mail: Incoming, known: Known | None = None) -> Read:
    """The order lines of a mail; never raises, whatever a stranger sent."""
    if mail.message is None:
        return Read(problem=Problem("broken"))
    try:
        return _Reader(mail, known or Known()).read(parts_of(mail.message))
    except Problem as problem:
        return Read(problem=problem)
    except Deep:
        return Read(problem=Problem("too deep", limit=DEEPEST))
    except Exception:  # a header or a part that even the standard library trips over
        return Read(problem=Problem("broken"))


class _Reader:
    """One mail, and what is known before it is opened."""

    def __init__(self, mail: Incoming, known: Known) -> None:
        self.mail, self.known, self.answered = mail, known, Answered()

    def read(self, parts: Parts) -> Read:
        read, passed = Read(), list[str]()
        self.answered = self.known.post(references(self.mail), "\n".join(text.plain or text.markup for text in parts.texts))
        seen = ended = False
        for text in parts.texts:
            own = self._own(text)
            _add(read, own)
            passed += own.passed
            seen, ended = seen or own.seen, own.ended
            if ended:
                break
        passed += self._take_files(parts.files, read, ended=ended)
        read.notes += [f"{name} cannot be read: send plain text" for name in parts.unread]
        if parts.winmail:
            read.notes.append("winmail.dat cannot be read: send plain text")
        self._take_subject(read)
        read.notes = list(dict.fromkeys([*read.notes, *told(passed)]))
        if not read.lines:
            read.problem = self._nothing(parts, seen=seen, passed=bool(passed))
        return read

    def _take_files(self, files: Sequence[File], read: Read, *, ended: bool) -> list[str]:
        """Attached text: the orders themselves, or what there is when the mail says nothing."""
        named = [file for file in files if _ORDERS_FILE.fullmatch(file.name)]
        if read.lines and (ended or not named):
            read.notes += [f"{file.name} was not read, as there are orders in the mail itself" for file in files]
            return []
        if read.lines:
            read.notes.append(f"your orders were taken from {named[0].name}; the text of the mail was not read as orders")
            read.lines = []
        passed: list[str] = []
        for file in named or files:
            own = self._steps(plain_lines(file.text))
            _add(read, own)
            passed += own.passed
        return passed

    def _take_subject(self, read: Read) -> None:
        """An order in the subject is read if there is no other; our own subject is none."""
        vocabulary, subject = self.known.vocabulary, plain(self.mail.subject)
        if vocabulary is None or bare_subject(subject) in map(bare_subject, self.answered.subjects):
            return
        said = next((line for line in (subject, bare_subject(subject)) if vocabulary.begins(line)), "")
        if said and read.lines:
            read.notes.append(f"the subject was not read: `{said[:60]}`; orders go into the mail itself")
        elif said:
            read.lines = [said]
            read.notes.append("your order was taken from the subject of your mail")

    def _own(self, text: TextPart) -> _Own:
        """The writer's lines of one text, from its plain version; its HTML twin mends lines that were wrapped."""
        plain_twin = self._steps(plain_lines(text.plain))
        try:
            markup = markup_text(text.markup) if text.markup.strip() else ""
        except Deep:
            if not plain_twin.lines:
                raise
            markup = ""
        if not markup.strip():
            return plain_twin
        twin = self._steps(plain_lines(markup))
        if not plain_twin.lines or _folded(plain_twin.lines) == _folded(twin.lines):
            notes, ended = plain_twin.notes or twin.notes, plain_twin.ended or twin.ended
            return _Own(twin.lines, notes, twin.passed or plain_twin.passed, ended, seen=True)
        return plain_twin

    def _steps(self, lines: list[str]) -> _Own:
        if len(lines) > MOST_RAW_LINES:
            raise Problem("too many lines", limit=MOST_RAW_LINES)
        own = _Own(seen=any(lines))
        apart = tell_apart(cut_armour(lines), self.known, self.answered, self.mail.subject)
        if sum(bool(line) for stretch in apart.stretches for line in stretch.lines) > MOST_LINES:
            raise Problem("too many lines", limit=MOST_LINES)
        for number, stretch in enumerate(apart.stretches):
            own.ended = any(map(end_mark, stretch.lines))
            self._stretch(stretch, own)
            if own.ended:
                below = [line for later in apart.stretches[number + 1 :] for line in later.lines]
                _below(stretch, below, own)
                break
        # Who closes his orders with the mark need not be told what became of the quote below it.
        own.notes += [] if own.ended else apart.notes
        own.lines = _tidy(own.lines)
        if apart.key and not any(map(_KEY.match, own.lines)):
            own.lines.insert(0, f"key {apart.key}")  # what was typed into a letter answers what that letter asked
        return own

    def _stretch(self, stretch: Stretch, own: _Own) -> None:
        end = next((n for n, line in enumerate(stretch.lines) if end_mark(line)), len(stretch.lines))
        lines = stretch.lines[:end]
        if not stretch.quoted:
            lines, notes = cut_mark(lines)
            own.notes += notes
            lines, passed = pass_over(lines, self.known.vocabulary)
            own.passed += passed
        own.lines += [*lines, ""]

    def _nothing(self, parts: Parts, *, seen: bool, passed: bool) -> Problem:
        if parts.encrypted:
            return Problem("encrypted")
        if parts.winmail:
            return Problem("winmail")
        if parts.unread:
            return Problem("no text", what=", ".join(parts.unread[:5]))
        if passed:
            return Problem("no order")
        if seen:
            return Problem("as sent" if self.answered.twins else "quoted")
        return Problem("empty")


def references(mail: Incoming) -> list[str]:
    """The Message-IDs that a mail answers, the nearest first."""
    if mail.message is None:
        return []
    said = [str(mail.message.get(name, "")) for name in ("In-Reply-To", "References")]
    answered, thread = (_REFERENCE.findall(text) for text in said)
    return list(dict.fromkeys([*answered, *reversed(thread)]))[:MOST_REFERENCES]


def _below(stretch: Stretch, below: Sequence[str], own: _Own) -> None:
    end = next(n for n, line in enumerate(stretch.lines) if end_mark(line))
    if any(line.strip() and not quoted(line) for line in (*stretch.lines[end + 1 :], *below)):
        own.notes.insert(0, "nothing below END OF ORDERS was read")


def _add(read: Read, own: _Own) -> None:
    read.lines += ["", *own.lines] if read.lines and own.lines else own.lines
    read.notes += own.notes
    if len(read.lines) > 2 * MOST_LINES:
        raise Problem("too many lines", limit=MOST_LINES)


def _tidy(lines: Sequence[str]) -> list[str]:
    """Bullets and margins off, wrapped lines joined, one empty line at most."""
    tidy: list[str] = []
    for line in (BULLET.sub("", line).strip() for line in lines):
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
