"""Mail brought by LMTP: what is answered with 250 is stored; what is not stays with whoever brought it."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from pbem.house import House
from pbem.house.settings import Relay, Settings
from pbem.inbox import lmtp
from pbem.inbox.lmtp import CannotListen, LmtpInbox
from pbem.service.serving import Daemon
from pbem.store import MailIn
from pbem.store.database_troubles import DiskFull

SERVICE, ANNA = "orders@fieldpost.example", "anna@home.example"
TOKEN = "0123456789abcdef0123456789abcdef"
MAIL = f"From: {ANNA}\r\nTo: {SERVICE}\r\nSubject: orders\r\nMessage-ID: <1@home.example>\r\n\r\nend\r\n"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    found = House(Settings(home=tmp_path / "home", address=SERVICE, moderator="konev@fieldpost.example"))
    yield found
    found.close()


@pytest.fixture
def inbox(house: House, tmp_path: Path) -> Iterator[LmtpInbox]:
    found = LmtpInbox(house, str(tmp_path / "lmtp"))
    yield found
    found.close()


def bring(inbox: LmtpInbox, *to: str, raw: str = MAIL) -> dict[str, tuple[int, bytes]]:
    """Hands a mail in, and gives what was said to each recipient."""
    said: dict[str, tuple[int, bytes]] = {}
    with smtplib.LMTP(inbox.at) as client:
        client.ehlo()
        client.mail(ANNA)
        taken = []
        for one in to:
            said[one] = client.rcpt(one)
            taken += [one] if said[one][0] == 250 else []
        if taken:
            client.putcmd("data")
            assert client.getreply()[0] == 354
            client.send(f"{raw}.\r\n".encode())
            for one in taken:
                said[one] = client.getreply()
    return said


def stored(house: House) -> list[MailIn]:
    with house.database.reading() as session:
        return list(session.exec(select(MailIn)).all())


def test_what_is_answered_with_250_is_stored(house: House, inbox: LmtpInbox) -> None:
    said = bring(inbox, f"orders+{TOKEN}@fieldpost.example")
    assert [code for code, _ in said.values()] == [250]
    (row,) = stored(house)
    assert (row.sender, row.message_id, row.state) == (ANNA, "<1@home.example>", "stored")
    with house.database.reading() as session:
        raw = house.cabinet.raw(session, row.raw).decode()
    assert raw.startswith(f"Return-Path: <{ANNA}>\r\nDelivered-To: orders+{TOKEN}@fieldpost.example\r\n")
    assert raw.endswith(MAIL)
    assert inbox.wait(0)  # the daemon is woken


def test_each_recipient_has_an_answer_of_his_own(house: House, inbox: LmtpInbox) -> None:
    said = bring(inbox, f"orders+{TOKEN}@fieldpost.example", "orders+x@fieldpost.example", "nobody@fieldpost.example")
    assert [code for code, _ in said.values()] == [250, 250, 550]
    assert len(stored(house)) == 2


def test_a_mail_that_is_brought_again_is_stored_once(house: House, inbox: LmtpInbox) -> None:
    for _ in range(2):
        assert bring(inbox, SERVICE)[SERVICE][0] == 250
    assert len(stored(house)) == 1


def test_what_is_too_large_is_refused_to_each(house: House, inbox: LmtpInbox) -> None:
    house.settings.limits.mail_bytes = 1000
    said = bring(inbox, SERVICE, "orders+x@fieldpost.example", raw=MAIL + "a line\r\n" * 200)
    assert [code for code, _ in said.values()] == [552, 552]
    assert stored(house) == []
    assert bring(inbox, SERVICE)[SERVICE][0] == 250


@pytest.mark.parametrize("problem", [DiskFull("the disk"), OSError(28, "No space left on device"), ValueError("odd")])
def test_trouble_leaves_the_mail_with_who_brought_it(
    house: House, inbox: LmtpInbox, problem: Exception, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    def broken(*_: object) -> int:
        raise problem

    monkeypatch.setattr(lmtp, "store", broken)
    assert [code for code, _ in bring(inbox, SERVICE, "orders+x@fieldpost.example").values()] == [452, 452]
    assert "mail was not taken in" in capsys.readouterr().out
    monkeypatch.undo()
    assert bring(inbox, SERVICE)[SERVICE][0] == 250
    assert len(stored(house)) == 1


def test_with_little_room_no_mail_is_begun(house: House, inbox: LmtpInbox) -> None:
    house.settings.limits.free_megabytes = 10**9
    with smtplib.LMTP(inbox.at) as client:
        client.ehlo()
        assert client.mail(ANNA)[0] == 452


def test_the_clock_goes_on_though_nothing_is_fetched(house: House, inbox: LmtpInbox) -> None:
    daemon = Daemon(house, inbox, Relay(host="smtp.club.example"))
    bring(inbox, SERVICE)
    daemon._work()
    assert [row.state for row in stored(house)] != ["stored"]
    pulse = daemon.heart._kept
    assert pulse is not None
    assert pulse[1]


def test_a_port_listens_too_and_one_that_is_taken_is_told(house: House, inbox: LmtpInbox) -> None:
    first = LmtpInbox(house, "127.0.0.1:0")
    first.close()
    for nowhere in ("nowhere", "127.0.0.1:65560"):
        with pytest.raises(CannotListen, match=f"cannot be taken in at {nowhere}"):
            LmtpInbox(house, nowhere)


def test_a_path_that_another_listens_at_is_left_to_him(house: House, inbox: LmtpInbox) -> None:
    with pytest.raises(CannotListen, match="another process listens there"):
        LmtpInbox(house, inbox.at)
    assert bring(inbox, SERVICE)[SERVICE][0] == 250


def test_a_file_is_no_socket_of_one_that_was_killed(house: House, tmp_path: Path) -> None:
    (place := tmp_path / "letter").write_text("kept")
    with pytest.raises(CannotListen, match="cannot be taken in"):
        LmtpInbox(house, str(place))
    assert place.read_text() == "kept"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(left := tmp_path / "left"))
    LmtpInbox(house, str(left)).close()
