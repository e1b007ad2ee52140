"""A database that is lost is made again from the games' folders: chairs, deadlines and mails stand as before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from engine.campaign import verify
from games import find_game
from pbem.house import House, crash_points, game_file
from pbem.house.in_files import LOG
from pbem.moderator import Act, sorting
from pbem.store import Due, FormerToken, GameRow, Invitation, Player, Pulse, Seat, Wish
from pbem.store.database_troubles import Damaged, EmptyDatabase
from tests.pbem import houses
from tests.pbem.desk.office import Office, text_of
from tests.pbem.received import receive
from tests.pbem.store.test_backup import KINDS, _database, begin, killed_at
from tests.pbem.store.test_moving import done, pbem, wrong

pytestmark = pytest.mark.on_files

KEPT = (GameRow, Player, Seat, Due, Invitation, Wish, FormerToken)


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Office]:
    office = Office(tmp_path / "home")
    begin(office)
    monkeypatch.setenv("PBEM_HOME", str(office.home))
    monkeypatch.setenv("PBEM_ADDRESS", office.house.settings.address)
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    yield office
    office.house.close()


def rows(house: House) -> dict[str, list[dict[str, Any]]]:
    with house.database.reading() as session:
        found = {model.__name__: session.exec(select(model)).all() for model in KEPT}
        return {name: sorted((_plain(row) for row in some), key=repr) for name, some in found.items()}


def _plain(row: Any) -> dict[str, Any]:
    times = {name: game_file.utc(value) for name, value in row.model_dump().items() if hasattr(value, "tzinfo")}
    return row.model_dump() | times


def database_lost(office: Office) -> None:
    office.house.close()
    for file in office.home.glob("fieldpost.sqlite*"):
        file.unlink()


def opened(office: Office, url: str = "") -> None:
    settings = office.house.settings.model_copy(update={"database": url})
    office.house = House(settings, clock=lambda: office.now)
    office.service.house = office.house


@pytest.mark.parametrize("kind", KINDS)
def test_everything_stands_as_before(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    url = _database(tmp_path / "there", kind)
    before, count = rows(office.house), office.house.campaign(office.game()).count
    asks = [ask.key for ask in office.house.campaign(office.game()).asks]
    database_lost(office)
    with pytest.raises(EmptyDatabase, match="pbem house rebuild"):
        opened(office)
    monkeypatch.setenv("PBEM_DATABASE", url)
    done(pbem("rebuild"), "The database is made again: 2 games, 2 players, 3 mails.")
    opened(office, url)
    assert rows(office.house) == before
    done(pbem("check"), "2 games, no faults.")
    campaign = office.house.campaign(office.game())
    assert (campaign.count, [ask.key for ask in campaign.asks]) == (count, asks)
    assert [order.line() for order in campaign.drawer.standing["soviet"]]
    letters = {row.to: " ".join(text_of(row).split()) for row in office.letters()}
    assert set(letters) == set(office.people.values())
    assert all(f"Line {count - 1} is the last of the log" in text for text in letters.values())
    wrong(pbem("rebuild"), "the database knows games already (ford)")
    office.mail("soviet", "end")
    assert office.house.campaign(office.game()).count == count + 1
    office.house.close()
    if url:
        houses.drop({str(tmp_path / "there")})
    else:
        assert verify(office.home / "games" / "ford" / LOG, find_game).ok


def test_a_mail_that_was_judged_is_not_judged_again(office: Office) -> None:
    office.now += timedelta(minutes=5)
    office.count += 1
    raw = office.raw("soviet", "end")
    receive(office.house, raw)
    office.service.deal_with_all()
    count = office.house.campaign(office.game()).count
    database_lost(office)
    done(pbem("rebuild"), "4 mails")
    opened(office)
    digest = next(row for row in office.mails() if row.line == count - 1)
    assert (digest.state, digest.game_id) == ("done", "ford")
    assert digest.line_hash == office.house.campaign(office.game()).head
    from pbem.inbox.storing import store

    assert store(office.house, [("box", 7, raw)]) == 0  # should the server show it again
    office.service.deal_with_all()
    assert office.house.campaign(office.game()).count == count


def test_a_mail_of_which_nobody_knows_is_set_aside_and_not_lost(office: Office) -> None:
    office.count += 1
    receive(office.house, office.raw("soviet", "end"))  # stored, and then the disk fails
    newest = max((office.home / "mail").rglob("*.eml"), key=lambda path: path.stat().st_mtime_ns)
    later = (office.house.folder("ford") / game_file.NAME).stat().st_mtime + 5
    os.utime(newest, (later, later))
    count = office.house.campaign(office.game()).count
    database_lost(office)
    done(pbem("rebuild"), "1 mails may not have been dealt with")
    opened(office)
    assert [row.state for row in office.mails()].count("shunted") == 1
    with office.house.transaction() as session:
        sorting.retry(Act(office.house, session), next(row.id for row in office.mails() if row.state == "shunted"))
    office.service.deal_with_all()
    assert office.house.campaign(office.game()).count == count + 1


def test_a_damaged_database_is_set_aside(office: Office) -> None:
    office.house.close()
    file = office.home / "fieldpost.sqlite"
    file.write_bytes(b"not a database, and long enough to be taken for one" * 100)
    with pytest.raises(Damaged, match="pbem house rebuild"):
        opened(office)
    done(pbem("rebuild"), "The database is made again")
    (aside,) = office.home.glob("fieldpost.sqlite.lost-*")
    assert aside.read_bytes().startswith(b"not a database")
    opened(office)
    done(pbem("check"), "2 games, no faults.")


def test_the_time_without_a_database_counts_as_one_without_service(office: Office) -> None:
    database_lost(office)
    done(pbem("rebuild"), "made again")
    opened(office)
    with office.house.database.reading() as session:
        assert session.get_one(Pulse, 1).up is not None


def test_one_that_is_cut_short_is_done_again(office: Office) -> None:
    database_lost(office)
    with killed_at(crash_points.REBUILD_MADE):
        pbem("rebuild")
    assert not (office.home / "fieldpost.sqlite").exists()
    done(pbem("rebuild"), "made again")
    done(pbem("check"), "no faults")
    assert not list(office.home.glob("*.part*"))


def test_what_cannot_be_made_again_is_told_in_a_sentence(office: Office, tmp_path: Path) -> None:
    database_lost(office)
    place = office.house.folder("mill") / game_file.NAME
    kept = place.read_bytes()
    place.unlink()
    wrong(pbem("rebuild"), "mill/game.json is not there: take the one of a backup")
    place.write_bytes(ford := (office.house.folder("ford") / game_file.NAME).read_bytes())
    wrong(pbem("rebuild"), "mill/game.json is of another game: give the folder its own name again")
    place.write_bytes(ford.replace(b'"ford"', b'"mill"'))
    wrong(pbem("rebuild"), "ford and mill are not games of one house")
    place.write_bytes(kept)
    done(pbem("rebuild"), "made again")


def test_without_games_there_is_nothing_to_make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "empty"))
    wrong(pbem("rebuild"), "there are no games in")
