"""What tests of many stations share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.pbem.new_database import quick_databases
from tests.pbem.replay.browser import chromium

__all__ = ["quick_databases"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """To start it takes longer than most pages: each has its own context in one for the module.

    No longer, for while it is there, nothing else of its thread has an event loop, as a daemon needs.
    """
    with chromium() as found:
        yield found
