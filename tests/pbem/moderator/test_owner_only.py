"""The home is its owner's alone, whatever the umask and however it was found."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import app
from pbem.house import House, owner_only
from pbem.house.settings import Settings
from tests.pbem.moderator.test_one_daemon import SECONDS, seconds_to_stop, serving
from tests.pbem.security.office import ANNA, BRUNO, Office

pytestmark = pytest.mark.on_files


@pytest.fixture
def careless() -> Iterator[None]:
    """A umask that lets everybody in."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(home: Path) -> list[str]:
    found = [home, *home.rglob("*")]
    return [f"{path}: {stat.filemode(path.stat().st_mode)}" for path in found if path.stat().st_mode & 0o077]


def run(line: str) -> None:
    result = CliRunner().invoke(app, line.split())
    assert result.exit_code == 0, f"{line}\n{result.output}"


@pytest.mark.usefixtures("careless")
def test_every_command_that_writes_in_the_home_keeps_it_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "of" / "somebody"
    monkeypatch.setenv("PBEM_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    run("init --address post@club.example --moderator me@club.example")
    assert open_to_others(home) == []
    chairs = "--soviet bot:random --german anna@club.example"
    run(f"game new korsun_spi --name mill --scenario proving {chairs} --pictures none")
    run("game substitute mill german bot:sensible")
    run("game archive mill")
    run("watch --once")
    run(f"report --log {home}/games/mill/log.jsonl --side german -o {tmp_path}/report")
    run(f"verify {home}/games/mill/log.jsonl")
    assert open_to_others(home) == []
    with serving(home) as daemon:  # which inherits the umask
        assert seconds_to_stop(daemon) < SECONDS
    made = {path.relative_to(home).parts[0] for path in home.rglob("*")}
    assert {"archive", "fieldpost.sqlite", "fieldpost.toml", "games", "mail", "post", "serve.lock"} <= made
    assert open_to_others(home) == []


@pytest.mark.usefixtures("careless")
def test_a_game_played_by_mail_leaves_nothing_open(tmp_path: Path) -> None:
    office = Office(tmp_path / "home")
    office.game("mill", ANNA, BRUNO)
    office.mail(ANNA, office.seat("mill", "soviet"), "end\nend")
    assert list((tmp_path / "home" / "mail").rglob("*.eml"))
    assert open_to_others(tmp_path / "home") == []
    office.house.close()


def test_a_home_that_others_could_look_into_is_mended(tmp_path: Path) -> None:
    house = House(Settings(home=tmp_path))
    with house.transaction() as session:
        house.cabinet.keep_raw(session, b"a mail")
    house.close()
    for path in (tmp_path, *tmp_path.rglob("*")):
        path.chmod(0o777 if path.is_dir() else 0o666)
    elsewhere = tmp_path.parent / "elsewhere"
    elsewhere.write_text("not in the home")
    elsewhere.chmod(0o644)
    (tmp_path / "link").symlink_to(elsewhere)
    House(Settings(home=tmp_path)).close()
    (tmp_path / "link").unlink()
    assert open_to_others(tmp_path) == []
    assert elsewhere.stat().st_mode & 0o777 == 0o644


def test_a_file_put_into_a_closed_home_is_mended_and_what_its_owner_may_do_stays(tmp_path: Path) -> None:
    House(Settings(home=tmp_path)).close()
    for place in (tmp_path / "backup.sh", tmp_path / "mail" / "old.eml"):
        place.write_text("")
        place.chmod(0o755)
    House(Settings(home=tmp_path)).close()
    assert (tmp_path / "backup.sh").stat().st_mode & 0o777 == 0o700
    owner_only.close_to_others(tmp_path, thoroughly=True)  # as `pbem serve` does it
    assert open_to_others(tmp_path) == []


@pytest.mark.parametrize("place", ["/", "/etc", "/tmp", str(Path.home().parent)])
def test_a_folder_that_is_shared_is_left_as_it_is(place: str) -> None:
    before = Path(place).stat().st_mode
    with pytest.raises(owner_only.Shared, match="a folder of its own"):
        owner_only.close_to_others(Path(place))
    assert Path(place).stat().st_mode == before


def test_a_home_of_somebody_else_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o755)

    def refuse(self: Path, mode: int) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "chmod", refuse)
    with pytest.raises(owner_only.NotOurs, match="belongs to another user"):
        owner_only.close_to_others(tmp_path)
