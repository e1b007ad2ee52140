"""What a campaign by mail leaves behind: every mail, its pictures, and an index page that reads like a story."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path
from typing import Any

from pbem.report.printing import paper

SHOWN = 8  # order lines that are shown before the rest is folded away
KEPT = ("orders.html", "book.html", "report.txt")  # what a letter encloses that is worth opening
_SHORT = re.compile(r"^IN SHORT\n((?:  .+\n?)+)", re.M)


@dataclass(frozen=True)
class SentMail:
    """One mail of the story."""

    number: int
    sent: datetime
    writer: str
    reader: str
    subject: str
    mail: str  # the files that show it
    lines: tuple[str, ...] = ()  # what a player wrote
    short: str = ""  # what a letter says in one sentence
    page: str = ""
    enclosed: tuple[tuple[str, str], ...] = ()  # what it encloses, by name and file
    pictures: int = 0

    @property
    def board(self) -> str:
        return dict(self.enclosed).get("orders.html", "")


class Story:
    """A folder that fills as the mails go by."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "mails").mkdir(parents=True, exist_ok=True)
        self.chapters: dict[str, list[SentMail]] = {}  # the mails of a turn, under its title
        self.count = 0

    def chapter(self, title: str) -> None:
        """The next mails stand under this heading."""
        self.chapters.setdefault(title, [])

    def order(self, writer: str, mail: EmailMessage, lines: list[str]) -> None:
        """A player has written."""
        self._add(mail, writer, "the referee", lines=tuple(lines))

    def letter(self, reader: str, mail: EmailMessage) -> None:
        """A player has got a letter: its HTML twin is put where a browser can show it, with all it encloses."""
        name = f"{self.count + 1:03d}"
        html, pictures = _opened(mail, name)
        enclosed = {f"{name}-{file}": data for file, data in _enclosed(mail)}
        page = {f"{name}.html": html.encode()} if html else {}
        for file, data in {**pictures, **enclosed, **page}.items():
            (self.folder / "mails" / file).write_bytes(data)
        self._add(
            mail,
            parseaddr(str(mail["From"]))[0] or "the referee",
            reader,
            short=short_of(mail),
            page="".join(page),
            enclosed=tuple((file.partition("-")[2], file) for file in enclosed),
            pictures=len(pictures),
        )

    def write_index(self, title: str, facts: list[tuple[str, str]], files: list[tuple[str, str]]) -> Path:
        """The page to open first: what was played, chapter by chapter, and what else lies in the folder."""
        chapters = {heading: sorted(scenes, key=_when) for heading, scenes in self.chapters.items() if scenes}
        letters = [scene for scenes in chapters.values() for scene in scenes if scene.page]
        best = max(letters, key=lambda scene: (scene.pictures, -scene.number), default=None)
        index = self.folder / "index.html"
        told = {"title": title, "facts": facts, "files": files, "chapters": chapters, "shown": SHOWN}
        shown = paper("html").get_template("demo.html").render(told, best=best, board=self._first_board(chapters))
        index.write_text(shown, encoding="utf-8")
        return index

    @staticmethod
    def _first_board(chapters: dict[str, list[SentMail]]) -> SentMail | None:
        """An order board of the first turn that had any, for the reader to try: one with much to do."""
        turns = [scenes for title, scenes in chapters.items() if title.startswith("Turn")]
        first = next(filter(None, ([scene for scene in scenes if scene.board] for scenes in turns)), [])
        return first[min(1, len(first) - 1)] if first else None

    def _add(self, mail: EmailMessage, writer: str, reader: str, **more: Any) -> None:
        self.count += 1
        file, sent = f"{self.count:03d}.eml", parsedate_to_datetime(str(mail["Date"]))
        (self.folder / "mails" / file).write_bytes(mail.as_bytes(policy=SMTP))
        last = [*self.chapters.values()][-1]
        last.append(SentMail(self.count, sent, writer, reader, str(mail["Subject"]), file, **more))


def _when(scene: SentMail) -> tuple[datetime, int]:
    return scene.sent, scene.number


def short_of(mail: EmailMessage) -> str:
    """What a letter comes to, in a sentence or two."""
    part = mail.get_body(("plain",))
    text = str(part.get_content()) if part is not None else ""
    short = _SHORT.search(text)
    if short:
        return _flat(short[1].splitlines()[0])
    paragraphs = [_flat(paragraph) for paragraph in text.split("\n\n")[1:] if paragraph.strip()]
    return paragraphs[0] if paragraphs else _flat(text)


def _enclosed(mail: EmailMessage) -> Iterator[tuple[str, bytes]]:
    for part in mail.iter_attachments():
        data = part.get_payload(decode=True)
        if part.get_filename() in KEPT and isinstance(data, bytes):
            yield str(part.get_filename()), data


def _flat(text: str) -> str:
    return " ".join(text.split())


def _opened(mail: EmailMessage, name: str) -> tuple[str, dict[str, bytes]]:
    """A letter's HTML, its pictures by the names of their files, those in the text first."""
    body = mail.get_body(("html",))
    html = str(body.get_content()) if body is not None else ""
    inside: dict[str, bytes] = {}
    attached: dict[str, bytes] = {}
    for part in mail.walk():
        if part.get_content_maintype() != "image":
            continue
        assert isinstance(part, EmailMessage)
        file = f"{name}-{Path(part.get_filename() or 'picture.png').name}"
        data = part.get_payload(decode=True)
        assert isinstance(data, bytes)
        cid = str(part.get("Content-ID", "")).strip("<> ")
        (inside if cid and f"cid:{cid}" in html else attached)[file] = data
        html = html.replace(f"cid:{cid}", file) if cid else html
    return html, {**inside, **attached}
