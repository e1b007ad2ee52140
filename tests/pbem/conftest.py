"""Tests of a house run on files, and again on PostgreSQL where FIELDPOST_TEST_POSTGRES names a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.store import database
from tests.pbem import houses
from tests.pbem.new_database import quick_databases
from tests.pbem.replay.browser import chromium

__all__ = ["quick_databases"]

# What works within a house; whatever else is tried needs none, or is tried on files alone.
ON_EITHER = ("clock", "crash", "desk", "gate", "moderator", "security", "store")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    folder = Path(str(metafunc.definition.path)).parent.name
    on_files = metafunc.definition.get_closest_marker("on_files") is not None
    if houses.SERVER and folder in ON_EITHER and not on_files:
        metafunc.parametrize("kind_of_house", [houses.FILES, houses.POSTGRES], indirect=True, scope="session")


@pytest.fixture(scope="session", autouse=True)
def kind_of_house(quick_databases: None, request: pytest.FixtureRequest) -> Iterator[str]:
    houses.kind = getattr(request, "param", houses.FILES)
    if houses.kind == houses.FILES:
        yield houses.kind
        return
    open_it = database._engine
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_engine", lambda *who: houses.noted(open_it(*who)))
        yield houses.kind
        houses.drop(houses.made.keys() - {""})
        houses.drop_template()
    houses.made.clear()
    houses.kind = houses.FILES


@pytest.fixture(scope="module", autouse=True)
def _kind_here(kind_of_house: str) -> Iterator[None]:
    """Whoever borrows a house from another folder of tests has one on files, whatever was tried before."""
    houses.kind = kind_of_house
    yield
    houses.kind = houses.FILES


@pytest.fixture(autouse=True)
def _databases_go(kind_of_house: str) -> Iterator[None]:
    """What a test has made at the server goes with it; what was made for several stays."""
    before = houses.made.keys() | {""}
    yield
    if kind_of_house == houses.POSTGRES:
        houses.drop(houses.made.keys() - before)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """To start it takes longer than most pages: each has its own context in one for the module.

    No longer, for while it is there, nothing else of its thread has an event loop, as a daemon needs.
    """
    with chromium() as found:
        yield found
