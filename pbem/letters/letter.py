"""A letter we send, before it is put into an envelope: what the templates print and nothing else."""

from dataclasses import dataclass, field
from typing import Literal

from pbem.report.report import LetterPicture, Report

Kind = Literal["answer", "report", "reminder", "invitation", "notice"]


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


@dataclass
class Letter:
    """One letter to one reader."""

    kind: Kind
    to: str
    subject: str
    greeting: str = ""
    sections: list[Section] = field(default_factory=list)
    report: Report | None = None
    drawn: list[LetterPicture] = field(default_factory=list)  # pictures besides the report's own
    template: str = ""  # orders to edit, besides the report's own
    enclosures: list[Enclosure] = field(default_factory=list)
    game: str = ""  # the game's id, for the thread
    reply_to: str = ""
    unsubscribe: str = ""  # an address: whatever is mailed there ends letters of this kind
    state: str = ""  # of the reader's orders: missing, draft, accepted or final
    due: str = ""  # by when, in his own time
    key: str = ""  # of what is asked of him
    head: str = ""  # of the hash chain
    commands: tuple[str, ...] = ()  # the foot: what he may write
    answers: str = ""  # the Message-ID of the mail it answers
    thread: tuple[str, ...] = ()  # References

    @property
    def pictures(self) -> tuple[LetterPicture, ...]:
        return (*(self.report.pictures if self.report is not None else ()), *self.drawn)

    @property
    def draft(self) -> str:
        """Orders ready to edit, under the key of what they answer."""
        if self.report is None or not self.key:
            return self.template
        return f"key {self.key}\n{self.template or self.report.draft}"

    @property
    def preview(self) -> str:
        """What a mail reader shows beside the subject."""
        if self.report is not None:
            return self.report.headline
        return self.greeting or (self.sections[0].heading if self.sections else self.subject)

    @property
    def foot(self) -> tuple[tuple[str, str], ...]:
        """How the reader's orders stand, by when they are due, for what, and the head of the chain."""
        rows = (("Your orders", self.state), ("Due", self.due), ("Key", self.key), ("Head", self.head))
        return tuple(row for row in rows if row[1])

    def say(self, heading: str, *lines: str, exact: bool = False) -> None:
        """Some lines under a heading; said again at once, they go under the same one."""
        last = self.sections[-1] if self.sections else None
        if last is not None and (last.heading, last.exact) == (heading, exact):
            self.sections[-1] = Section(heading, (*last.lines, *lines), exact)
        else:
            self.sections.append(Section(heading, lines, exact))
