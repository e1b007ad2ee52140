"""The transport against Debian's own Dovecot and Postfix: what the embedded servers show holds there too."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from email import message_from_bytes

import pytest
from sqlmodel import select

from pbem.gate.authentication import vouching
from pbem.inbox.inbox import Inbox
from pbem.inbox.incoming import tags_of
from pbem.inbox.mailbox_check import mailbox_check, recent_heads
from pbem.inbox.storing import store_new
from pbem.outbox.sending import send_due
from pbem.outbox.transport import SmtpTransport
from pbem.outbox.verp import bounced_mail
from pbem.store import MailIn, MailOut, Player, new_id

PATIENCE = 30  # seconds until a mail must have come


def put(house, to: str) -> str:
    id_, now = new_id(), house.clock()
    head = f"From: {house.settings.address}\r\nTo: {to}\r\nSubject: R\r\nMessage-ID: <{id_}@fieldpost.example>\r\n"
    raw = f"{head}\r\nHello.\r\n"
    with house.database.begin() as session:
        session.add(MailOut(id=id_, key=id_, to=to, subject="R", raw=raw.encode(), next_try=now, queued=now))
    return id_


def send(house) -> int:
    async def go() -> int:
        transport = SmtpTransport(house.settings.relay)
        try:
            return await send_due(house, transport)
        finally:
            await transport.close()

    return asyncio.run(go())


def await_mail(servers, house, inbox: Inbox, number: int = 1) -> list[MailIn]:
    """What is stored when so many mails have come."""
    deadline = time.monotonic() + PATIENCE
    stored = store_new(house, inbox)
    while stored < number and time.monotonic() < deadline:
        inbox.wait(1)
        stored += store_new(house, inbox)
    assert (stored, inbox.trouble) == (number, ""), servers.said()
    with house.database.begin() as session:
        return list(session.exec(select(MailIn).order_by(MailIn.uid)).all())


@pytest.fixture
def open_inbox(servers):
    opened = []

    def of(house) -> Inbox:
        opened.append(Inbox(house.settings.mailbox))
        return opened[-1]

    yield of
    for inbox in opened:
        inbox.close()


def stored(house, place):
    with house.database.reading() as session:
        return house.cabinet.raw(session, place)


@pytest.mark.parametrize("starttls", [False, True])
def test_a_mail_goes_out_by_postfix_and_comes_in_by_dovecot(servers, make_house, open_inbox, starttls):
    house = make_house(starttls=starttls)
    id_ = put(house, house.seat_address("f00d"))
    assert send(house) == 1
    inbox = open_inbox(house)
    (row,) = await_mail(servers, house, inbox)
    message = message_from_bytes(stored(house, row.raw))
    assert row.message_id == f"<{id_}@fieldpost.example>"
    assert tags_of(message, house.settings.address) == ("f00d",)
    assert store_new(house, inbox) == 0


@pytest.mark.parametrize("done", ["", "Dealt with"])
def test_stored_mail_is_flagged_or_moved_and_not_fetched_again(servers, make_house, open_inbox, done):
    house = make_house(done_folder=done)
    for _ in range(3):
        put(house, house.settings.address)
    send(house)
    await_mail(servers, house, open_inbox(house), 3)
    assert open_inbox(house).fetch() == []
    folder = servers.folder / "mail" / "fieldpost.example" / house.settings.address.partition("@")[0]
    kept = folder / f".{done}" if done else folder
    assert len(list((kept / "cur").iterdir())) + len(list((kept / "new").iterdir())) == 3


def test_dovecot_wakes_a_waiting_service(servers, make_house, open_inbox):
    house = make_house()
    inbox = open_inbox(house)
    assert store_new(house, inbox) == 0
    put(house, house.settings.address)
    sender = threading.Thread(target=send, args=(house,))
    sender.start()
    heard = inbox.wait(PATIENCE)
    sender.join()
    assert heard
    assert len(await_mail(servers, house, inbox)) == 1


def test_dovecot_with_new_uidvalidity_brings_no_mail_twice(servers, make_house, open_inbox):
    house = make_house()
    put(house, house.settings.address)
    send(house)
    inbox = open_inbox(house)
    (before,) = await_mail(servers, house, inbox)
    folder = servers.folder / "mail" / "fieldpost.example" / house.settings.address.partition("@")[0]
    numbers = folder / "dovecot-uidlist"
    numbers.write_text(re.sub(r" V\d+", " V4711", numbers.read_text(), count=1))
    for file in (*folder.glob("dovecot.index*"), folder / "dovecot-keywords"):
        file.unlink()
    assert store_new(house, open_inbox(house)) == 0
    with house.database.begin() as session:
        (after,) = session.exec(select(MailIn)).all()
    assert after.id == before.id
    assert after.box.endswith("/INBOX;4711")


def test_postfix_refuses_an_unknown_reader_and_the_moderator_is_told(servers, make_house, open_inbox):
    house = make_house()
    with house.database.begin() as session:
        session.add(Player(address="nobody@home.example"))
    id_ = put(house, "nobody@home.example")
    assert send(house) == 1
    with house.database.begin() as session:
        mail = session.get(MailOut, id_)
        notice = session.exec(select(MailOut).where(MailOut.key == f"undelivered/{id_}")).one()
    assert mail.state == "failed"
    assert mail.error.startswith("550")
    assert (notice.to, notice.state) == (house.settings.moderator, "sent")


def test_a_mail_that_bounces_later_names_itself(servers, make_house, open_inbox):
    house = make_house()
    id_ = put(house, "gone@elsewhere.example")
    assert send(house) == 1
    (row,) = await_mail(servers, house, open_inbox(house))
    bounce = message_from_bytes(stored(house, row.raw))
    assert bounce.get_content_type() == "multipart/report"
    assert [bounced_mail(tag) for tag in tags_of(bounce, house.settings.address)] == [id_]


def test_the_check_finds_nothing_wrong_with_right_settings(servers, make_house):
    assert mailbox_check(make_house().settings) == []
    assert mailbox_check(make_house(starttls=True).settings) == []


def test_the_check_says_that_a_certificate_is_not_trusted(make_house, monkeypatch):
    monkeypatch.delenv("SSL_CERT_FILE")
    found = mailbox_check(make_house().settings)
    assert len(found) == 2
    for sentence in found:
        assert "the certificate of localhost" in sentence
        assert "SSL_CERT_FILE" in sentence


def test_a_certificate_named_in_the_environment_is_trusted(servers, make_house, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(servers.authority))
    assert mailbox_check(make_house().settings) == []


def test_the_check_says_that_a_certificate_is_for_another_name(servers, make_house):
    settings = make_house().settings
    settings.mailbox.host = settings.relay.host = "127.0.0.1"
    found = mailbox_check(settings)
    assert len(found) == 2
    assert all("use the name it is made out to" in sentence for sentence in found)


def test_the_check_says_that_a_login_is_refused(servers, make_house):
    settings = make_house().settings
    wrong = {"password": settings.mailbox.password.__class__("guessed")}
    settings.mailbox = settings.mailbox.model_copy(update=wrong)
    settings.relay = settings.relay.model_copy(update=wrong)
    found = mailbox_check(settings)
    assert len(found) == 2
    assert all(f"refused the login of {settings.address}" in sentence for sentence in found)


def test_the_check_says_that_there_is_no_such_folder(servers, make_house):
    assert mailbox_check(make_house(folder="Orders").settings) == [
        "mailbox: there is no folder Orders; there are INBOX"
    ]


def test_the_headers_of_the_last_mails_are_read_from_dovecot_and_nothing_is_marked(servers, make_house, open_inbox):
    house = make_house()
    put(house, house.settings.address)
    send(house)
    await_mail(servers, house, open_inbox(house))
    put(house, house.settings.address)
    send(house)
    inbox, deadline = open_inbox(house), time.monotonic() + PATIENCE
    while len(recent_heads(house.settings.mailbox)) < 2 and time.monotonic() < deadline:
        inbox.wait(0.2)
    heads = recent_heads(house.settings.mailbox)
    assert [str(head["Subject"]) for head in heads] == ["R", "R"]
    assert vouching(heads).mails == 2
    assert len(await_mail(servers, house, inbox)) == 2  # the second is still new
