"""`pbem replay`: page, film or text, and one sentence for whatever is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from pbem.cli import app
from tests.engine.skirmish import RULEBOOK
from tests.pbem.shelf import only

Run = Callable[..., Result]


@pytest.fixture
def pbem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line in a folder with a finished game and one that has just begun."""
    only(monkeypatch, RULEBOOK)
    monkeypatch.chdir(tmp_path)

    def run(*args: object) -> Result:
        return CliRunner().invoke(app, [str(arg) for arg in args])

    assert run("play", "skirmish", "--bots", "random", "--seed", 5, "--log", "over.jsonl").exit_code == 0
    assert run("new", "skirmish", "--seed", 5, "--log", "begun.jsonl").exit_code == 0
    return run


def wrong(result: Result, words: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stderr.count("\n") == 1
    assert words in result.stderr


@pytest.mark.parametrize("log", ["over.jsonl", "begun.jsonl"])
def test_a_page_and_a_film_are_written(pbem: Run, log: str) -> None:
    result = pbem("replay", log, "-o", "page.html", "--film", "film.webp", "--side", "red")
    assert result.exit_code == 0, result.output
    assert Path("page.html").read_text("utf-8").startswith("<!doctype html>")
    assert Path("film.webp").read_bytes()[8:12] == b"WEBP"


def test_a_page_can_end_at_a_line(pbem: Run) -> None:
    assert pbem("replay", "over.jsonl", "--at", 2, "-o", "page.html").exit_code == 0
    assert "3 lines, what is open to all" in Path("page.html").read_text("utf-8")


def test_bad_input_is_answered_in_one_sentence(pbem: Run) -> None:
    wrong(pbem("replay", "no.jsonl", "-o", "page.html"), "there is no file no.jsonl")
    wrong(pbem("replay", "over.jsonl", "--at", 99, "-o", "page.html"), "there is no line 99")
    wrong(pbem("replay", "over.jsonl", "--side", "green", "-o", "page.html"), "there is red or blue")
    wrong(pbem("replay", "over.jsonl", "-o", "nowhere/page.html"), "there is no folder nowhere")
    wrong(pbem("replay", "over.jsonl", "--film", "nowhere/film.webp"), "there is no folder nowhere")
    Path("over.jsonl").write_bytes(Path("over.jsonl").read_bytes().replace(b'"rules":"1"', b'"rules":"2"', 1))
    wrong(pbem("replay", "over.jsonl", "-o", "page.html"), "damaged")
    Path("empty.jsonl").write_bytes(b"")
    wrong(pbem("replay", "empty.jsonl", "-o", "page.html"), "damaged")
    assert not Path("page.html").exists()


def test_a_running_game_without_its_secret_has_no_page(pbem: Run) -> None:
    Path("begun.jsonl.secret").unlink()
    wrong(pbem("replay", "begun.jsonl", "-o", "page.html"), "secret")
