"""Killed at every step of a move, backup, restore or migration, a house is as it was or as it was to be."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, select
from sqlmodel import SQLModel
from typer.testing import CliRunner

from pbem.cli import app
from pbem.house import House
from pbem.house.archive import read_archive
from pbem.house.moving import is_url, tally, whole
from pbem.store import Database
from pbem.store.database import upgrade
from pbem.store.database_troubles import MovedAway
from pbem.store.schema import newest
from tests.pbem import houses
from tests.pbem.crash.mortal import KILLED, alone, chosen, steps_of
from tests.pbem.desk.office import ADDRESS, Office, settings_at
from tests.pbem.houses import copied
from tests.pbem.new_database import first_tables


@pytest.fixture
def prepared(tmp_path: Path) -> Office:
    """A game under way, with mails, letters and standing orders, and a second one that has not begun."""
    office = Office(tmp_path / "prepared")
    office.begin({"deadline": "48h"})
    office.mail("soviet", "when loss: retreat\nmove RD141 to 1107\nend")
    office.name = "mill"
    office.invite()
    office.house.close()
    Database(houses.in_file(tmp_path)).close()  # how new databases are laid out is found out once, and not in a child
    return office


@pytest.fixture
def empty(tmp_path: Path, kind_of_house: str) -> Iterator[Path]:
    """The home of a PostgreSQL with our tables and nothing in them."""
    if not houses.SERVER:
        pytest.skip("FIELDPOST_TEST_POSTGRES names no server")
    before = set(houses.made)
    home = tmp_path / "empty"
    home.mkdir()
    upgrade(houses.new_database(home))
    yield home
    houses.drop(houses.made.keys() - before)


def test_a_death_at_any_step_of_a_move(
    prepared: Office, empty: Path, kind_of_house: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin(name: str) -> tuple[Path, str]:
        """A house to move, and where to."""
        home, there = copied(prepared.home, tmp_path / name), tmp_path / f"{name}-there"
        monkeypatch.setenv("PBEM_HOME", str(home))
        monkeypatch.setenv("PBEM_ADDRESS", ADDRESS)
        monkeypatch.setenv("PBEM_DATABASE", houses.database_of(home))
        if kind_of_house == houses.POSTGRES:
            return home, str(there)
        return home, houses.url_of(copied(empty, there))

    home, to = begin("whole")
    wanted = tally_at(home, houses.url_of(home))
    steps = steps_of(lambda: typed("house", "move", to), tmp_path)
    assert tally_there(to) == wanted
    for at in chosen(steps, 4):
        home, to = begin(str(at))
        died = steps_of(lambda to=to: typed("house", "move", to), tmp_path, at)  # type: ignore[misc]
        if is_here(home):
            assert tally_at(home, houses.url_of(home)) == wanted
            for left in (Path(to), Path(f"{to}.part")):  # as the refusal says
                shutil.rmtree(left, ignore_errors=True)
            typed("house", "move", to)
        assert tally_there(to) == wanted, f"killed at step {at}, {died[-1]}"
        assert not is_here(home)
        KILLED[kind_of_house] += 1


def typed(*words: str) -> None:
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output


def is_here(home: Path) -> bool:
    """Whether it can be served; whoever died there is waited for."""
    settings = settings_at(home)
    try:
        house = House(settings)
    except MovedAway:
        return False
    alone(house)
    house.close()
    return True


def tally_at(home: Path, url: str) -> dict[str, str]:
    database = Database(url)
    try:
        with whole(database, home) as found:
            return tally(found)
    finally:
        database.close()


def tally_there(to: str) -> dict[str, str]:
    return tally_at(Path(to), to if is_url(to) else houses.in_file(Path(to)))


@pytest.fixture
def _here(monkeypatch: pytest.MonkeyPatch, prepared: Office) -> None:
    """What is typed is meant for it."""
    monkeypatch.setenv("PBEM_HOME", str(prepared.home))
    monkeypatch.setenv("PBEM_ADDRESS", ADDRESS)
    monkeypatch.setenv("PBEM_DATABASE", houses.database_of(prepared.home))
    monkeypatch.delenv("PBEM_CONFIG", raising=False)


@pytest.mark.usefixtures("_here")
def test_a_death_at_any_step_of_a_backup(prepared: Office, kind_of_house: str, tmp_path: Path) -> None:
    wanted = tally_at(prepared.home, houses.url_of(prepared.home))
    first = tmp_path / "whole.tar.gz"
    steps = steps_of(lambda: typed("house", "backup", str(first)), tmp_path)
    files = read_archive(first)["files"].keys()
    for at in chosen(steps, 4):
        place = tmp_path / f"{at}.tar.gz"
        died = steps_of(lambda place=place: typed("house", "backup", str(place)), tmp_path, at)  # type: ignore[misc]
        assert tally_at(prepared.home, houses.url_of(prepared.home)) == wanted
        if not place.exists():
            typed("house", "backup", str(place))
        assert read_archive(place)["files"].keys() == files, f"killed at step {at}, {died[-1]}"
        KILLED[kind_of_house] += 1


@pytest.mark.usefixtures("_here")
def test_a_death_at_any_step_of_a_restore(
    prepared: Office, kind_of_house: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    typed("house", "backup", place := str(tmp_path / "house.tar.gz"))

    def begin(name: str) -> Path:
        """An empty house to restore it into."""
        home = tmp_path / name
        monkeypatch.setenv("PBEM_HOME", str(home))
        monkeypatch.setenv("PBEM_DATABASE", houses.database_of(home))
        return home

    home = begin("whole")
    steps = steps_of(lambda: typed("house", "restore", place, "--nothing-lost"), tmp_path)
    wanted = tally_at(prepared.home, houses.url_of(prepared.home))
    assert tally_at(home, houses.url_of(home)) == wanted
    for at in chosen(steps, 4):
        home = begin(str(at))
        died = steps_of(lambda: typed("house", "restore", place, "--nothing-lost"), tmp_path, at)
        if not _is_there(home):
            typed("house", "restore", place, "--nothing-lost")
        assert tally_at(home, houses.url_of(home)) == wanted, f"killed at step {at}, {died[-1]}"
        KILLED[kind_of_house] += 1


def _is_there(home: Path) -> bool:
    """Whether a house has been restored; its folder is made first."""
    if not home.exists():
        return False
    database = Database(houses.url_of(home))
    with whole(database, home) as found:
        is_there = not found.is_empty
    database.close()
    return is_there


def test_a_death_at_any_step_of_a_migration(prepared: Office, kind_of_house: str, tmp_path: Path) -> None:
    """From the first tables to those of this program."""
    old = as_of_old(prepared, tmp_path / "old")

    def begin(name: str) -> tuple[Path, str]:
        home = copied(old, tmp_path / name)
        return home, houses.url_of(home)

    home, url = begin("whole")
    steps = steps_of(lambda: brought_up(url), home)
    wanted = tally_at(home, url)
    for at in chosen(steps, 4):
        home, url = begin(str(at))
        died = steps_of(lambda url=url: brought_up(url), home, at)  # type: ignore[misc]
        assert upgrade(url) in ("", newest())
        assert tally_at(home, url) == wanted, f"killed at step {at}, {died[-1]}"
        engine = create_engine(url)
        with engine.connect() as connection:
            assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
        engine.dispose()
        KILLED[kind_of_house] += 1


def brought_up(url: str) -> None:
    upgrade(url)


def as_of_old(office: Office, home: Path) -> Path:
    """The same house with the rows that its first tables could hold."""
    shutil.copytree(office.home, home, ignore=shutil.ignore_patterns("*.sqlite*"))
    empty = houses.new_database(home) if houses.kind == houses.POSTGRES else houses.in_file(home)
    new, old = create_engine(houses.url_of(office.home)), create_engine(empty)
    first = first_tables()
    first.create_all(old)
    with new.connect() as source, old.begin() as target:
        for table in first.sorted_tables:
            rows = source.execute(select(table)).mappings().all()
            if rows:
                target.execute(table.insert(), [dict(row) for row in rows])
    new.dispose()
    old.dispose()
    return home
