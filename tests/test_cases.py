"""Every case file under tests/cases is a test by being there."""

from pathlib import Path

import pytest

import games
from engine.cases import BadCase, read_case, run_case

FOLDER = Path(__file__).parent / "cases"


def _params() -> list[object]:
    params = []
    for path in sorted(FOLDER.glob("*/*.case")):
        game = path.parent.name
        try:
            marks = [pytest.mark.case(game, *read_case(path).numbers)]
        except BadCase:
            marks = []  # the test will say what is wrong with it
        params.append(pytest.param(game, path, marks=marks, id=f"{game}/{path.stem}"))
    return params


@pytest.mark.parametrize(("game", "path"), _params())
def test_the_rules_do_what_the_case_file_says(game: str, path: Path) -> None:
    run_case(path, games.rulebook(game))
