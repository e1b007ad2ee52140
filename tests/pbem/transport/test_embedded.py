"""The embedded servers: any mail client can play, and nothing that was taken is lost."""

from __future__ import annotations

import asyncio
import errno
import smtplib

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError
from sqlmodel import select

from pbem.embedded import Accounts, EmbeddedServers, NoSuchAccount, PortTaken, post_folder
from pbem.embedded.letterbox import Letterbox
from pbem.house import disk_space
from pbem.house.settings import Embedded, Settings
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.outbox.sending import send_due
from pbem.outbox.transport import SmtpTransport
from pbem.store import MailOut

SERVICE, ANNA, BORIS = "orders@fieldpost.example", "anna@home.example", "boris@home.example"


def test_a_mail_to_a_seat_reaches_the_service_and_says_which_seat(post):
    post.send(ANNA, "orders+f00d@fieldpost.example")
    (raw,) = post.mails(SERVICE).values()
    assert b"\r\nDelivered-To: orders+f00d@fieldpost.example\r\n" in raw
    assert raw.startswith(b"Return-Path: <anna@home.example>\r\n")


def test_a_mail_arrives_byte_for_byte(post):
    raw = (
        b"From: anna@home.example\r\nTo: boris@home.example\r\nSubject: =?utf-8?q?=D0?=\r\n"
        b"\tfolded\r\n\r\n.dots\r\n..\r\nFrom here on\r\n\xd0\x9a\xd0\xbe\xd1\x80 \xff\r\n  \r\n\r\n"
    )
    post.send(ANNA, BORIS, raw)
    (arrived,) = post.mails(BORIS).values()
    assert arrived.endswith(b"\r\n" + raw)


@pytest.mark.parametrize("size", [10_000, 3_000_000])
def test_a_large_mail_arrives_whole(post, size):
    raw = post.letter(ANNA, BORIS, "x" * 70 + "\n" + ("y" * 70 + "\n") * (size // 71))
    post.send(ANNA, BORIS, raw)
    (arrived,) = post.mails(BORIS).values()
    assert arrived.endswith(raw)


def test_nobody_sends_without_a_login(post):
    with smtplib.SMTP("127.0.0.1", post.servers.smtp_port, local_hostname="localhost") as smtp:
        with pytest.raises(smtplib.SMTPSenderRefused) as refusal:
            smtp.sendmail(ANNA, [SERVICE], b"Subject: x\r\n\r\n")
        assert refusal.value.smtp_code == 530
        with pytest.raises(smtplib.SMTPAuthenticationError):
            smtp.login(ANNA, "guessed")


def test_nobody_reads_another_ones_mail(post):
    client = IMAPClient("127.0.0.1", post.servers.imap_port, ssl=False, timeout=10)
    try:
        for name, password in ((ANNA, post.passwords[BORIS]), ("nobody@home.example", ""), ("", "")):
            with pytest.raises((LoginError, IMAPClientError)):
                client.login(name, password)
    finally:
        client.shutdown()


def test_mail_to_an_address_without_a_mailbox_is_refused_at_once(post):
    with pytest.raises(smtplib.SMTPRecipientsRefused) as refusal:
        post.send(ANNA, "stranger@elsewhere.example")
    assert refusal.value.recipients["stranger@elsewhere.example"][0] == 550


def test_a_restart_loses_no_mail_and_gives_no_number_twice(post):
    for _ in range(3):
        post.send(ANNA, BORIS)
    with post.client(BORIS) as client:
        before = client.select_folder("INBOX")
        first, second, last = client.search()
        client.add_flags([first], [b"\\Flagged", b"FieldpostDone"])
        client.delete_messages([last])
        client.expunge()
    post.restart()
    post.send(ANNA, BORIS)
    with post.client(BORIS) as client:
        after = client.select_folder("INBOX")
        uids = client.search()
        flags = client.get_flags([first])[first]
    assert after[b"UIDVALIDITY"] == before[b"UIDVALIDITY"]
    assert uids[:2] == [first, second]
    assert uids[2] > last
    assert set(flags) == {b"\\Flagged", b"FieldpostDone"}


def test_a_client_may_make_fill_rename_and_remove_folders(post):
    post.send(ANNA, BORIS)
    with post.client(BORIS) as client:
        client.create_folder("Sent")
        client.append("Sent", b"Subject: mine\r\n\r\nhello\r\n", (b"\\Seen",))
        client.select_folder("INBOX")
        (uid,) = client.search()
        client.copy([uid], "Sent")
        client.move([uid], "Sent")
        assert client.search() == []
        client.rename_folder("Sent", "Old/Sent ü")
        assert sorted(name for _, _, name in client.list_folders()) == ["INBOX", "Old", "Old/Sent ü"]
        assert client.folder_status("Old/Sent ü", ["MESSAGES", "UNSEEN"]) == {b"MESSAGES": 3, b"UNSEEN": 2}
    post.restart()
    with post.client(BORIS) as client:
        client.select_folder("Old/Sent ü")
        bodies = [parts[b"BODY[TEXT]"] for parts in client.fetch(client.search(), ["BODY[TEXT]"]).values()]
        assert sorted(bodies) == [b"hello\r\n", b"status\r\n", b"status\r\n"]
        client.select_folder("INBOX")
        client.delete_folder("Old/Sent ü")
        assert [name for _, _, name in client.list_folders()] == ["INBOX"]


def test_a_folders_name_leads_nowhere_else(post, settings):
    with post.client(BORIS) as client:
        client.create_folder("../../games/x")
    assert not (settings.home / "games").exists()
    assert {path.name for path in (post_folder(settings) / BORIS).iterdir() if path.name.startswith(".")} == {
        ".%2E%2E.%2E%2E.games.x"
    }


def test_a_client_that_idles_is_told_of_new_mail(post):
    with post.client(BORIS) as client:
        client.select_folder("INBOX")
        client.idle()
        post.send(ANNA, BORIS)
        heard = client.idle_check(timeout=10)
        client.idle_done()
    assert (1, b"EXISTS") in heard


def test_a_client_gets_what_it_draws_its_list_from(post):
    post.send(ANNA, BORIS, post.letter(ANNA, BORIS, "attack 2708\n", subject="Turn 3"))
    with post.client(BORIS) as client:
        client.select_folder("INBOX")
        assert client.search(["SUBJECT", "Turn", "FROM", "anna", "UNSEEN"]) == client.search(["TEXT", "2708"])
        (parts,) = client.fetch(client.search(), ["ENVELOPE", "BODYSTRUCTURE", "RFC822.SIZE", "FLAGS"]).values()
    assert parts[b"ENVELOPE"].subject == b"Turn 3"
    assert parts[b"BODYSTRUCTURE"][0] == b"text"


def test_a_password_is_told_once_and_kept_as_a_hash(tmp_path):
    accounts = Accounts(tmp_path)
    password = accounts.add("Anna@Home.example")
    assert password
    assert accounts.add(ANNA) is None
    assert accounts.admits(ANNA, password)
    assert not accounts.admits(ANNA, "")
    assert password not in (tmp_path / "accounts.json").read_text()


def test_an_account_opened_meanwhile_by_the_moderator_works_at_once(post, settings):
    post.passwords["zhukov@home.example"] = Accounts(post_folder(settings)).add("zhukov@home.example")
    post.send(ANNA, "zhukov@home.example")
    assert len(post.mails("zhukov@home.example")) == 1


def test_a_lost_password_is_replaced(tmp_path):
    accounts = Accounts(tmp_path)
    old = accounts.add(ANNA)
    new = accounts.renew(ANNA)
    assert accounts.admits(ANNA, new)
    assert not accounts.admits(ANNA, old)
    with pytest.raises(NoSuchAccount, match=r"boris@home\.example has no mailbox here"):
        accounts.renew(BORIS)


def test_a_taken_port_is_named_with_its_setting(post, tmp_path):
    taken = Embedded(smtp_port=0, imap_port=post.servers.imap_port)
    other = Settings(home=tmp_path / "other", embedded=taken)
    with pytest.raises(PortTaken, match=rf"port {post.servers.imap_port} is taken: .*embedded\.imap_port"):
        EmbeddedServers(other).start()


def test_a_mail_for_which_there_is_no_room_is_refused_for_now_and_reaches_nobody(post, monkeypatch):
    usual = Letterbox.deliver

    def full(box, raw, *more):
        if BORIS in str(box.path):
            raise OSError(errno.ENOSPC, "No space left on device")
        return usual(box, raw, *more)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Letterbox, "deliver", full)
        with smtplib.SMTP("127.0.0.1", post.servers.smtp_port, local_hostname="localhost") as smtp:
            smtp.login(ANNA, post.passwords[ANNA])
            with pytest.raises(smtplib.SMTPDataError) as refusal:
                smtp.sendmail(ANNA, [ANNA, BORIS], post.letter(ANNA, BORIS, "x"))
        assert refusal.value.smtp_code == 452
    assert (post.mails(ANNA), post.mails(BORIS)) == ({}, {})
    post.send(ANNA, BORIS)
    assert len(post.mails(BORIS)) == 1


def test_on_a_disk_that_is_nearly_full_only_the_service_may_send(post, monkeypatch):
    monkeypatch.setattr(disk_space, "free_bytes", lambda settings: 1_000_000)
    with pytest.raises(smtplib.SMTPSenderRefused) as refusal:
        post.send(ANNA, SERVICE)
    assert refusal.value.smtp_code == 452
    post.send(SERVICE, ANNA)
    assert len(post.mails(ANNA)) == 1


def test_a_relay_without_room_uses_up_no_tries(post, house, monkeypatch):
    monkeypatch.setattr(Letterbox, "deliver", _no_room)
    letter = Letter("notice", ANNA, "news")
    letter.say("News", "There is none.")
    with house.database.begin() as session:
        queue(house, session, letter, "news")
    transport = SmtpTransport(post.servers.relay())

    async def send():
        await send_due(house, transport)
        await transport.close()

    asyncio.run(send())
    with house.database.begin() as session:
        (row,) = session.exec(select(MailOut)).all()
    assert (row.tries, row.next_try <= row.queued) == (0, True)
    assert "has no room for mail (452" in transport.trouble


def _no_room(*_):
    raise OSError(errno.ENOSPC, "No space left on device")
