"""`game.json` beside a log tells the rows of its game, whatever has happened to them; and nobody else sees it."""

from __future__ import annotations

import json
import stat
import zipfile
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from pbem.house import game_file
from pbem.moderator import Act, arranging, keeping, readdressing, timing
from pbem.store import Due, GameRow, Invitation, MailOut, Player, Seat
from tests.pbem.desk.office import MODERATOR, Office, message_of
from tests.pbem.received import receive

pytestmark = pytest.mark.on_files

ANNA, CLARA = "anna@loft.example", "clara@weir.example"


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path / "home")
    office.begin({"deadline": "48h"})
    return office


def place_of(office: Office) -> Path:
    return office.house.folder(office.name) / game_file.NAME


def told(office: Office) -> dict[str, list[dict[str, Any]]]:
    """What the file says, after it was held against the rows, one by one, and its mode against what it must be."""
    place = place_of(office)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    kept = list(game_file.rows_in(place.parent))
    with office.house.database.reading() as session:
        for model in (GameRow, Seat, Due, Invitation, Player):
            rows = session.exec(select(model)).all()
            mine = [row for row in kept if isinstance(row, model)]
            assert len(mine) == len(rows) > 0 or model is Due
            for row in mine:
                there = session.get_one(model, row.id)  # type: ignore[attr-defined]
                assert row.model_dump() == type(there).model_validate(there.model_dump()).model_dump() | _timed(there)
    found: dict[str, list[dict[str, Any]]] = json.loads(place.read_bytes())
    return found


def _timed(row: Any) -> dict[str, Any]:
    return {
        name: game_file.utc(value) for name, value in row.model_dump().items() if type(value).__name__ == "datetime"
    }


def act(office: Office, verb: Any, *args: str, **more: Any) -> None:
    with office.house.transaction() as session:
        verb(Act(office.house, session), office.name, *args, **more)


def answer(office: Office, letter: MailOut, text: str) -> None:
    head = f"From: {letter.to}\nTo: {message_of(letter)['Reply-To']}\nMessage-ID: <to-{letter.id}@weir.example>"
    receive(office.house, f"{head}\n\n{text}\n".encode())
    office.service.deal_with_all()


def test_it_is_true_from_the_invitation_to_the_end(tmp_path: Path) -> None:
    office = Office(tmp_path / "home")
    office.invite({"deadline": "48h"})
    assert [(seat["side"], seat["joined"]) for seat in told(office)["seat"]] == [("soviet", 0), ("german", 0)]
    office.mail("soviet", "join as Anna zone Europe/Kyiv nonce three herons")
    assert [seat["joined"] for seat in told(office)["seat"]] == [1, 0]
    office.mail("german", "join as Bert zone Europe/Berlin nonce two storks")
    assert told(office)["game"][0]["state"] == "playing"
    assert told(office)["due"][0]["side"] == "soviet"
    act(office, arranging.close)
    assert told(office)["game"][0]["state"] == "abandoned"
    assert not told(office)["due"]


def test_it_is_true_after_a_line_a_change_of_terms_and_a_pause(office: Office) -> None:
    before = told(office)
    office.mail("soviet", "end")
    assert told(office)["seat"][0]["reported"] > before["seat"][0]["reported"]
    act(office, timing.terms, pace="careful", deadline=["72h"])
    assert told(office)["game"][0]["settings"]["deadline"] == {"default": "72h"}
    act(office, timing.pause)
    assert told(office)["game"][0]["paused_at"]


def test_it_is_true_after_a_new_token_a_new_address_and_a_substitute(office: Office) -> None:
    token = office.seat("soviet").token
    act(office, readdressing.token, "soviet")
    assert told(office)["former_token"] == [{"token": token, "seat_id": 1, "player_id": 1}]
    assert told(office)["seat"][0]["token"] == office.seat("soviet").token != token
    act(office, readdressing.address, "soviet", ANNA)
    assert told(office)["address_request"][0]["address"] == ANNA
    answer(office, next(row for row in office.letters() if row.to == ANNA), "confirm")
    assert told(office)["player"][0]["address"] == ANNA
    office.people["soviet"] = ANNA
    office.mail("soviet", "zone Europe/Oslo")
    assert told(office)["player"][0]["zone"] == "Europe/Oslo"
    act(office, arranging.substitute, "german", CLARA)
    letter = office.letters()[-1]
    assert letter.to == CLARA
    assert CLARA in {player["address"] for player in told(office)["player"]}
    answer(office, letter, "join as Clara")
    clara = next(player["id"] for player in told(office)["player"] if player["address"] == CLARA)
    assert told(office)["seat"][1]["player_id"] == clara


def test_one_that_a_stop_has_left_behind_is_written_at_the_next_start(office: Office) -> None:
    place = place_of(office)
    true = place.read_bytes()
    place.unlink()
    office.service.recover()
    assert place.read_bytes() == true


def test_it_is_written_only_when_it_changes(office: Office) -> None:
    before = place_of(office).stat()
    office.service.recover()
    office.wait(1)
    assert place_of(office).stat().st_mtime_ns == before.st_mtime_ns


def test_what_is_packed_or_sent_has_nothing_of_it(office: Office, tmp_path: Path) -> None:
    office.mail("soviet", "end")
    with office.house.transaction() as session:
        keeping.export(Act(office.house, session), office.name, to=str(tmp_path / "game.zip"))
    tokens = [seat.token for seat in (office.seat("soviet"), office.seat("german"))]
    with zipfile.ZipFile(tmp_path / "game.zip") as pack:
        assert not any(name.endswith(game_file.NAME) for name in pack.namelist())
        assert not any(token.encode() in pack.read(name) for name in pack.namelist() for token in tokens)
    assert not any(game_file.NAME.encode() in letter.raw for letter in office.letters())


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"{", "is damaged"),
        (b"{}", "is damaged"),
        (b'{"schema":"9999"}', "was written by a newer Fieldpost"),
        (None, "is not there"),
    ],
)
def test_one_that_cannot_be_read_is_told_in_a_sentence(tmp_path: Path, content: bytes | None, why: str) -> None:
    if content is not None:
        (tmp_path / game_file.NAME).write_bytes(content)
    with pytest.raises(game_file.NoGameFile, match=why):
        list(game_file.rows_in(tmp_path))


def test_a_moderator_is_among_the_rows(office: Office) -> None:
    assert told(office)["game"][0]["moderator"] == MODERATOR
