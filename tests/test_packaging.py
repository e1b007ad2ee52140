"""What is installed is whole: a wheel holds the templates inside its packages, and runs where no source is."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import games
from pbem import TEMPLATES

ROOT = Path(__file__).parent.parent
OWN = {"engine", "games", "pbem"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what a wheel would install."""
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
        wheel.extractall(folder / "site")
    return folder / "site"


def test_a_wheel_has_three_packages_and_its_licence(installed: Path) -> None:
    assert {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")} == OWN
    assert len(list(installed.glob("*.dist-info/licenses/LICENSE"))) == 1


def test_the_units_name_the_wheel_that_is_built_here(installed: Path) -> None:
    (wheel,) = installed.parent.glob("*.whl")
    units = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "packaging").glob("*.service")}
    assert f"pip install dist/{wheel.name}" in units["fieldpost.service"]
    assert f"pip install 'dist/{wheel.name}[postgres]'" in units["fieldpost@.service"]


def test_migrations_go_with_it(installed: Path) -> None:
    found = {path.name for path in (installed / "pbem" / "store" / "migrations").rglob("*") if path.is_file()}
    assert {"env.py", "script.py.mako", "v0001_first_tables.py"} <= found


def test_every_template_and_every_rulebook_is_in_it(installed: Path) -> None:
    there = {
        path.relative_to(installed / "pbem" / "templates") for path in (installed / "pbem" / "templates").rglob("*")
    }
    assert there == {path.relative_to(TEMPLATES) for path in TEMPLATES.rglob("*")}
    files = [path for name in games.titles() for path in (games.HERE / name).rglob("*.*") if path.suffix != ".pyc"]
    assert [path for path in files if not (installed / path.relative_to(ROOT)).exists()] == []


def test_a_game_is_begun_and_played_with_it_in_any_folder(installed: Path, tmp_path: Path) -> None:
    """As who installed it types it; what it stands on comes from where the tests have it."""
    inside = {**os.environ, "PYTHONPATH": str(installed), "PYTHONDONTWRITEBYTECODE": "1"}
    pbem = [sys.executable, "-c", "from pbem.cli import app; app()"]
    for line in ("new-game first_snow", "play first_snow --log a.jsonl", "replay a.jsonl -o a.html"):
        done = subprocess.run(
            [*pbem, *line.split()], cwd=tmp_path, env=inside, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "games" / "first_snow" / "game.py").exists()
    assert (tmp_path / "a.html").stat().st_size > 10_000
