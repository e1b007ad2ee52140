"""Debian's own Postfix brings mail to `pbem serve --lmtp`: it keeps what we cannot store, and brings it again."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from pbem.house import House
from pbem.house.settings import Settings
from pbem.inbox import lmtp
from pbem.inbox.lmtp import LmtpInbox
from pbem.outbox.transport import connect, hang_up
from pbem.store import MailIn
from pbem.store.database_troubles import DiskFull
from tests.servers.conftest import MailServers, run

PATIENCE = 60  # seconds until a mail must have come
TOKEN = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def house(servers: MailServers, tmp_path: Path) -> Iterator[House]:
    found = House(Settings(home=tmp_path / "home", address="orders@mx.example", moderator="konev@mx.example"))
    yield found
    found.close()


@pytest.fixture
def inbox(servers: MailServers, house: House) -> Iterator[LmtpInbox]:
    found = LmtpInbox(house, f"127.0.0.1:{servers.ports.lmtp}")
    yield found
    found.close()


def write(servers: MailServers, *to: str) -> None:
    """Anna hands a mail to Postfix."""
    anna = servers.address("anna")

    async def go() -> None:
        smtp = await connect(servers.relay(anna))
        await smtp.mail(anna)
        for one in to:
            await smtp.rcpt(one)
        await smtp.data(
            f"From: {anna}\r\nTo: {to[0]}\r\nSubject: orders\r\nMessage-ID: <{anna}>\r\n\r\nend\r\n".encode()
        )
        hang_up(smtp)

    asyncio.run(go())


def until(servers: MailServers, what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not re.search(what, servers.said()):
        assert time.monotonic() < deadline, servers.said()
        time.sleep(0.2)


def stored(house: House) -> list[MailIn]:
    with house.database.reading() as session:
        return list(session.exec(select(MailIn)).all())


def test_postfix_brings_mail_and_each_recipient_gets_his_own(
    servers: MailServers, house: House, inbox: LmtpInbox
) -> None:
    own, unknown = f"orders+{TOKEN}@mx.example", "nobody@mx.example"
    write(servers, own, unknown)
    until(servers, rf"to=<{re.escape(own)}>.*dsn=2\.0\.0, status=sent")
    until(servers, rf"to=<{re.escape(unknown)}>.*dsn=5\.1\.1, status=bounced")
    (row,) = stored(house)
    assert row.state == "stored"
    with house.database.reading() as session:
        assert f"Delivered-To: {own}" in house.cabinet.raw(session, row.raw).decode()


def test_what_cannot_be_stored_stays_with_postfix_and_comes_again(
    servers: MailServers, house: House, inbox: LmtpInbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> int:
        raise DiskFull("the disk")

    monkeypatch.setattr(lmtp, "store", full)
    write(servers, "orders+later@mx.example")
    until(servers, r"to=<orders\+later@mx\.example>.*dsn=4\.3\.1, status=deferred")
    assert stored(house) == []
    monkeypatch.undo()
    run("postqueue", "-c", servers.folder / "postfix", "-f")
    until(servers, r"to=<orders\+later@mx\.example>.*status=sent")
    assert len(stored(house)) == 1
