"""What a campaign by mail leaves behind: every mail, its pictures, and an index page that reads like a story."""

import re
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import parsedate_to_datetime
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from pbem import TEMPLATES

SHOWN = 8  # order lines that are shown before the rest is folded away
_SHORT = re.compile(r"In short: (.+?)\n\s*\n", re.S)
_HEADLINE = re.compile(r"^Report for [^:]+: (.+)$", re.M)


@dataclass(frozen=True)
class SentMail:
    """One mail of the story."""

    number: int
    sent: datetime
    writer: str
    reader: str
    lines: tuple[str, ...]  # what a player wrote
    short: str  # what a letter says in one sentence
    mail: str  # the files that show it
    page: str
    picture: str

    @property
    def time(self) -> str:
        return f"{self.sent:%H:%M:%S}"


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
        self._add(SentMail(self.count, _sent(mail), writer, "the referee", tuple(lines), "", f"{name}.eml", "", ""))

    def letter(self, reader: str, mail: EmailMessage) -> None:
        """A player has got a letter: its HTML twin is put where a browser can show it with its pictures."""
        name = self._keep(mail)
        html, pictures = _opened(mail, name)
        for file, data in pictures.items():
            (self.folder / "mails" / file).write_bytes(data)
        page = f"{name}.html" if html else ""
        if html:
            (self.folder / "mails" / page).write_text(html, encoding="utf-8")
        picture = self._shown(reader, list(pictures))
        said = short_of(mail)
        self._add(SentMail(self.count, _sent(mail), "the referee", reader, (), said, f"{name}.eml", page, picture))

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
        shown = page.render(title=title, facts=facts, files=files, chapters=chapters, shown=SHOWN)
        index.write_text(shown, encoding="utf-8")
        return index

    def _shown(self, reader: str, pictures: list[str]) -> str:
        """The fighting if there was any; the whole map once a chapter."""
        fighting = next((name for name in pictures if "fighting" in name), "")
        before = any(scene.picture and scene.reader == reader for scene in self.chapters[-1].scenes)
        return fighting or ("" if before else next(iter(pictures), ""))

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
    headline, short = _HEADLINE.search(text), _SHORT.search(text)
    if headline or short:
        return " ".join(f"{_flat(match[1]).rstrip('.')}." for match in (headline, short) if match)
    first, *rest = (text.strip().split("\n\n") or [""])[0].splitlines() or [""]
    ruled = bool(rest) and set(rest[0].strip()) <= {"-", "="}
    return f"{first}: {_flat(' '.join(rest[1:]))}" if ruled else _flat(" ".join([first, *rest]))


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
