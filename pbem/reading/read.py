"""A mail read: its order lines, what was left out and why, or why there is nothing to read."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pbem.inbox.incoming import Incoming
from pbem.letters import SENDER
from pbem.letters.subjects import ORDERS
from pbem.reading.characters import plain, plain_lines
from pbem.reading.chatter import BULLET, cut_armour, cut_mark, pass_over, told
from pbem.reading.introductions import bare_subject
from pbem.reading.known import Answered, Known
from pbem.reading.markup import Deep, markup_text
from pbem.reading.parts import DEEPEST, Parts, Problem, TextPart, parts_of
from pbem.reading.quotes import end_mark, quoted, tell_apart

MOST_LINES = 2_000
MOST_RAW_LINES = 20_000  # with all that is quoted
MOST_REFERENCES = 10
SHORT = 20  # lines: a letter of ours that lost all its marks has more
WRAPPED = 50  # a shorter line that ends in a comma was ended by its writer

# A file so called holds the orders: it is read in place of the mail's text. Any other .txt is read when the text has
# nothing to say.
_ORDERS_FILE = re.compile(r"(orders?|befehle?|ordres?|приказы?|命令|指令)\b.*|(orders?|befehle?|ordres?)[_\d-].*", re.I)
_REFERENCE = re.compile(r"<[^<>\s]{3,200}>")
_KEY = re.compile(r"key\s", re.I)


@dataclass
class Read:
    """What a mail, or one text of it, says: order lines as typed, with an empty line between paragraphs."""

    lines: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was left out and why, in words for the answer
    problem: Problem | None = None
    passed: list[str] = field(default_factory=list)  # politeness
    ended: bool = False  # END OF ORDERS stands in it
    seen: bool = False  # there was something in it, be it quoted


def read_mail(mail: Incoming, known: Known | None = None) -> Read:
    """The order lines of a mail; whatever a stranger sent, it is read or a problem."""
    if mail.message is None:
        return Read(problem=Problem("broken"))
    reader = _Reader(mail, known or Known())
    if (trouble := _tried(reader.open)) is None:
        reader.look_up()  # what goes wrong in the database is no fault of the mail
        trouble = _tried(reader.read)
    return reader.done if trouble is None else Read(problem=trouble)


def _tried(step: Callable[[], None]) -> Problem | None:
    try:
        step()
    except Problem as problem:
        return problem
    except Deep:
        return Problem("too deep", limit=DEEPEST)
    except Exception:  # a header or a part that even the standard library trips over
        return Problem("broken")
    return None


class _Reader:
    """One mail, and what is known before it is opened."""

    def __init__(self, mail: Incoming, known: Known) -> None:
        self.mail, self.known, self.answered = mail, known, Answered()
        self.parts, self.references, self.subject = Parts(), list[str](), ""
        self.done = Read()

    def open(self) -> None:
        assert self.mail.message is not None
        self.parts, self.references = parts_of(self.mail.message), references(self.mail)
        subject, vocabulary = plain(self.mail.subject), self.known.vocabulary
        said = (subject, bare_subject(subject)) if vocabulary is not None else ()
        self.subject = next((line for line in said if self.known.begins(line)), "")

    def look_up(self) -> None:
        """Which letter it answers, if it may quote one."""
        text = "\n".join(text.plain or text.markup for text in self.parts.texts)
        long = text.count("\n") > SHORT
        if self.references or self.subject or long or ">" in text or SENDER in text:
            self.answered = self.known.post(self.references, text)

    def read(self) -> None:
        read, parts = self.done, self.parts
        for text in parts.texts:
            own = self._own(text)
            self._take(own)
            read.seen, read.ended = read.seen or own.seen, own.ended
            if read.ended:
                break
        self._take_files()
        unread = [*parts.unread, *(["winmail.dat"] if parts.winmail else [])]
        read.notes += [f"{name} cannot be read: send plain text" for name in unread]
        self._take_subject(read)
        read.notes = list(dict.fromkeys([*read.notes, *told(read.passed)]))
        if not read.lines:
            read.problem = self._nothing()

    def _take(self, own: Read) -> None:
        read = self.done
        read.lines += ["", *own.lines] if read.lines and own.lines else own.lines
        read.notes += own.notes
        read.passed += own.passed
        if len(read.lines) > 2 * MOST_LINES:
            raise Problem("too many lines", limit=MOST_LINES)

    def _take_files(self) -> None:
        """Attached text: the orders themselves, or what there is when the mail says nothing."""
        read, files = self.done, self.parts.files
        named = [file for file in files if _ORDERS_FILE.fullmatch(file[0])]
        if read.lines and (read.ended or not named):
            read.notes += [f"{name} was not read, as there are orders in the mail itself" for name, _ in files]
            return
        if named and (read.lines or read.passed):
            taken = f"your orders were taken from {named[0][0]}; the text of the mail was not read as orders"
            read.notes.append(taken)
            read.lines, read.passed = [], []
        for _, text in named or files:
            self._take(self._steps(plain_lines(text)))

    def _take_subject(self, read: Read) -> None:
        """An order in the subject is read if there is no other; our own subject is none."""
        said = self.subject
        if bare_subject(said) in map(bare_subject, self.answered.subjects):
            return
        if said and read.lines:
            if said.casefold() == ORDERS:
                return  # that of our own buttons
            read.notes.append(f"the subject was not read: `{said[:60]}`; orders go into the mail itself")
        elif said:
            read.lines = [said]
            read.notes.append("your order was taken from the subject of your mail")

    def _own(self, text: TextPart) -> Read:
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
        twin = self._steps(plain_lines(markup), wraps=False)
        if not plain_twin.lines or _folded(plain_twin.lines) == _folded(twin.lines):
            notes, ended = plain_twin.notes or twin.notes, plain_twin.ended or twin.ended
            return Read(twin.lines, notes, None, twin.passed or plain_twin.passed, ended, seen=True)
        return plain_twin

    def _steps(self, lines: list[str], *, wraps: bool = True) -> Read:
        if len(lines) > MOST_RAW_LINES:
            raise Problem("too many lines", limit=MOST_RAW_LINES)
        own = Read(seen=any(lines))
        apart = tell_apart(cut_armour(lines), self.known, self.answered, self.mail.subject)
        if sum(bool(line) for _, some in apart.stretches for line in some) > MOST_LINES:
            raise Problem("too many lines", limit=MOST_LINES)
        for number, (typed_in, some) in enumerate(apart.stretches):
            end = next((n for n, line in enumerate(some) if end_mark(line)), None)
            self._stretch(some[:end], own, quoted=typed_in, wraps=wraps)
            if end is not None:
                own.ended = True
                later = (line for _, below in apart.stretches[number + 1 :] for line in below)
                if any(line.strip() and not quoted(line) for line in (*some[end + 1 :], *later)):
                    own.notes.insert(0, "nothing below END OF ORDERS was read")
                break
        # Who closes his orders with the mark need not be told what became of the quote below it.
        own.notes += [] if own.ended else apart.notes
        own.lines = _tidy(own.lines)
        if apart.key and not any(map(_KEY.match, own.lines)):
            own.lines.insert(0, f"key {apart.key}")  # what was typed into a letter answers what that letter asked
        return own

    def _stretch(self, lines: list[str], own: Read, *, quoted: bool, wraps: bool) -> None:
        if not quoted:
            lines, notes = cut_mark(lines)
            own.notes += notes
            lines, passed = pass_over(lines, self.known.vocabulary, wraps=wraps)
            own.passed += passed
        own.lines += [*lines, ""]

    def _nothing(self) -> Problem:
        parts, read = self.parts, self.done
        kinds = {
            "encrypted": parts.encrypted,
            "winmail": parts.winmail,
            "no text": parts.unread,
            "no order": read.passed,
            "as sent" if self.answered.twins else "quoted": read.seen,
            "empty": True,
        }
        return Problem(next(kind for kind, so in kinds.items() if so), what=", ".join(parts.unread[:5]))


def references(mail: Incoming) -> list[str]:
    """The Message-IDs that a mail answers, the nearest first."""
    assert mail.message is not None
    said = [str(mail.message.get(name, "")) for name in ("In-Reply-To", "References")]
    answered, thread = (_REFERENCE.findall(text) for text in said)
    return list(dict.fromkeys([*answered, *reversed(thread)]))[:MOST_REFERENCES]


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
