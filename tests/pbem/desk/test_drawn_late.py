"""Pictures and order boards are made when a letter is sent: until then nothing of them is kept anywhere."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel, col, select

import games
from pbem.letters import filling
from pbem.outbox import easel
from pbem.outbox.easel import Easel
from pbem.outbox.sending import DRAWING_TRIES, send_due
from pbem.store import MailOut, Seat
from tests.pbem.desk.office import Office, message_of, text_of

PNG = b"\x89PNG\r\n\x1a\n"
SIGNS = [PNG, *(base64.b64encode(b"x" * shift + PNG + b"\0\0\0\rIHDR")[4 * shift : -4] for shift in range(3))]
MOVE = "move RB8 to 0807"  # the map changes by it


class Crash(BaseException):
    """The machine stops."""


class Relayed:
    """A relay that remembers what it was given, and stops the machine when it is told to."""

    def __init__(self) -> None:
        self.taken: dict[str, bytes] = {}
        self.stops = False

    async def send(self, sender: str, to: str, raw: bytes) -> None:
        self.taken[message_id(raw)] = raw
        if self.stops:
            raise Crash


def message_id(raw: bytes) -> str:
    return raw.partition(b"Message-ID: ")[2].partition(b"\r\n")[0].decode()


def send(office: Office, relay: Relayed) -> int:
    return asyncio.run(send_due(office.house, relay))


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    found = Office(tmp_path / "home")
    found.begin({"pictures": "all", "board": "packed"})
    send(found, Relayed())
    yield found
    found.house.close()


def pictures(row: MailOut) -> list[str]:
    return [str(part.get_filename()) for part in message_of(row).walk() if part.get_content_type() == "image/png"]


def all_rows(office: Office) -> Iterator[tuple[str, bytes]]:
    """Everything in the database, field by field."""
    with office.house.database.reading() as session:
        for table in SQLModel.metadata.tables:
            for row in session.execute(text(f'SELECT * FROM "{table}"')).all():
                for name, value in row._mapping.items():
                    yield (
                        f"{table}.{name}",
                        bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode(),
                    )


@pytest.mark.parametrize("book", sorted(games.titles()))
def test_no_picture_and_no_board_lies_in_the_database(book: str, tmp_path: Path) -> None:
    office = Office(tmp_path / "home", rulebook=book)
    office.begin({"pictures": "all", "board": "packed"})
    for side in office.people:
        office.mail(side, "map\nmap full\norders\nresend")
        office.mail(side, "default")
    for side in list(office.people)[:1]:
        office.mail(side, "resign for good")
    drawn = [row for row in office.letters() if row.pictures]
    assert {sketch["draw"] for row in drawn for sketch in row.pictures} >= {"report", "map", "full", "letter", "log"}
    assert any(sign in row.raw for row in drawn for sign in SIGNS)  # they are in what is sent
    found = [name for name, value in all_rows(office) if any(sign in value for sign in SIGNS) or b"<svg" in value]
    assert found == []
    office.house.close()


def test_a_letter_is_the_same_whenever_it_is_drawn(office: Office) -> None:
    """As of its line: what has happened since is not in it."""
    at_once = {row.id: row.raw for row in office.mail("soviet", MOVE)}
    office.mail("soviet", "end\nend")
    office.mail("german", "historical\nend")
    with office.house.database.reading() as session:
        for id_, raw in at_once.items():
            row = session.get_one(MailOut, id_)
            assert row.pictures
            assert Easel(office.house, session).finished(row)[0] == raw


def test_a_letter_cut_off_in_mid_sending_goes_out_again_as_it_was(office: Office) -> None:
    relay, again = Relayed(), Relayed()
    office.mail("soviet", MOVE)
    relay.stops = True
    with pytest.raises(Crash):
        send(office, relay)
    office.house.close()
    office.open()
    send(office, again)
    ((number, raw),) = relay.taken.items()
    assert again.taken[number] == raw
    assert SIGNS[1] in raw


def test_what_cannot_be_drawn_holds_no_letter_back_for_ever(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: Any, **_more: Any) -> Any:
        raise KeyError("no such colour")

    rows = office.mail("soviet", MOVE)
    monkeypatch.setattr(easel, "letter_picture", broken)
    relay = Relayed()
    for number in range(DRAWING_TRIES + 1):
        assert not relay.taken, number
        send(office, relay)
        office.now += timedelta(hours=1)
    assert {row.message_id for row in rows} <= relay.taken.keys()
    for row in rows:
        row.raw = relay.taken[row.message_id]
        assert "map.png" not in pictures(row)
        assert easel.SORRY in " ".join(text_of(row).split())
        assert b"cid:map" not in row.raw
    told = [row for row in office.letters() if row.key.startswith("undrawn/")]
    assert len(told) == len(rows)
    assert "no such colour" in text_of(told[0])
    assert "map.png" in text_of(told[0])


def test_trouble_with_the_house_uses_up_no_try(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_given: Any, **_more: Any) -> Any:
        raise OSError(28, "No space left on device")

    office.mail("soviet", MOVE)
    monkeypatch.setattr(easel, "letter_picture", full)
    with pytest.raises(OSError, match="No space"):
        send(office, Relayed())
    assert {row.tries for row in office.letters("queued")} == {0}


def test_a_letter_of_the_version_before_goes_out_as_it_is(office: Office) -> None:
    office.mail("soviet", "status")
    with office.house.database.begin() as session:
        row = session.exec(select(MailOut).where(col(MailOut.state) == "queued")).one()
        row.raw, row.pictures, row.tells = row.raw.replace(b"\r\n\r\n", b"\r\n\r\nas it was\x0e\r\n", 1), [], {}
        raw = row.raw
    relay = Relayed()
    send(office, relay)
    assert list(relay.taken.values()) == [raw]


def test_a_map_that_was_too_heavy_comes_with_the_next_letter(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    office.mail("soviet", MOVE)
    monkeypatch.setattr(filling, "MOST", 0)
    relay = Relayed()
    send(office, relay)
    assert all(b"map.png" not in raw for raw in relay.taken.values())
    with office.house.database.reading() as session:
        assert session.exec(select(Seat.map_sent)).all() == ["", ""]
    monkeypatch.undo()
    (own, _) = sorted(office.mail("soviet", "end"), key=lambda row: row.key)
    assert "map.png" in pictures(own)
