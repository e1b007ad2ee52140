"""A folder begun by `pbem new-game` is whole: its own tests pass, bots play it to its end, the linters are content."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import app
from tests.pbem.shelf import empty_shelf, typed

NAME = "first_snow"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source with an empty shelf, and the new game in it."""
    root = empty_shelf(tmp_path_factory.mktemp("source"))
    begun = CliRunner().invoke(app, ["new-game", NAME, "--root", str(root)])
    assert begun.exit_code == 0, begun.output
    return root


def test_bots_play_it_to_its_end_and_its_map_and_pages_are_made(source: Path) -> None:
    *played, judged, _map, _pages = typed(
        source,
        f"pbem play {NAME} --bots random --log random.jsonl",
        f"pbem play {NAME} --bots sensible --log sensible.jsonl",
        "pbem verify sensible.jsonl",
        f"pbem map {NAME} --out map.png",
        f"pbem reference {NAME} -o pages",
    )
    assert all("ended:" in said for said in played)
    assert "verifies" in judged
    assert (source / "map.png").stat().st_size > 10_000
    assert "attack HEX with UNIT, UNIT..." in (source / "pages" / f"{NAME}.md").read_text(encoding="utf-8")


def test_its_own_tests_pass_and_try_every_case_and_the_linter_has_nothing_to_say(source: Path) -> None:
    folders = f"games/{NAME} tests/games/{NAME}"
    _tests, covered, *_ = typed(
        source,
        "pytest -p no:cacheprovider tests",
        f"pbem coverage {NAME}",
        f"ruff check --no-cache {folders}",
        f"ruff format --no-cache --check {folders}",
    )
    assert "11 of 11 cases have a passing test" in covered
    assert "fail" not in covered


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


@pytest.mark.parametrize("there", [[], ["games/__init__.py"]], ids=["empty", "installed"])
def test_a_folder_that_is_no_copy_of_the_source_is_refused(tmp_path: Path, there: list[str]) -> None:
    for file in there:
        (tmp_path / file).parent.mkdir()
        (tmp_path / file).touch()
    said = CliRunner().invoke(app, ["new-game", NAME, "--root", str(tmp_path)])
    assert said.exit_code == 2
    assert "no copy of the source" in " ".join(said.output.split())
    assert not list(tmp_path.rglob(NAME))
