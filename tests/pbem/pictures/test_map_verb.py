"""`pbem map`: what it writes, and that nothing wrong is more than one sentence."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner, Result

from pbem.cli import app
from tests.engine.skirmish import RULEBOOK
from tests.pbem.shelf import only

Run = Callable[..., Result]


@pytest.fixture
def pbem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """The command line in an empty folder, with one small game on the shelf and under way."""
    only(monkeypatch, RULEBOOK)
    monkeypatch.chdir(tmp_path)

    def run(*args: object) -> Result:
        return CliRunner().invoke(app, [str(arg) for arg in args])

    assert run("new", "skirmish", "--log", "a.jsonl", "--seed", 3).exit_code == 0
    return run


def opened(name: str) -> Image.Image:
    return Image.open(BytesIO(Path(name).read_bytes()))


def test_a_rulebook_is_drawn_as_its_empty_board(pbem: Run) -> None:
    result = pbem("map", "skirmish", "-o", "board.png")
    assert result.exit_code == 0, result.output
    assert opened("board.png").format == "PNG"
    assert "board.png" in result.stdout


def test_a_game_is_drawn_whole_in_part_and_as_svg(pbem: Run) -> None:
    assert pbem("map", "--log", "a.jsonl", "-o", "whole.png", "--width", 300).exit_code == 0
    assert opened("whole.png").width == 300
    assert pbem("map", "--log", "a.jsonl", "--side", "red", "--crop", "0202, 0303", "-o", "part.png").exit_code == 0
    assert pbem("map", "--log", "a.jsonl", "--at", 0, "--svg", "-o", "whole.svg").exit_code == 0
    assert Path("whole.svg").read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["-o", "x.png"], "one of the two"),
        (["skirmish", "--log", "a.jsonl", "-o", "x.png"], "one of the two"),
        (["nothing", "-o", "x.png"], "there is no game called 'nothing'"),
        (["--log", "none.jsonl", "-o", "x.png"], "there is no file none.jsonl"),
        (["--log", "a.jsonl", "--at", "9", "-o", "x.png"], "there is no line 9"),
        (["--log", "a.jsonl", "--side", "green", "-o", "x.png"], "there is no side 'green'"),
        (["--log", "a.jsonl", "--crop", "9999", "-o", "x.png"], "there is no hex 9999"),
        (["--log", "a.jsonl", "--crop", ",", "-o", "x.png"], "name the hexes"),
        (["--log", "a.jsonl", "-o", "away/x.png"], "there is no folder away"),
        (["--log", "a.jsonl", "-o", "."], "is a folder"),
        (["--log", "a.jsonl"], "-o"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_one_sentence(pbem: Run, args: list[str], words: str) -> None:
    result = pbem("map", *args)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert words in result.stderr
    assert not Path("x.png").exists()


def test_a_damaged_log_is_not_drawn(pbem: Run) -> None:
    Path("a.jsonl").write_text("nonsense\n", encoding="utf-8")
    result = pbem("map", "--log", "a.jsonl", "-o", "x.png")
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
