"""Anna (soviet) and Bruno (german) play a short game, and somebody moderates it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pbem.moderator.moderated import Moderated


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Moderated]:
    found = Moderated.at(tmp_path)
    yield found
    found.house.close()
