"""Too much of anything is refused cheaply: bombs, giants, floods, and machines that answer each other."""

from __future__ import annotations

import base64
import io
import socket
import time
import tracemalloc
import zipfile
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import event

from pbem.embedded import EmbeddedServers, post_folder
from pbem.embedded.letterbox import Letterbox
from pbem.house.settings import Embedded
from pbem.inbox.inbox import Inbox
from pbem.inbox.storing import store_new
from pbem.store import MailIn, new_id
from tests.pbem.security.office import ANNA, BRUNO, MALLORY, MODERATOR, OWN, Office, read, text_of

SOON = 30.0  # seconds of work: a mail that makes its reader hang takes many times that
MUCH = 60_000_000  # bytes of memory that the worst mail may take


def bomb(depth: int, width: int) -> bytes:
    """Parts within parts, each layer as wide as said."""
    body = "Content-Type: text/plain\r\n\r\nend\r\n"
    for number in range(depth):
        edge = f"b{number}"
        inner = "".join(f"--{edge}\r\n{body}\r\n" for _ in range(width if number == 0 else 1))
        body = f'Content-Type: multipart/mixed; boundary="{edge}"\r\n\r\n{inner}--{edge}--\r\n'
    return body.encode()


def zipped() -> bytes:
    """A zip that would unpack to two hundred megabytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        zeros = b"0" * 10_000_000
        for number in range(20):
            archive.writestr(f"orders{number}.txt", zeros)
    return packed.getvalue()


def head_of(office: Office, name: str) -> bytes:
    return (
        f"From: {ANNA}\r\nTo: {office.seat('mill', 'soviet')}\r\nSubject: s\r\nMessage-ID: <{name}@players.example>\r\n"
        "MIME-Version: 1.0\r\n"
    ).encode()


@pytest.mark.parametrize(("depth", "width"), [(400, 1), (1, 20_000), (60, 300)])
def test_a_mime_bomb_is_answered_and_not_read(office: Office, depth: int, width: int) -> None:
    raw = head_of(office, "bomb") + bomb(depth, width)
    head, began = office.head("mill"), time.process_time()
    answers = office.raw(raw)
    assert time.process_time() - began < SOON
    assert office.head("mill") == head
    assert len(answers) == 1
    assert str(answers[0]["To"]) in (ANNA, MODERATOR)


def test_a_zip_is_never_unpacked(office: Office) -> None:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = ANNA, office.seat("mill", "soviet"), "orders"
    mail["Message-ID"] = "<zip@players.example>"
    mail.set_content("see the file\n")
    mail.add_attachment(zipped(), "application", "zip", filename="orders.txt.zip")
    office.settings.limits.mail_bytes = 20_000_000  # so that its size is not what stops it
    head, began = office.head("mill"), time.process_time()
    tracemalloc.start()
    answers = office.raw(mail.as_bytes())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert time.process_time() - began < SOON
    assert peak < MUCH
    assert office.head("mill") == head
    assert [str(answer["To"]) for answer in answers] == [ANNA]


def test_a_50_mb_mail_is_answered_with_its_size(office: Office) -> None:
    raw = head_of(office, "giant") + b"\r\n" + b"end of the world\r\n" * 3_000_000
    assert len(raw) > 50_000_000
    head, began = office.head("mill"), time.process_time()
    answers = office.raw(raw)
    assert time.process_time() - began < SOON
    assert office.head("mill") == head
    assert len(answers) == 1
    assert "54.0 MB" in text_of(answers[0])
    assert len(answers[0].as_bytes()) < 20_000  # nothing of it is sent back


def test_our_own_server_does_not_take_a_50_mb_mail_in(tmp_path: Path) -> None:
    office = Office(tmp_path)
    office.settings.embedded = Embedded(smtp_port=0, imap_port=0)
    with EmbeddedServers(office.settings) as servers:
        password = servers.accounts.add(ANNA)
        assert password
        with (
            socket.create_connection(("127.0.0.1", servers.smtp_port), timeout=10) as plug,
            plug.makefile("rb") as talk,
        ):
            talk.readline()
            plug.sendall(b"EHLO localhost\r\n")
            offered = []
            while not offered or offered[-1][3:4] == b"-":
                offered.append(talk.readline())
            assert any(b"SIZE 25000000" in line for line in offered)
            plug.sendall(b"AUTH PLAIN " + base64.b64encode(f"\0{ANNA}\0{password}".encode()) + b"\r\n")
            assert talk.readline().startswith(b"235")
            plug.sendall(f"MAIL FROM:<{ANNA}> SIZE=50000000\r\n".encode())
            assert talk.readline().startswith(b"552")


def test_a_giant_in_the_mailbox_is_fetched_only_as_far_as_needed_to_refuse_it(tmp_path: Path) -> None:
    office = Office(tmp_path, limits={"mail_bytes": 100_000})
    office.game("mill", ANNA, BRUNO)
    office.settings.embedded = Embedded(smtp_port=0, imap_port=0)
    giant = head_of(office, "giant") + b"\r\n" + b"end of the world\r\n" * 1_000_000
    Letterbox(post_folder(office.settings) / office.settings.address).deliver(giant)
    with EmbeddedServers(office.settings) as servers:
        inbox = Inbox(servers.mailbox(), most_bytes=office.settings.limits.mail_bytes)
        assert store_new(office.house, inbox) == 1
        inbox.close()
    before = len(office.out())
    office.service.deal_with_all()
    (answer,) = office.out()[before:]
    assert answer.to == ANNA
    assert sum(path.stat().st_size for path in (tmp_path / "mail").rglob("*.eml")) < 1_000_000


def test_ten_thousand_mails_from_one_sender_cost_little_and_get_one_answer(tmp_path: Path) -> None:
    office = Office(tmp_path, database="sqlite://")
    office.game("mill", ANNA, BRUNO)
    before = len(office.out())
    first = _flood(office, 100, "stored")  # the first hundred are dealt with,
    assert len(office.out()) - before == 1  # a stranger gets one answer a day,
    _flood(office, 9_800, "silent")  # nearly ten thousand lie about,
    last = _flood(office, 100, "stored")  # and the last hundred cost what the first did, or less
    assert len(office.out()) - before == 1
    assert all(letter.to == MALLORY for letter in office.out()[before:])
    assert last <= first
    office.mail(ANNA, office.seat("mill", "soviet"), "status")
    assert office.row().state == "done"  # nobody else is kept out for it


def _flood(office: Office, count: int, state: str) -> int:
    """So many mails from one sender, stored or dealt with already; gives how often the database was asked for them."""
    with office.house.database.begin() as session:
        for number in range(count):
            raw = f"From: {MALLORY}\r\nTo: {OWN}\r\nSubject: buy\r\n\r\nbuy {new_id()}\r\n".encode()
            place, digest = office.house.cabinet.keep_raw(session, raw) if state == "stored" else ("", f"{number}")
            office.clock.now += timedelta(milliseconds=1)
            row = MailIn(id=new_id(), digest=digest, raw=place, sender=MALLORY, received=office.clock.now, state=state)
            session.add(row)
    asked: list[str] = []

    def ask(connection: object, cursor: object, statement: str, *rest: object) -> None:
        asked.append(statement)

    event.listen(office.house.database.engine, "before_cursor_execute", ask)
    office.service.deal_with_all()
    event.remove(office.house.database.engine, "before_cursor_execute", ask)
    return len(asked)


def test_two_daemons_that_are_each_others_players_fall_silent(tmp_path: Path) -> None:
    here = Office(tmp_path / "here", address="referee@here.example")
    there = Office(tmp_path / "there", address="referee@there.example")
    here.game("mill", there.settings.address, ANNA, begun=False)
    there.game("ford", here.settings.address, BRUNO, begun=False)
    exchanged = _exchange(here, there)
    assert exchanged <= 2  # the two invitations, and not a word about them


def test_a_machine_that_answers_everything_is_not_answered(office: Office) -> None:
    for letter in office.mail(ANNA, office.seat("mill", "soviet"), "status"):
        said = EmailMessage()
        said["From"], said["To"], said["Subject"] = ANNA, str(letter["Reply-To"]), "Out of office"
        said["Auto-Submitted"], said["Message-ID"] = "auto-replied", "<away@players.example>"
        said["In-Reply-To"] = str(letter["Message-ID"])
        said.set_content("I am away. end\n")
        assert office.raw(said.as_bytes()) == []
        assert office.row().state == "silent"


def _exchange(*offices: Office) -> int:
    """Every letter between the services is delivered until none is left; gives how many there were."""
    seen: set[str] = set()
    count = 0
    for _ in range(20):
        moved = 0
        for office in offices:
            for row in office.out():
                other = next((one for one in offices if row.to == one.settings.address), None)
                if row.id in seen or other is None:
                    continue
                seen.add(row.id)
                letter = read(row.raw)
                reply = letter["Reply-To"] or letter["From"]
                assert reply
                other.raw(row.raw)
                moved += 1
        count += moved
        if not moved:
            return count
    raise AssertionError("they never stop")
