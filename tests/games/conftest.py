"""What the tests of a rulebook's figures read: the files in the folder that the test module calls FOLDER."""

from __future__ import annotations

from typing import Any

import pytest

from engine.folder import read_toml
from engine.ledger import Ledger, load_ledger
from engine.pieces import Roster, load_roster


@pytest.fixture(scope="module")
def roster(request: pytest.FixtureRequest) -> Roster:
    return load_roster(request.module.FOLDER / "counters.toml")


@pytest.fixture(scope="module")
def tables(request: pytest.FixtureRequest) -> dict[str, Any]:
    return read_toml(request.module.FOLDER, "tables.toml")


@pytest.fixture(scope="module")
def scenarios(request: pytest.FixtureRequest) -> dict[str, Any]:
    return read_toml(request.module.FOLDER, "scenarios.toml")


@pytest.fixture(scope="module")
def ledger(request: pytest.FixtureRequest) -> Ledger:
    return load_ledger(request.module.FOLDER / "rules.toml")
