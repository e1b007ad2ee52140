"""`pbem report` and `pbem reference`: files written, and one sentence for whatever is wrong."""

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
    """The command line in a folder with one game under way."""
    only(monkeypatch, RULEBOOK)
    monkeypatch.chdir(tmp_path)

    def run(*args: object) -> Result:
        return CliRunner().invoke(app, [str(arg) for arg in args])

    assert run("new", "skirmish", "--log", "a.jsonl", "--seed", 3).exit_code == 0
    Path("orders.txt").write_text("move R1 0203\nmove R2 0303\nend\n", encoding="utf-8")
    assert run("order", "--log", "a.jsonl", "--side", "red", "orders.txt").exit_code == 0
    return run


def wrong(result: Result, words: str) -> None:
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert words in result.stderr


@pytest.mark.parametrize("verb", ["report", "reference"])
def test_the_verbs_have_help_with_an_example(pbem: Run, verb: str) -> None:
    assert f"Example: pbem {verb}" in pbem(verb, "--help").stdout


def test_a_report_is_written_as_files(pbem: Run) -> None:
    result = pbem("report", "--log", "a.jsonl", "--line", 1, "--side", "blue", "-o", "out")
    assert result.exit_code == 0, result.output
    assert {path.name for path in Path("out").iterdir()} >= {"report.html", "report.txt", "map.png", "map-full.png"}
    text = Path("out/report.txt").read_text(encoding="utf-8")
    assert "R1: 0202 to 0203, 1 hex" in text
    assert Path("out/map.png").read_bytes().startswith(b"\x89PNG")


def test_what_is_wrong_is_said_in_one_sentence(pbem: Run) -> None:
    make = ("report", "--log", "a.jsonl", "-o", "out", "--side")
    wrong(pbem(*make, "green"), "there is no side 'green'; there is red or blue")
    wrong(pbem(*make, "red", "--line", 9), "there is no line 9; the lines are 0 to 1")
    wrong(pbem(*make, "red", "--since", 1), "nothing came after line 1")
    wrong(pbem("report", "--log", "b.jsonl", "-o", "out", "--side", "red"), "there is no file b.jsonl")
    wrong(pbem("report", "--log", "a.jsonl", "-o", "orders.txt", "--side", "red"), "a file, not a folder")
    assert not Path("out").exists()


def test_a_damaged_or_empty_log_is_said_in_one_sentence(pbem: Run) -> None:
    make = ("report", "--log", "a.jsonl", "-o", "out", "--side", "red")
    log = Path("a.jsonl")
    whole = log.read_bytes()
    log.write_bytes(whole.replace(b"0203", b"0204"))
    wrong(pbem(*make), "damaged")
    log.write_bytes(b"")
    wrong(pbem(*make), "damaged")


def test_reference_pages_are_written_as_markdown_and_text(pbem: Run) -> None:
    assert pbem("reference", "skirmish", "-o", "pages").exit_code == 0
    assert "`attack HEX with UNIT, UNIT...`" in Path("pages/skirmish.md").read_text(encoding="utf-8")
    assert "attack HEX with" in Path("pages/skirmish.txt").read_text(encoding="utf-8")
    wrong(pbem("reference", "skirmsh", "-o", "pages"), "did you mean skirmish?")
