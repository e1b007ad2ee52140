"""What tests of many stations share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.pbem.new_database import quick_databases
from tests.pbem.replay.browser import chromium

__all__ = ["quick_databases"]


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """One for all pages: to start it takes longer than most of them. Each page has its own context."""
    with chromium() as found:
        yield found
