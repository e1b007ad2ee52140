"""A folder begun by `pbem new-game` is whole: its own tests pass, bots play it to its end, the linters are content."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import app

ROOT = Path(__file__).parents[2]
NAME = "first_snow"
SHARED = ("engine", "pbem", "templates", "pyproject.toml", "tests/conftest.py", "tests/test_cases.py")
SHARED_TESTS = ("tests/test_ledgers.py", "tests/games/test_folders.py", "tests/games/conftest.py")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source with an empty shelf, and the new game in it."""
    root = tmp_path_factory.mktemp("source")
    for folder in ("games", "tests/games"):
        (root / folder).mkdir(parents=True)
    for name in (*SHARED, *SHARED_TESTS):
        (root / name).symlink_to(ROOT / name)
    shutil.copy(ROOT / "games" / "__init__.py", root / "games")
    begun = CliRunner().invoke(app, ["new-game", NAME, "--root", str(root)])
    assert begun.exit_code == 0, begun.output
    return root


def run(root: Path, *words: str) -> str:
    """A command run in the copy."""
    inside = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run([sys.executable, *words], cwd=root, env=inside, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def pbem(root: Path, *words: str) -> str:
    return run(root, "-c", "from pbem.cli import app; app()", *words)


def test_its_own_tests_pass_and_try_every_case(source: Path) -> None:
    said = pbem(source, "coverage", NAME)
    assert "11 of 11 cases have a passing test" in said
    assert "fail" not in said
    run(source, "-m", "pytest", "-p", "no:cacheprovider", "tests")


@pytest.mark.parametrize("bots", ["random", "sensible"])
def test_bots_play_it_to_its_end_and_the_log_verifies(source: Path, tmp_path: Path, bots: str) -> None:
    log = str(tmp_path / "first.jsonl")
    assert "ended:" in pbem(source, "play", NAME, "--bots", bots, "--log", log)
    assert "verifies" in pbem(source, "verify", log)


def test_its_map_and_its_pages_are_made(source: Path, tmp_path: Path) -> None:
    pbem(source, "map", NAME, "--out", str(tmp_path / "map.png"))
    pbem(source, "reference", NAME, "-o", str(tmp_path))
    assert (tmp_path / "map.png").stat().st_size > 10_000
    assert "attack HEX with UNIT, UNIT..." in (tmp_path / f"{NAME}.md").read_text(encoding="utf-8")


def test_the_linter_has_nothing_to_say(source: Path) -> None:
    folders = (f"games/{NAME}", f"tests/games/{NAME}")
    run(source, "-m", "ruff", "check", "--no-cache", *folders)
    run(source, "-m", "ruff", "format", "--no-cache", "--check", *folders)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("First", "small letters"),
        ("2nd", "small letters"),
        ("first-snow", "single underscores"),
        ("class", "small letters"),
        ("referee", "nothing there may name a game"),
        (NAME, f"games/{NAME} is there already"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_what_would_do(source: Path, name: str, why: str) -> None:
    before = sorted(source.rglob("*"))
    said = CliRunner().invoke(app, ["new-game", name, "--root", str(source)])
    assert said.exit_code == 2
    assert why in " ".join(said.output.split())
    assert sorted(source.rglob("*")) == before


def test_a_folder_that_is_no_copy_of_the_source_is_refused(tmp_path: Path) -> None:
    said = CliRunner().invoke(app, ["new-game", NAME, "--root", str(tmp_path)])
    assert said.exit_code == 2
    assert "no copy of the source" in said.output
    assert not list(tmp_path.iterdir())
