"""A house taken from files to PostgreSQL and back is the same house, and the old one is closed only then."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from sqlmodel import select
from typer.testing import CliRunner, Result

from engine.campaign import verify
from games import find_game
from pbem.cli import app
from pbem.house import House, game_file
from pbem.house import moving as removal
from pbem.house.alone import sole_writer
from pbem.house.in_files import LOG
from pbem.house.moving import Whole, tally, whole
from pbem.store import Database, GameRow, LogLine, Player
from pbem.store.database import upgrade
from pbem.store.database_troubles import MovedAway
from tests.pbem import houses
from tests.pbem.desk.office import Office

pytestmark = pytest.mark.on_files  # and on PostgreSQL, where one is there


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    """A game under way, with mails, letters, standing orders and a second one that has not begun."""
    office = Office(tmp_path / "home")
    office.begin({"deadline": "48h"})
    office.mail("soviet", "when loss: retreat\nmove RD141 to 1107\nend")
    office.mail("soviet", "press a fine day")
    office.name = "mill"
    office.invite()
    office.name = "ford"
    monkeypatch.setenv("PBEM_HOME", str(office.home))
    monkeypatch.setenv("PBEM_ADDRESS", office.house.settings.address)
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    yield office
    office.house.close()


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[str]:
    if not houses.SERVER:
        pytest.skip("FIELDPOST_TEST_POSTGRES names no server")
    url = houses.new_database(tmp_path)
    upgrade(url)
    yield url
    houses.drop({str(tmp_path)})


def pbem(*words: object) -> Result:
    return CliRunner().invoke(app, ["house", *map(str, words)])


def done(result: Result, said: str) -> None:
    assert result.exit_code == 0, result.output
    assert said in result.stdout


def wrong(result: Result, said: str) -> None:
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


def tally_of(url: str, home: Path) -> dict[str, str]:
    database = Database(url)
    try:
        with whole(database, home) as found:
            return tally(found)
    finally:
        database.close()


def in_files(home: Path) -> dict[str, bytes]:
    """What must come back byte for byte."""
    kept = [*home.glob(f"games/*/{LOG}"), *home.glob(f"games/*/{LOG}.*"), *home.glob("mail/*/*.eml")]
    caches = (".checkpoint",)
    return {str(path.relative_to(home)): path.read_bytes() for path in kept if path.suffix not in caches}


def test_there_and_back_it_is_the_same_house(
    office: Office, postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office.house.close()
    before, files = tally_of(f"sqlite:///{office.home}/fieldpost.sqlite", office.home), in_files(office.home)
    assert len(files) > 8
    done(pbem("move", postgres), "and is the same there")
    assert tally_of(postgres, office.home) == before
    with pytest.raises(MovedAway, match="has moved"):
        office.open()
    monkeypatch.setenv("PBEM_DATABASE", postgres)
    done(pbem("check"), "2 games, no faults.")
    back = tmp_path / "back"
    done(pbem("move", back), "no database")
    wrong(pbem("check"), "this house has moved")
    monkeypatch.setenv("PBEM_DATABASE", "")
    monkeypatch.setenv("PBEM_HOME", str(back))
    done(pbem("check"), "2 games, no faults.")
    assert tally_of(f"sqlite:///{back}/fieldpost.sqlite", back) == before
    assert in_files(back) == files
    assert all((back / "games" / game / game_file.NAME).exists() for game in ("ford", "mill"))
    assert verify(back / "games" / "ford" / LOG, find_game).ok


def test_a_game_goes_on_where_its_house_has_moved(office: Office, postgres: str) -> None:
    office.house.close()
    done(pbem("move", postgres), "is the same there")
    settings = office.house.settings.model_copy(update={"database": postgres})
    office.house = House(settings, clock=lambda: office.now)
    office.service.house = office.house
    assert [order.line() for order in office.house.campaign(office.game()).drawer.standing["soviet"]]
    count = office.house.campaign(office.game()).count
    office.mail("soviet", "end")
    assert office.house.campaign(office.game()).count == count + 1
    with office.house.transaction() as session:  # numbers go on from the last one
        session.add(Player(address="clara@weir.example"))


def test_an_export_is_a_house_on_files(office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = in_files(office.home)
    done(pbem("export", tmp_path / "copy"), "holds the whole house")
    assert in_files(tmp_path / "copy") == files
    wrong(pbem("export", tmp_path / "copy"), "is there already")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "copy"))
    done(pbem("check"), "2 games, no faults.")


def test_a_move_that_was_cut_short_is_finished_by_another(
    office: Office, postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """The process is gone."""

    def killed(*_: object, **__: object) -> None:
        raise Killed

    office.house.close()
    with monkeypatch.context() as patch:  # before the target is decided
        patch.setattr(removal, "must_be_the_same", killed)
        with pytest.raises(Killed):
            pbem("move", postgres)
    done(pbem("check"), "no faults")
    database = Database(postgres)
    with whole(database, office.home) as found:
        assert found.is_empty
    database.close()
    with monkeypatch.context() as patch:  # and after it
        patch.setattr(removal, "HouseRow", killed)
        with pytest.raises(Killed):
            pbem("move", postgres)
    done(pbem("check"), "no faults")
    done(pbem("move", postgres), "is the same there")
    wrong(pbem("check"), "this house has moved")


def test_another_house_is_not_written_over(office: Office, postgres: str) -> None:
    office.house.close()
    database = Database(postgres)
    with database.begin() as session:
        session.add(Player(address="somebody@else.example"))
    database.close()
    wrong(pbem("move", postgres), "there is another house already")
    done(pbem("check"), "no faults")


def test_a_house_does_not_move_onto_itself(office: Office, postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody could open it any more."""
    office.house.close()
    done(pbem("move", postgres), "is the same there")
    monkeypatch.setenv("PBEM_DATABASE", postgres)
    wrong(pbem("move", postgres), "is at work there: name another database")
    done(pbem("check"), "no faults")


@pytest.mark.parametrize(
    "to", ["strange://db.example/fieldpost", "postgresql://fieldpost@db.example:x/fieldpost", "sqlite:///other.sqlite"]
)
def test_a_house_moves_to_a_postgresql_or_not_at_all(office: Office, to: str) -> None:
    office.house.close()
    wrong(pbem("move", to), "its URL is none of a PostgreSQL")
    done(pbem("check"), "no faults")


def test_a_role_without_rights_is_told_what_it_lacks(office: Office, postgres: str) -> None:
    """Its tables are there: `pbem house upgrade` would not help."""
    office.house.close()
    role = f"{make_url(postgres).database}_guest"
    database = Database(postgres)
    with database.begin() as session:
        session.execute(text(f"CREATE ROLE {role} LOGIN"))
    try:
        wrong(pbem("move", make_url(postgres).set(username=role).render_as_string()), "the owner of the database")
        done(pbem("check"), "no faults")
    finally:
        with database.begin() as session:
            session.execute(text(f"DROP ROLE {role}"))
        database.close()


def test_what_differs_there_stops_the_move(office: Office, postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def torn(source: Whole, target: Whole) -> None:
        copy(source, target)
        target.session.exec(select(LogLine)).first().row = b"{}"  # type: ignore[union-attr]
        target.session.flush()
        removal.must_be_the_same(source, target)

    copy = removal.copy
    monkeypatch.setattr(removal, "copy", torn)
    office.house.close()
    wrong(pbem("move", postgres), "it would not be the same house there: the game ford")
    done(pbem("check"), "no faults")


def test_nobody_moves_a_house_that_is_served(office: Office, postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_DATABASE", postgres)
    monkeypatch.setenv("PBEM_HOME", str(home := office.home.parent / "away"))
    worker = House(office.house.settings.model_copy(update={"database": postgres, "home": home / "1"}))
    assert not worker.cabinet.rung()
    wrong(pbem("move", home / "new"), "is at work: stop all workers first")
    done(pbem("workers"), "/1 at")
    worker.close()


def test_whoever_has_just_gone_is_in_nobodys_way(
    office: Office, postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server tells of a connection for a moment after it was closed."""
    monkeypatch.setenv("PBEM_DATABASE", postgres)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "away"))
    worker = House(office.house.settings.model_copy(update={"database": postgres, "home": tmp_path / "1"}))
    assert not worker.cabinet.rung()
    going = threading.Timer(0.2, worker.close)
    going.start()
    done(pbem("move", tmp_path / "new"), "moved")
    going.join()


def test_whoever_comes_while_a_house_moves_finds_it_moved(
    office: Office, postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = office.house.settings.model_copy(update={"database": postgres, "home": tmp_path / "1"})
    said: list[str] = []

    def come() -> None:
        with pytest.raises(MovedAway) as refused:
            House(settings)
        said.append(str(refused.value))

    comer, copy = threading.Thread(target=come), removal.copy

    def met(source: Whole, target: Whole) -> None:
        comer.start()
        comer.join(0.5)
        assert not said
        copy(source, target)

    monkeypatch.setenv("PBEM_DATABASE", postgres)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "away"))
    monkeypatch.setattr(removal, "copy", met)
    done(pbem("move", tmp_path / "new"), "no database")
    comer.join()
    assert said[0].startswith("this house has moved")


def test_whoever_waited_to_write_finds_the_house_moved(office: Office, postgres: str) -> None:
    done(pbem("move", postgres), "is the same there")
    with pytest.raises(MovedAway), sole_writer(office.house):
        raise AssertionError


def test_a_garbled_secret_is_told_and_taken_nowhere(office: Office, tmp_path: Path) -> None:
    (office.home / "games" / "mill" / f"{LOG}.secret").write_text("not a number")
    result = pbem("check")
    assert result.exit_code == 1
    assert "the secret of mill is not a hexadecimal number" in result.stdout
    wrong(pbem("export", tmp_path / "copy"), "the secret of mill is not a hexadecimal number")


def test_a_check_finds_what_is_wrong(office: Office) -> None:
    with office.house.transaction() as session:
        session.get_one(GameRow, "mill").commit = "0" * 64
        place = office.mails()[-1].raw
    (office.home / place).unlink()
    houses.damage(office.house, "ford")
    result = pbem("check")
    assert result.exit_code == 1
    assert "mill: its secret is not the one that was promised" in result.stdout
    assert "ford: line 0: it is not JSON" in result.stdout
    assert ": its bytes are gone" in result.stdout
