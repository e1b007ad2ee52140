"""Fetching: every mail is stored once, whatever the server or we ourselves do in between."""

from __future__ import annotations

import threading

import pytest
from imapclient import IMAPClient
from pymap.parsing.specials.flag import Seen
from sqlmodel import select

from pbem.embedded import mailboxes, post_folder
from pbem.house.settings import Mailbox
from pbem.inbox.inbox import Inbox
from pbem.inbox.storing import store, store_new
from pbem.mail_servers.server import LONGEST, Patience
from pbem.store import MailIn

SERVICE, ANNA = "orders@fieldpost.example", "anna@home.example"


def rows(house) -> list[MailIn]:
    with house.database.begin() as session:
        return list(session.exec(select(MailIn)).all())


def bytes_of(house, row):
    with house.database.reading() as session:
        return house.cabinet.raw(session, row.raw)


def test_a_mail_is_stored_with_its_bytes_and_its_row(post, house, open_inbox):
    raw = post.send(ANNA, SERVICE)
    assert store_new(house, open_inbox()) == 1
    (row,) = rows(house)
    assert row.state == "stored"
    assert row.sender == ANNA
    assert bytes_of(house, row).endswith(raw)
    assert row.box.startswith("orders@fieldpost.example@127.0.0.1/INBOX;")


def test_mails_are_stored_in_the_order_they_came_and_once(post, house, open_inbox, monkeypatch):
    monkeypatch.setattr("pbem.inbox.inbox.BATCH", 2)
    sent = [post.send(ANNA, SERVICE, post.letter(ANNA, SERVICE, f"move {n}\n")) for n in range(5)]
    inbox = open_inbox()
    assert store_new(house, inbox) == 5
    assert store_new(house, inbox) == 0
    found = sorted(rows(house), key=lambda row: row.uid)
    assert [bytes_of(house, row).endswith(raw) for row, raw in zip(found, sent, strict=True)] == [True] * 5


def test_stored_mail_stays_on_the_server_with_a_flag(post, house, open_inbox):
    post.send(ANNA, SERVICE)
    store_new(house, open_inbox())
    with post.client(SERVICE) as client:
        client.select_folder("INBOX")
        assert list(client.get_flags(client.search()).values()) == [(b"FieldpostDone",)]


def test_stored_mail_is_moved_where_the_moderator_wants_it(post, house, open_inbox):
    post.send(ANNA, SERVICE)
    assert store_new(house, open_inbox(done_folder="Dealt with")) == 1
    assert post.mails(SERVICE) == {}
    assert len(post.mails(SERVICE, "Dealt with")) == 1


def test_stored_mail_is_moved_on_a_server_that_cannot_move(post, house, open_inbox, monkeypatch):
    has = IMAPClient.has_capability
    monkeypatch.setattr(IMAPClient, "has_capability", lambda self, name: name != "MOVE" and has(self, name))
    post.send(ANNA, SERVICE)
    assert store_new(house, open_inbox(done_folder="Done")) == 1
    assert post.mails(SERVICE) == {}
    assert len(post.mails(SERVICE, "Done")) == 1


def test_a_crash_between_the_row_and_the_mark_repeats_only_the_mark(post, house, open_inbox):
    post.send(ANNA, SERVICE)
    store(house, open_inbox().fetch())  # and here the machine stopped
    assert store_new(house, open_inbox()) == 0
    assert len(rows(house)) == 1
    assert open_inbox().fetch() == []


def test_a_crash_before_the_row_loses_nothing(post, house, open_inbox):
    post.send(ANNA, SERVICE)
    ((_, _, raw),) = open_inbox().fetch()
    with house.database.reading() as session:
        house.cabinet.keep_raw(session, raw)  # and here the machine stopped
    assert store_new(house, open_inbox()) == 1


def test_a_server_that_numbers_its_mail_anew_brings_no_mail_twice(post, house, open_inbox, settings):
    post.send(ANNA, SERVICE)
    store_new(house, open_inbox())
    (before,) = rows(house)
    with post.client(SERVICE) as client:
        client.select_folder("INBOX")
        client.remove_flags(client.search(), [b"FieldpostDone"])
    (post_folder(settings) / SERVICE / "uidvalidity").write_text("4711")
    post.restart()
    assert store_new(house, open_inbox()) == 0
    (after,) = rows(house)
    assert after.id == before.id
    assert after.box.endswith(";4711")


def test_a_server_that_keeps_no_keywords_brings_no_mail_twice(post, house, open_inbox, monkeypatch):
    monkeypatch.setattr(mailboxes.MailFolder, "permanent_flags", frozenset({Seen}))
    raw = post.send(ANNA, SERVICE)
    inbox = open_inbox()
    assert store_new(house, inbox) == 1
    assert store_new(house, inbox) == 0
    with post.client(SERVICE) as client:  # the same bytes twice in one mailbox
        client.append("INBOX", bytes_of(house, rows(house)[0]))
    assert store_new(house, inbox) == 0
    assert len(rows(house)) == 1
    assert raw


def test_of_a_mail_that_is_too_large_only_the_beginning_is_fetched(post, open_inbox):
    post.send(ANNA, SERVICE, post.letter(ANNA, SERVICE, ("x" * 70 + "\n") * 1000))
    ((_, _, raw),) = open_inbox(most_bytes=10_000).fetch()
    assert len(raw) == 10_001


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00\xff",
        b"From: \xff\xfe@\xff\r\nSubject: \xd0\x00\r\nMessage-ID: <\xff\x00>\r\n\r\n",
        b"From: =?utf-8?b?7aCA?= <a@b.example>\r\nSubject: =?utf-7?q?+2AA-?=\r\nMessage-ID: \r\n x\r\n\r\n",
        b"Content-Type: multipart/mixed\r\n\r\n--",
    ],
)
def test_whatever_bytes_a_stranger_sends_are_stored(house, raw):
    assert store(house, [("box;1", 7, raw)]) == 1
    (row,) = rows(house)
    assert bytes_of(house, row) == raw


def test_large_mails_do_not_lie_in_memory_together(post, house, open_inbox, monkeypatch):
    monkeypatch.setattr("pbem.inbox.inbox.BATCH_BYTES", 5_000)
    for _ in range(3):
        post.send(ANNA, SERVICE, post.letter(ANNA, SERVICE, ("x" * 70 + "\n") * 40))
    inbox = open_inbox()
    assert len(inbox.fetch()) == 1
    assert store_new(house, inbox) == 3


def test_waiting_ends_when_mail_comes(post, house, open_inbox):
    inbox = open_inbox()
    assert store_new(house, inbox) == 0
    sender = threading.Timer(0.05, post.send, (ANNA, SERVICE))
    sender.start()
    assert inbox.wait(20)
    sender.join()
    assert store_new(house, inbox) == 1


def test_mail_that_came_just_before_waiting_is_noticed(post, house, open_inbox):
    inbox = open_inbox()
    store_new(house, inbox)
    post.send(ANNA, SERVICE)
    assert inbox.wait(20)


def test_mail_that_is_told_with_the_answer_to_another_command_is_noticed(post, house, open_inbox):
    inbox = open_inbox()
    store_new(house, inbox)
    post.send(ANNA, SERVICE)
    inbox._client.noop()  # the server tells of it here, and will not in IDLE
    assert inbox.wait(20)
    assert store_new(house, inbox) == 1
    assert not inbox.wait(0.05)


@pytest.mark.parametrize("idle", [True, False])
def test_waiting_can_be_interrupted(house, open_inbox, idle):
    inbox = open_inbox(idle=idle)
    store_new(house, inbox)
    alarm = threading.Timer(0.05, inbox.interrupt)
    alarm.start()
    assert not inbox.wait(20)
    alarm.join()
    assert inbox.trouble == ""


def test_waiting_ends_with_its_time(house, open_inbox):
    inbox = open_inbox()
    store_new(house, inbox)
    assert not inbox.wait(0.05)
    assert inbox.trouble == ""


def test_an_idle_is_renewed_before_the_server_hangs_up(house, open_inbox, monkeypatch):
    begun = []
    idle = IMAPClient.idle
    monkeypatch.setattr("pbem.inbox.inbox.RENEW", 0.02)
    monkeypatch.setattr(IMAPClient, "idle", lambda self: (begun.append(1), idle(self)))
    inbox = open_inbox()
    store_new(house, inbox)
    assert not inbox.wait(0.2)
    assert len(begun) > 2


def test_an_answer_that_comes_in_pieces_costs_a_connection_and_no_mail(post, house, open_inbox, monkeypatch):
    inbox = open_inbox(patience=Patience(clock=lambda: 0.0, chance=lambda: -1.0))
    store_new(house, inbox)
    with monkeypatch.context() as broken:
        broken.setattr(IMAPClient, "idle_done", lambda self: (_ for _ in ()).throw(ValueError("half a line")))
        assert not inbox.wait(0.05)
    assert "half a line" in inbox.trouble
    post.send(ANNA, SERVICE)
    assert store_new(house, inbox) == 1
    assert inbox.trouble == ""


def test_a_server_that_goes_away_is_found_again_when_it_is_back(post, house, settings):
    port = post.servers.imap_port
    settings.embedded.imap_port = port
    time = [0.0]
    with_patience = Patience(clock=lambda: time[0], chance=lambda: 1.0)
    post.restart()
    inbox = Inbox(post.servers.mailbox().model_copy(update={"port": port}), patience=with_patience)
    assert store_new(house, inbox) == 0
    post.servers.stop()
    assert store_new(house, inbox) == 0
    assert inbox.trouble
    assert not inbox.wait(0.01)
    time[0] += 3
    assert store_new(house, inbox) == 0
    assert inbox.trouble == f"mailbox: nothing listens at 127.0.0.1, port {port}"
    post.servers.start()
    post.passwords[SERVICE] = post.servers.mailbox().password.get_secret_value()
    post.send(ANNA, SERVICE)
    inbox.mailbox = post.servers.mailbox()
    assert store_new(house, inbox) == 0, "it is not asked again before its time"
    time[0] += 5
    assert store_new(house, inbox) == 1
    inbox.close()


def test_patience_grows_to_ten_minutes_and_starts_anew_after_a_success():
    patience = Patience(clock=lambda: 0.0, chance=lambda: 1.0)
    waits = []
    for _ in range(12):
        patience.failed()
        waits.append(patience.left)
    assert waits[:4] == [2, 4, 8, 16]
    assert waits[-1] == LONGEST
    patience.succeeded()
    assert patience.left == 0


def test_many_clients_do_not_come_back_at_the_same_moment():
    early, late = (Patience(clock=lambda: 0.0, chance=lambda chance=chance: chance) for chance in (0.0, 0.5))
    early.failed()
    late.failed()
    assert early.left < late.left


def test_no_password_travels_unencrypted_to_another_machine():
    inbox = Inbox(Mailbox(host="imap.provider.example", port=143, security="plain", user="x", password="y"))
    assert inbox.fetch() == []
    assert "security is plain, but imap.provider.example is another machine" in inbox.trouble
    inbox.close()
