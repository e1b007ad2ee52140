"""Every example in the players' handbooks is run: each page is one game, played from its first block to its last.

A page begins with `<!-- game: RULEBOOK SCENARIO seed N -->`. A block `mail SIDE` is sent, a block `letter SIDE` shows
lines of the last letter that the side has got (… stands for anything), a block `sh` is typed in a folder that holds
what was enclosed in the letters. What stands in the page for who adds a game is typed in a copy of the source.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from email.message import EmailMessage
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from typer.testing import CliRunner

from engine.dice import secret_from_seed
from pbem.cli import app
from pbem.desk.lifecycle import invite
from pbem.desk.verbs import VERBS
from pbem.embedded import Accounts, post_folder
from pbem.workshop.new_game import new_game
from tests.pbem.security.office import ANNA, BRUNO, Office, read, text_of
from tests.pbem.shelf import empty_shelf, typed

DOCS = Path(__file__).parent.parent / "docs"
PAGES = ("first-game.md", "players-handbook.md")
ADDING = "adding-a-game.md"
BLOCK = re.compile(r"^```(?P<kind>\w*)(?: (?P<side>\w+))?\n(?P<text>.*?)^```$", re.M | re.S)
GAME = re.compile(r"<!-- game: (?P<book>\w+) (?P<scenario>[\w-]+) seed (?P<seed>\d+) -->")
PLAYERS = {"soviet": ANNA, "german": BRUNO}


class Page:
    """A page being played."""

    def __init__(self, text: str, home: Path) -> None:
        game = GAME.search(text)
        assert game is not None, "the page names no game"
        self.office = Office(home)
        self.office.settings.limits.mails_an_hour = 1000
        secret = secret_from_seed(int(game["seed"]))
        terms = {"deadline": "48h", "pictures": "none"}
        invite(self.office.house, "mill", game["book"], game["scenario"], PLAYERS, settings=terms, secret=secret)
        Accounts(post_folder(self.office.settings)).add("anna@new.example")
        self.last: dict[str, EmailMessage] = {}
        self._got([read(row.raw) for row in self.office.out()])

    def mail(self, side: str, text: str) -> None:
        self._got(self.office.mail(PLAYERS[side], self.office.seat("mill", side), text))
        assert self.office.row().state == "done", text

    def letter(self, side: str, wanted: str) -> None:
        """Every line stands in the letter, in that order."""
        said = text_of(self.last[side])
        lines = iter(said.splitlines())
        for line in filter(str.strip, wanted.splitlines()):
            pattern = re.sub(r"([\[\]?*])", r"[\1]", line.strip()).replace("…", "*")
            assert any(fnmatchcase(one.strip(), pattern) for one in lines), f"{line!r} is not in:\n{said}"

    def typed(self, text: str) -> None:
        for line in text.splitlines():
            words = shlex.split(line)
            assert words[0] == "pbem", line
            result = CliRunner().invoke(app, words[1:])
            assert result.exit_code == 0, f"{line}\n{result.output}"

    def _got(self, letters: list[EmailMessage]) -> None:
        for letter in letters:
            to = str(letter["To"])
            self.last[{address: side for side, address in PLAYERS.items()}.get(to, to)] = letter
            for part in letter.iter_attachments():
                data = part.get_payload(decode=True)
                assert isinstance(data, bytes)
                Path(str(part.get_filename())).write_bytes(data)


def blocks(text: str) -> Iterator[tuple[str, str, str]]:
    for found in BLOCK.finditer(text):
        yield found["kind"], found["side"] or "", found["text"]


@pytest.mark.parametrize("name", PAGES)
def test_every_example_works(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = (DOCS / name).read_text(encoding="utf-8")
    page = Page(text, tmp_path / "house")
    kinds = []
    for kind, side, body in blocks(text):
        kinds.append(kind)
        if kind == "mail":
            page.mail(side, body)
        elif kind == "letter":
            page.letter(side, body)
        else:
            assert kind == "sh", f"a block of no known kind: {body}"
            page.typed(body)
    assert kinds.count("mail") > 4
    assert kinds.count("letter") > 4


def test_every_command_for_adding_a_game_works(tmp_path: Path) -> None:
    page = (DOCS / ADDING).read_text(encoding="utf-8")
    lines = [line for kind, _, body in blocks(page) if kind == "sh" for line in body.splitlines()]
    assert len(typed(empty_shelf(tmp_path), *lines)) == len(lines) > 10


def test_the_example_of_a_case_file_is_one_that_a_new_game_has(tmp_path: Path) -> None:
    new_game("first_snow", empty_shelf(tmp_path))
    shown = next(body for kind, _, body in blocks((DOCS / ADDING).read_text(encoding="utf-8")) if not kind)
    files = [path.read_text(encoding="utf-8") for path in (tmp_path / "tests" / "cases").rglob("*.case")]
    assert any(file.startswith(shown) for file in files)


def test_the_files_named_for_who_adds_a_game_are_there() -> None:
    text = (DOCS / ADDING).read_text(encoding="utf-8")
    named = re.findall(r"`(engine/[\w/]+(?:\.py|/))`", text)
    assert len(named) > 8
    assert [name for name in named if not (DOCS.parent / name).exists()] == []


def test_the_handbook_names_every_verb() -> None:
    text = (DOCS / "players-handbook.md").read_text(encoding="utf-8")
    assert [verb for verb in sorted(VERBS) if f"`{verb}" not in text] == []


@pytest.mark.parametrize("name", [*PAGES, ADDING, "architecture.md", "../CONTRIBUTING.md"])
def test_links_lead_somewhere(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    headings = {re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in text.splitlines()}
    for target in re.findall(r"\]\(([^)]+)\)", text):
        file, _, anchor = target.partition("#")
        assert not file or (DOCS / name).parent.joinpath(file).exists(), target
        assert file or not anchor or anchor in headings, target


def test_the_page_on_architecture_names_every_room() -> None:
    text = (DOCS / "architecture.md").read_text(encoding="utf-8")
    told = {name for row in re.findall(r"^\| (`.*?) \|", text, re.M) for name in re.findall(r"`(\w+)`", row)}
    assert told == {path.parent.name for path in (DOCS.parent / "pbem").glob("*/__init__.py")}


def test_the_picture_shows_what_is_there() -> None:
    people, things = {"players", "command line"}, {"plain files", "order book"}
    shown = re.findall(r'class="name"[^>]*>([^<]+)<', (DOCS / "architecture.svg").read_text(encoding="utf-8"))
    names = {name for text in shown for name in text.split(", ")} - people - things
    modules = {path.stem for package in ("engine", "games", "pbem") for path in (DOCS.parent / package).rglob("*")}
    assert names - modules == set()
    assert len(names) > 15
