"""A letter we send, before it is put into an envelope: what the templates print and nothing else."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.letters.subjects import Kind, sentence, subject_line
from pbem.report.dispatch import AskBox, Button, Dispatch
from pbem.report.report import LetterPicture, Report
from pbem.wording.naming import in_groups, short, titled
from pbem.wording.rulings import Refused

MOST_PREHEADER = 90
REPORT = "report.txt"  # all that a letter leaves out


@dataclass(frozen=True)
class Section:
    """Some lines under a heading; `exact` ones keep their spaces, like a template to edit."""

    heading: str
    lines: tuple[str, ...]
    exact: bool = False


@dataclass(frozen=True)
class Enclosure:
    """A file that goes with the letter; one with a `source` stands in the text."""

    name: str
    kind: str  # "image/png", or with a parameter, "text/calendar; method=PUBLISH"
    data: bytes
    source: str = ""  # the Content-ID the HTML twin refers to
    sketch: Mapping[str, Any] | None = None  # what is drawn when the letter is sent; until then there is no data


@dataclass
class Letter:
    """One letter to one reader."""

    kind: Kind
    to: str
    about: str = ""  # what its subject says behind the kind; without it, what it says first
    greeting: str = ""
    topic: str = ""  # the same for the title over it, where that is shorter
    sections: list[Section] = field(default_factory=list)
    report: Report | None = None  # all that happened; goes along as report.txt
    dispatch: Dispatch | None = None  # of that, what stands in the letter
    tells: dict[str, Any] = field(default_factory=dict)  # of which lines the report is, so that it can be made again
    box: AskBox | None = None  # what is asked of whom, by when
    buttons: tuple[Button, ...] = ()  # mails ready to be sent, where nothing is asked yet
    drawn: list[LetterPicture] = field(default_factory=list)  # pictures that were asked for
    template: str = ""  # orders to edit
    echo: tuple[str, ...] = ()  # the reader's orders, line by line
    tally: str = ""  # the same in a line: 35 of 35 done
    refused: tuple[Refused, ...] = ()  # those that were not carried out, and why
    advice: str = ""  # what to do about them
    enclosures: list[Enclosure] = field(default_factory=list)
    game: str = ""  # the game's id, for the thread
    title: str = ""  # what is played
    sides: tuple[str, ...] = ()  # whose names are told with capitals
    seated: str = ""  # who the reader is at the table, against whom
    when: str = ""  # turn, date, weather
    writer: str = ""  # whose words these are, if they are a player's
    by: str = ""  # the deadline, short, in the reader's own time
    due: str = ""  # the same at length, for the order board
    reply_to: str = ""
    unsubscribe: str = ""  # an address: whatever is mailed there ends letters of this kind
    state: str = ""  # of the reader's orders: missing, draft, accepted or final
    key: str = ""  # of what is asked of him
    head: str = ""  # of the hash chain
    commands: tuple[str, ...] = ()  # the foot: what he may write
    answers: str = ""  # the Message-ID of the mail it answers
    thread: tuple[str, ...] = ()  # References

    @property
    def subject(self) -> str:
        return subject_line(self.kind, self._about, self.game, by=self.by, writer=self.writer)

    @property
    def headline(self) -> str:
        """The title over the letter; by when stands in the box below it."""
        return sentence(self.kind, self.topic or self._about, writer=self.writer)

    @property
    def _about(self) -> str:
        first = next((section.heading for section in self.sections), "") or self.greeting
        said = first.rstrip(".").removeprefix("The moderator ") if self.kind == "ruling" else first.rstrip(".")
        return titled(self.about or said, self.sides)

    @property
    def above(self) -> str:
        """The line over the title: what is played, and where it stands."""
        return " · ".join(part for part in (self.title, self.when) if part)

    @property
    def below(self) -> str:
        """The line under it: who the reader is, and in which game."""
        return " · ".join(part for part in (self.seated, f"game {self.game}" if self.game else "") if part)

    @property
    def preheader(self) -> str:
        """What a mail reader shows beside the subject: what was done, and what it cost."""
        told = self.dispatch.short.preheader if self.dispatch is not None else ""
        said = " ".join(part for part in (f"{self.tally}." if self.tally else "", told) if part)
        if not said:
            heading = self.sections[0] if self.sections else None
            said = self.greeting or (f"{heading.heading}: {' '.join(heading.lines)}" if heading else self.headline)
        return short(titled(said, self.sides), MOST_PREHEADER)

    @property
    def sheet(self) -> str:
        """Orders ready to edit, under the key of what they answer."""
        return f"key {self.quoted}\n{self.template}" if self.key and self.template else self.template

    @property
    def quoted(self) -> str:
        """The key as an answer quotes it: in mid-play it is meant for that question and no other."""
        return f"{self.key} question" if self.box is not None and self.box.answers else self.key

    @property
    def proof(self) -> str:
        """The head of the chain, in groups, and the line after which it is."""
        after = f" after line {self.report.line}" if self.report is not None else ""
        return f"Head of the log{after}: {in_groups(self.head)}"

    @property
    def attached(self) -> Sequence[str]:
        """The files that lie beside the text."""
        return [file.name for file in self.enclosures if not file.source]

    def say(self, heading: str, *lines: str, exact: bool = False) -> None:
        """Some lines under a heading; said again at once, they go under the same one."""
        last = self.sections[-1] if self.sections else None
        if last is not None and (last.heading, last.exact) == (heading, exact):
            self.sections[-1] = Section(heading, (*last.lines, *lines), exact)
        else:
            self.sections.append(Section(heading, lines, exact))
