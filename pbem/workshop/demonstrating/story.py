"""What a campaign by mail leaves behind: every mail, its pictures, and an index page that reads like a story."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parseaddr, parsedate_to_datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem import TEMPLATES

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
    lines: tuple[str, ...]  # what a player wrote
    mail: str  # the files that show it
    short: str = ""  # what a letter says in one sentence
    page: str = ""
    enclosed: tuple[tuple[str, str], ...] = ()  # what it encloses, by name and file
    pictures: int = 0

    @property
    def time(self) -> str:
        return f"{self.sent:%H:%M:%S}"

    @property
    def board(self) -> str:
        return dict(self.enclosed).get("orders.html", "")


@dataclass
class Chapter:
    """The mails of one turn."""

    title: str
    scenes: list[SentMail] = field(default_factory=list)


class Story:
    """A folder that fills as the mails go by."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "mails").mkdir(parents=True, exist_ok=True)
        self.chapters: list[Chapter] = []
        self.count = 0

    def chapter(self, title: str) -> None:
        """The next mails stand under this heading."""
        if not self.chapters or self.chapters[-1].title != title:
            self.chapters.append(Chapter(title))

    def order(self, writer: str, mail: EmailMessage, lines: list[str]) -> None:
        """A player has written."""
        name = self._keep(mail)
        subject = str(mail["Subject"])
        self._add(SentMail(self.count, _sent(mail), writer, "the referee", subject, tuple(lines), f"{name}.eml"))

    def letter(self, reader: str, mail: EmailMessage) -> None:
        """A player has got a letter: its HTML twin is put where a browser can show it, with all it encloses."""
        name = self._keep(mail)
        html, pictures = _opened(mail, name)
        enclosed = {f"{name}-{file}": data for file, data in _enclosed(mail)}
        for file, data in {**pictures, **enclosed}.items():
            (self.folder / "mails" / file).write_bytes(data)
        page = f"{name}.html" if html else ""
        if html:
            (self.folder / "mails" / page).write_text(html, encoding="utf-8")
        self._add(
            SentMail(
                self.count,
                _sent(mail),
                parseaddr(str(mail["From"]))[0] or "the referee",
                reader,
                str(mail["Subject"]),
                (),
                f"{name}.eml",
                short_of(mail),
                page,
                tuple((file.partition("-")[2], file) for file in enclosed),
                len(pictures),
            )
        )

    def write_index(self, title: str, facts: list[tuple[str, str]], files: list[tuple[str, str]]) -> Path:
        """The page to open first: what was played, chapter by chapter, and what else lies in the folder."""
        environment = Environment(
            loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=True, trim_blocks=True
        )
        chapters = [chapter for chapter in self.chapters if chapter.scenes]
        for chapter in chapters:
            chapter.scenes.sort(key=lambda scene: (scene.sent, scene.number))
        page = environment.get_template("demo.html")
        index = self.folder / "index.html"
        letters = [scene for chapter in chapters for scene in chapter.scenes if scene.page]
        best = max(letters, key=lambda scene: (scene.pictures, -scene.number), default=None)
        board = self._first_board(chapters)
        shown = page.render(
            title=title, facts=facts, files=files, chapters=chapters, shown=SHOWN, best=best, board=board
        )
        index.write_text(shown, encoding="utf-8")
        return index

    @staticmethod
    def _first_board(chapters: list[Chapter]) -> SentMail | None:
        """An order board of the first turn that had any, for the reader to try: one with much to do."""
        turns = [chapter for chapter in chapters if chapter.title.startswith("Turn")]
        boards = [[scene for scene in chapter.scenes if scene.board] for chapter in turns]
        first = next(filter(None, boards), [])
        return first[min(1, len(first) - 1)] if first else None

    def _keep(self, mail: EmailMessage) -> str:
        self.count += 1
        name = f"{self.count:03d}"
        (self.folder / "mails" / f"{name}.eml").write_bytes(mail.as_bytes(policy=SMTP))
        return name

    def _add(self, scene: SentMail) -> None:
        self.chapters[-1].scenes.append(scene)


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


def _sent(mail: EmailMessage) -> datetime:
    return parsedate_to_datetime(str(mail["Date"]))
