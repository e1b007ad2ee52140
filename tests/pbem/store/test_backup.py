"""A house packed while it is at work, put back into either kind of house, and what players are told of it."""

from __future__ import annotations

import io
import json
import shutil
import stat
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from engine.campaign import verify
from engine.dice import EVERY, STEP
from engine.log import items
from games import find_game
from pbem.house import House, crash_points, game_file
from pbem.house import house as the_house
from pbem.moderator import Act, ruling
from pbem.replay.copies import copy_for
from pbem.store import GameRow, LineDue, MailIn, MailOut
from pbem.tale.entries import facts_of
from pbem.wording.words import SKIPPED
from tests.pbem import houses
from tests.pbem.desk.office import NOON, Office, text_of
from tests.pbem.store.test_moving import done, in_files, pbem, tally_of, wrong

pytestmark = pytest.mark.on_files  # and on PostgreSQL, where one is there

KINDS = [houses.FILES, houses.POSTGRES]


class Killed(BaseException):
    """The process is gone."""


@pytest.fixture(params=KINDS)
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Office]:
    """A game under way, with mails, letters, standing orders and a second one that has not begun; in either house."""
    url = _database(tmp_path / "here", request.param)
    office = Office(tmp_path / "home")
    if url:
        office.house.close()
        shutil.rmtree(office.home)
        settings = office.house.settings.model_copy(update={"database": url})
        office.house = House(settings, clock=lambda: office.now)
        office.service.house = office.house
    begin(office)
    monkeypatch.setenv("PBEM_HOME", str(office.home))
    monkeypatch.setenv("PBEM_DATABASE", url)
    monkeypatch.setenv("PBEM_ADDRESS", office.house.settings.address)
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    yield office
    office.house.close()
    houses.drop(houses.made.keys() & {str(tmp_path / "here"), str(tmp_path / "there")})


def begin(office: Office) -> None:
    office.invite({"deadline": "48h"})
    office.mail("soviet", "join as Anna zone Europe/Kyiv nonce three herons")
    office.mail("german", "join as Bert zone Europe/Berlin nonce two storks")
    office.mail("soviet", "when loss: retreat\nmove RD141 to 1107\nend")
    office.name = "mill"
    office.invite()
    office.name = "ford"


def _database(place: Path, kind: str) -> str:
    if kind == houses.FILES:
        return ""
    if not houses.SERVER:
        pytest.skip("FIELDPOST_TEST_POSTGRES names no server")
    from pbem.store.database import upgrade

    url = houses.new_database(place)
    upgrade(url)
    return url


@pytest.fixture(params=KINDS)
def there(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """Another database, for a new home; empty where it is one of files."""
    return _database(tmp_path / "there", request.param)


def elsewhere(office: Office, url: str, monkeypatch: pytest.MonkeyPatch, name: str = "there") -> Path:
    """From here on an empty house is meant."""
    home = office.home.with_name(name)
    monkeypatch.setenv("PBEM_HOME", str(home))
    monkeypatch.setenv("PBEM_DATABASE", url)
    monkeypatch.setattr(the_house, "now", lambda: office.now)
    return home


def opened(office: Office, home: Path, url: str) -> Office:
    """The office goes on in that house."""
    office.house.close()
    settings = office.house.settings.model_copy(update={"home": home, "database": url})
    office.home, office.house = home, House(settings, clock=lambda: office.now)
    office.service.house = office.house
    return office


def test_there_and_back_nothing_is_lacking(
    office: Office, there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "house.tar.gz"
    before = tally_of(office.house.settings.database_url(), office.home)
    done(pbem("backup", place), "holds the whole house")
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir() if "backup" in path.name or path.suffix == ".part"] == []
    home = elsewhere(office, there, monkeypatch)
    done(pbem("restore", place, "--nothing-lost"), "The house is as it was at")
    assert tally_of(there or f"sqlite:///{home}/fieldpost.sqlite", home) == before
    assert not (home / "restoring").exists()
    done(pbem("check"), "2 games, no faults.")
    if not there:
        assert stat.S_IMODE((home / "games" / "ford" / game_file.NAME).stat().st_mode) == 0o600
    opened(office, home, there)
    count = office.house.campaign(office.game()).count
    office.mail("soviet", "end")
    assert office.house.campaign(office.game()).count == count + 1
    wrong(pbem("restore", place), "there is a house already")


def test_an_earlier_time_has_other_dice_and_all_are_told(
    office: Office, there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(pbem("backup", tmp_path), "fieldpost-")
    (place,) = tmp_path.glob("fieldpost-*.tar.gz")
    known = office.house.campaign(office.game()).last
    packed = {row.key for row in office.letters()}
    office.mail("soviet", "end")
    seen = office.house.campaign(office.game())
    office.mail("soviet", "end")
    before = {row.key: row.message_id for row in office.letters()}
    home = elsewhere(office, there, monkeypatch)
    office.now += timedelta(hours=3)
    done(pbem("restore", place), "have other dice from here on")
    opened(office, home, there)
    campaign = office.house.campaign(office.game())
    assert campaign.count == known["n"] + 2
    assert campaign.last["act"] == "skip"
    floor = campaign.last["skip"][EVERY]
    assert floor > STEP
    assert [ask.key for ask in campaign.asks] != [ask.key for ask in seen.asks]
    letters = {row.to: text_of(row) for row in office.letters() if "moderator/" in row.key and row.key not in before}
    assert set(letters) == set(office.people.values())
    for text in letters.values():
        told = " ".join(text.split())
        assert f"Line {known['n']} is the last that is known" in told
        assert "all dice are others" in told
        assert str(floor) not in told
    office.mail("soviet", "end")
    office.mail("soviet", "end")
    rolled = [
        item.body for line in campaign_of(office).since(known["n"]) for item in items(line) if item.kind == "roll"
    ]
    assert all(body["k"] > floor for body in rolled if "k" in body)
    assert verify(houses.log_of(office.house, "ford") if not there else _exported(tmp_path), find_game).ok
    again = {row.key: row.message_id for row in office.letters() if row.key not in packed}
    assert before.keys() & again.keys()  # of other lines that have the same number: no mailbox may take them for those
    assert not set(before.values()) & set(again.values())
    copy = copy_for(campaign_of(office).lines(), "soviet", campaign.secret)
    assert any(SKIPPED[1:] in getattr(fact, "text", "") for fact in facts_of(copy.entries()))
    with office.house.database.reading() as session:  # one that has not begun begins on other words
        assert session.get_one(GameRow, "mill").settings["restored"]


def _exported(place: Path) -> Path:
    done(pbem("export", place / "export"), "holds the whole house")
    return place / "export" / "games" / "ford" / "log.jsonl"


def campaign_of(office: Office):  # type: ignore[no-untyped-def]
    return office.house.campaign(office.game())


def test_the_same_backup_restored_twice_throws_no_dice_twice(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(pbem("backup", place := tmp_path / "house.tar.gz"), "checked")
    floors = []
    for name in ("first", "second"):
        home = elsewhere(office, "", monkeypatch, name)
        office.now += timedelta(seconds=1)
        monkeypatch.setattr("pbem.cli.housekeeping.now", lambda: office.now)
        done(pbem("restore", place), "other dice")
        opened(office, home, "")
        floors.append(campaign_of(office).last["skip"][EVERY])
        done(pbem("backup", tmp_path / f"{name}.tar.gz"), "checked")
    assert floors[1] == floors[0] + STEP
    home = elsewhere(office, "", monkeypatch, "third")  # and one of a house that was restored skips again
    office.now += timedelta(seconds=1)
    done(pbem("restore", tmp_path / "first.tar.gz"), "other dice")
    opened(office, home, "")
    assert campaign_of(office).last["skip"][EVERY] == floors[1] + STEP
    assert [line.get("act") for line in campaign_of(office).lines()].count("skip") == 2
    assert verify(office.house.log_path("ford"), find_game).ok


def test_a_line_that_waits_for_its_file_is_in_the_backup(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if office.house.cabinet.shared:
        pytest.skip("there is none in a house in rows")

    office.post("soviet", "end")
    with killed_at(crash_points.AFTER_COMMIT):
        office.service.deal_with_all()
    count = len((office.house.log_path("ford")).read_bytes().splitlines())
    monkeypatch.setattr("pbem.service.service.Service.file_lines_due", lambda self: None)
    done(pbem("backup", place := tmp_path / "house.tar.gz"), "checked")
    with office.house.database.reading() as session:
        assert session.exec(select(LineDue)).first() is not None
    monkeypatch.undo()
    home = elsewhere(office, "", monkeypatch)
    monkeypatch.setenv("PBEM_ADDRESS", office.house.settings.address)
    done(pbem("restore", place, "--nothing-lost"), "as it was")
    assert len((home / "games" / "ford" / "log.jsonl").read_bytes().splitlines()) == count + 1
    assert verify(home / "games" / "ford" / "log.jsonl", find_game).ok


@pytest.mark.parametrize("step", [crash_points.BACKUP_WRITTEN])
def test_a_backup_cut_short_has_no_name(office: Office, tmp_path: Path, step: str) -> None:
    with killed_at(step):
        pbem("backup", tmp_path / "house.tar.gz")
    assert not (tmp_path / "house.tar.gz").exists()
    done(pbem("backup", tmp_path / "house.tar.gz"), "checked")
    wrong(pbem("backup", tmp_path / "house.tar.gz"), "is there already")
    wrong(pbem("backup", tmp_path / "nightly"), "nightly is no folder: name one that is there")
    wrong(pbem("backup", tmp_path / "nightly" / "house.tar.gz"), "house.tar.gz is no folder: name one that is there")


@pytest.mark.parametrize(
    "step", [crash_points.RESTORE_UNPACKED, crash_points.RESTORE_SKIPPED, crash_points.RESTORE_COPIED]
)
def test_a_restore_cut_short_never_was(
    office: Office, there: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    done(pbem("backup", place := tmp_path / "house.tar.gz"), "checked")
    home = elsewhere(office, there, monkeypatch)
    with killed_at(step):
        pbem("restore", place)
    done(pbem("restore", place), "as it was")
    done(pbem("check"), "2 games, no faults.")
    opened(office, home, there)
    assert [line.get("act") for line in campaign_of(office).lines()].count("skip") == 1


@contextmanager
def killed_at(step: str) -> Iterator[None]:
    """Whoever reaches the step is gone."""

    def stop(reached: str) -> None:
        if reached == step:
            raise Killed

    hush = crash_points.listen(stop)
    with pytest.raises(Killed):
        yield
    hush()


def changed(place: Path, name: str, content: bytes) -> Path:
    """The archive with one file changed."""
    new = place.with_name("changed.tar.gz")
    with tarfile.open(place) as old, tarfile.open(new, "w:gz") as pack:
        for entry in old:
            data = old.extractfile(entry).read()  # type: ignore[union-attr]
            if entry.name == name:
                data = content if content else data
                entry.size = len(data)
            pack.addfile(entry, io.BytesIO(data))
        if not any(entry.name == name for entry in old.getmembers()):
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            pack.addfile(entry, io.BytesIO(content))
    return new


def test_what_is_no_whole_backup_changes_nothing(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(pbem("backup", place := tmp_path / "house.tar.gz"), "checked")
    home = elsewhere(office, "", monkeypatch)
    wrong(pbem("restore", changed(place, "games/ford/log.jsonl", b"{}\n")), "games/ford/log.jsonl is not what was")
    wrong(pbem("restore", changed(place, "../evil", b"x")), "does not belong into one")
    wrong(pbem("restore", changed(place, "more", b"x")), "more is not what was packed")
    (tmp_path / "torn.tar.gz").write_bytes(place.read_bytes()[:5000])
    wrong(pbem("restore", tmp_path / "torn.tar.gz"), "it is damaged or not whole")
    (tmp_path / "none.tar.gz").write_bytes(b"not an archive")
    wrong(pbem("restore", tmp_path / "none.tar.gz"), "is not a backup that can be used")
    wrong(pbem("restore", tmp_path / "gone.tar.gz"), "there is no file")
    with tarfile.open(place) as pack:
        manifest = json.loads(pack.extractfile("manifest.json").read())  # type: ignore[union-attr]
    newer = json.dumps({**manifest, "schema": "9999"}).encode()
    wrong(pbem("restore", changed(place, "manifest.json", newer)), "a newer Fieldpost has written this database")
    assert not list(home.glob("games/*"))
    assert not (home / "restoring").exists()  # beside which whatever a house holds later would be written over
    done(pbem("restore", place), "as it was")


def test_games_without_a_database_are_not_written_over(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(pbem("backup", place := tmp_path / "house.tar.gz"), "checked")
    home = elsewhere(office, "", monkeypatch)
    (home / "games" / "weir").mkdir(parents=True)
    wrong(pbem("restore", place), "`pbem house rebuild` makes a database for them")


def test_settings_come_back_where_there_are_none(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (office.home / "fieldpost.toml").write_text('moderator = "vera@field.example"\n')
    done(pbem("backup", place := tmp_path / "house.tar.gz"), "checked")
    home = elsewhere(office, "", monkeypatch)
    home.mkdir(mode=0o755)
    done(pbem("restore", place, "--nothing-lost"), "Its settings are in")
    assert (home / "fieldpost.toml").read_text() == 'moderator = "vera@field.example"\n'
    assert not [path for path in (home, *home.rglob("*")) if stat.S_IMODE(path.stat().st_mode) & 0o077]


def test_the_files_of_a_house_on_files_come_back_byte_for_byte(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if office.house.cabinet.shared:
        pytest.skip("it is about files")
    before = in_files(office.home)
    done(pbem("backup", place := tmp_path / "house.tar.gz"), "checked")
    home = elsewhere(office, "", monkeypatch)
    done(pbem("restore", place, "--nothing-lost"), "as it was")
    assert in_files(home) == before


def test_a_skip_is_no_act_that_a_moderator_takes_back_into_seen_dice(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(pbem("backup", place := tmp_path / "house.tar.gz"), "checked")
    home = elsewhere(office, "", monkeypatch)
    done(pbem("restore", place), "other dice")
    opened(office, home, "")
    with office.house.transaction() as session:
        ruling.rewind(Act(office.house, session), "ford", 0)
    assert campaign_of(office)._dice.used[EVERY] > STEP
    assert office.now > NOON
    assert isinstance(office.letters()[-1], MailOut)
    assert verify(office.house.log_path("ford"), find_game).ok


def test_a_mail_that_was_judged_is_known_after_a_restore(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done(pbem("backup", place := tmp_path / "house.tar.gz"), "checked")
    home = elsewhere(office, "", monkeypatch)
    done(pbem("restore", place), "other dice")
    opened(office, home, "")
    with office.house.database.reading() as session:
        assert {row.state for row in session.exec(select(MailIn)).all()} == {"done"}
