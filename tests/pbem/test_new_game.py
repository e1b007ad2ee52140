"""A folder begun by `pbem new-game` is whole: its own tests pass, bots play it to its end, the linters are content."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import games
from pbem.cli import app
from tests.pbem.shelf import ROOT, empty_shelf, typed

NAME = "first_snow"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the source with an empty shelf, and the new game in it."""
    root = empty_shelf(tmp_path_factory.mktemp("source"))
    typed(root, f"pbem new-game {NAME}")
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
        (next(iter(games.titles())), "the library has a game of that name"),
    ],
)
def test_a_name_that_cannot_be_is_refused_with_what_would_do(
    source: Path, name: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(source)
    before = sorted(source.rglob("*"))
    said = CliRunner().invoke(app, ["new-game", name])
    assert said.exit_code == 2
    assert why in " ".join(said.output.split())
    assert sorted(source.rglob("*")) == before


@pytest.fixture
def away(tmp_path: Path) -> Path:
    """A folder that is no copy of the source, with a game begun in it."""
    typed(tmp_path, f"pbem new-game {NAME}", inside=ROOT)
    return tmp_path


def test_a_game_begun_anywhere_is_found_there(away: Path) -> None:
    assert not (away / "tests").exists()
    listed, played, judged = typed(
        away, "pbem games", f"pbem play {NAME} --bots random --log a.jsonl", "pbem verify a.jsonl", inside=ROOT
    )
    assert f"{NAME}: First Snow" in listed
    assert "ended:" in played
    assert "verifies" in judged


def test_a_folder_that_is_no_game_is_left_out_with_a_sentence(away: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(away)
    taken = next(iter(games.titles()))
    for name in ("bare", "torn", "nameless", "twin", taken):
        shutil.copytree(away / "games" / NAME, away / "games" / name)
    (away / "games" / "bare" / "game.py").unlink()
    (away / "games" / "torn" / "scenarios.toml").write_text("title = ", encoding="utf-8")
    (away / "games" / "nameless" / "scenarios.toml").write_text('about = "A brook."', encoding="utf-8")
    said = CliRunner().invoke(app, ["games"]).output
    assert "bare is no game: it has no game.py." in said
    assert "torn is no game: scenarios.toml cannot be read: " in said
    assert "nameless is no game: scenarios.toml does not say its title." in said
    assert f"{taken} is no game: there is a {taken} in {games.HERE} already." in said
    for name, why in (("bare", "it has no game.py"), ("twin", f"offers the rules of {NAME}")):
        refused = CliRunner().invoke(app, ["new", name, "--log", "a.jsonl"])
        assert refused.exit_code == 2
        assert why in refused.output
