"""`pbem book`: a page and a PDF in a folder, and one sentence for whatever is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.campaign_book import book_pdf
from pbem.cli import app
from tests.engine.skirmish import RULEBOOK
from tests.pbem.replay.browser import do_without
from tests.pbem.shelf import only

Run = Callable[..., Result]


@pytest.fixture
def pbem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    only(monkeypatch, RULEBOOK)
    monkeypatch.chdir(tmp_path)

    def run(*args: object) -> Result:
        return CliRunner().invoke(app, [str(arg) for arg in args])

    assert run("play", "skirmish", "--bots", "random", "--seed", 5, "--log", "over.jsonl").exit_code == 0
    return run


def test_a_page_is_written_with_who_played(pbem: Run, tmp_path: Path) -> None:
    (tmp_path / "people.json").write_text('{"names": {"red": "Anna Vatutina"}, "press": []}', encoding="utf-8")
    done = pbem("book", "over.jsonl", "-o", "kept", "--no-pdf")
    assert done.exit_code == 0, done.output
    assert "Anna Vatutina" in (tmp_path / "kept" / "book.html").read_text(encoding="utf-8")
    assert not (tmp_path / "kept" / "book.pdf").exists()


def test_without_a_browser_the_page_is_there_and_a_sentence_says_how_to_print_it(
    pbem: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book_pdf, "BROWSERS", ())
    done = pbem("book", "over.jsonl", "-o", "kept")
    assert done.exit_code == 0
    assert (tmp_path / "kept" / "book.html").exists()
    assert done.stderr == "no PDF was made: Chromium is not installed. Open book.html in a browser and print it.\n"


@pytest.mark.browser
def test_chromium_prints_it(pbem: Run, tmp_path: Path) -> None:
    if book_pdf.browser() is None:
        do_without("no Chromium is installed (apt-get install chromium)")
    done = pbem("book", "over.jsonl", "-o", "kept")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "kept" / "book.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("people", "words"),
    [("{}", "does not tell who played"), ("no json", "does not tell who played"), ('{"names": []}', "does not tell")],
)
def test_a_file_that_does_not_tell_who_played_is_said_so(pbem: Run, tmp_path: Path, people: str, words: str) -> None:
    (tmp_path / "who.json").write_text(people, encoding="utf-8")
    done = pbem("book", "over.jsonl", "-o", "kept", "--people", "who.json")
    assert done.exit_code == 2
    assert words in done.stderr
    assert not (tmp_path / "kept").exists()


def test_a_file_is_no_folder(pbem: Run) -> None:
    done = pbem("book", "over.jsonl", "-o", "over.jsonl")
    assert done.exit_code == 2
    assert "over.jsonl is a file, not a folder" in done.stderr
