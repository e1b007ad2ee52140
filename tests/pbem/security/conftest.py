"""A post office with two games: Anna and Bruno play each other in one, Bruno and Clara in the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pbem.houses import copied
from tests.pbem.security.office import ANNA, BRUNO, CLARA, Office


@pytest.fixture(scope="session")
def prepared(kind_of_house: str, tmp_path_factory: pytest.TempPathFactory) -> Office:
    found = Office(tmp_path_factory.mktemp("prepared"))
    found.game("mill", ANNA, BRUNO)
    found.game("ford", BRUNO, CLARA)
    found.house.close()
    return found


@pytest.fixture
def office(prepared: Office, tmp_path: Path) -> Office:
    """A copy of its own for every test."""
    home = tmp_path / "house"
    found = Office(copied(prepared.home, home))
    found.clock.now = prepared.clock.now
    return found
