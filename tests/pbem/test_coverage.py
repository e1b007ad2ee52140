"""Coverage counts what passing tests try, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.ledger import Case, Ledger
from pbem.workshop.coverage import BrokenTests, NoTests, _run, compare, coverage

CONFTEST = Path(__file__).parents[1] / "conftest.py"
GAME, OTHER, *_ = sorted(path.parent.name for path in CONFTEST.parents[1].glob("games/*/rules.toml"))

TESTS = f"""
import pytest

@pytest.mark.case({GAME!r}, "1.0", "2.0")
def test_passes(): pass

@pytest.mark.case({GAME!r}, "2.0-a")
def test_fails(): assert False

@pytest.mark.case({GAME!r}, "99.99")
def test_names_no_case(): pass

@pytest.mark.case("no_such_game", "1.0")
def test_names_no_game(): pass

def test_unmarked(): pass

@pytest.mark.case({OTHER!r}, "1.0")
def test_of_another_game(): assert False
"""


def folder(tmp_path: Path, tests: str) -> Path:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "conftest.py").write_text(CONFTEST.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "tests" / "test_it.py").write_text(tests, encoding="utf-8")
    marker = "case(game, number): the rule case"
    (tmp_path / "pytest.ini").write_text(f"[pytest]\nmarkers = {marker}\n", encoding="utf-8")
    return tmp_path


def test_only_passing_tests_with_a_known_case_count(tmp_path: Path):
    tried, failing = _run(folder(tmp_path, TESTS), GAME)
    passes = ["tests/test_it.py::test_passes"]
    assert tried == {GAME: {"1.0": passes, "2.0": passes}}
    assert failing


def test_other_games_are_left_alone(tmp_path: Path):
    tests = (
        TESTS.replace("assert False", "pass", 1)
        .replace('"99.99"', '"2.0"')
        .replace('"2.0-a"', '"2.0"')
        .replace("no_such_game", OTHER)
    )
    assert not _run(folder(tmp_path, tests), GAME)[1]


def test_tests_that_cannot_be_run_are_no_coverage(tmp_path: Path):
    root = folder(tmp_path, TESTS)
    (root / "pytest.ini").write_text("[pytest]\naddopts = --no-such-option\n", encoding="utf-8")
    with pytest.raises(BrokenTests, match="could not be run"):
        _run(root, GAME)


def test_cases_that_ask_nothing_of_the_code_do_not_count():
    kinds = {"1": "mechanic", "2": "mechanic", "3": "table", "4": "history"}
    ledger = Ledger(Case(id=n, kind=k, title="", requires="") for n, k in kinds.items())  # type: ignore[arg-type]
    found = compare("skirmish", ledger, {"1", "4"})
    assert (found["total"], found["tested"], found["missing"]) == (3, 1, ["2", "3"])
    assert found["by_kind"]["mechanic"] == {"total": 2, "tested": 1}
    assert set(found["by_kind"]) == {"mechanic", "table", "setup", "scenario", "optional"}


def test_without_the_source_there_is_a_sentence(tmp_path: Path):
    with pytest.raises(NoTests, match="copy of the source"):
        coverage(GAME, tmp_path)
