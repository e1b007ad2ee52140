"""Every golden script brings about exactly the letters that lie beside it. `--update-golden` writes them anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pbem.golden.playing import play

SCRIPTS = sorted(Path(__file__).parent.glob("*.script"))


@pytest.fixture(scope="session")
def stock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("stock")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_the_letters_are_the_golden_ones(
    script: Path, tmp_path: Path, stock: Path, request: pytest.FixtureRequest
) -> None:
    written = play(script.read_text(encoding="utf-8"), tmp_path / "house", stock)
    golden = script.with_suffix(".out")
    if request.config.getoption("--update-golden"):
        golden.write_text(written, encoding="utf-8")
    assert written == golden.read_text(encoding="utf-8")


def test_there_are_at_least_a_hundred() -> None:
    assert len(SCRIPTS) >= 100
