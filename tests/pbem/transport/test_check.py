"""Trying the settings out: whatever is wrong is said in words that tell what to do."""

from __future__ import annotations

import socket

import pytest

from pbem.house.settings import Settings
from pbem.inbox.mailbox_check import mailbox_check

CLOSED = 1  # a port where nothing listens


@pytest.fixture
def check(post, settings):
    """Checks the embedded servers' own settings with some changes."""

    def with_changes(mailbox: dict | None = None, relay: dict | None = None) -> list[str]:
        changed = settings.model_copy(
            update={
                "mailbox": post.servers.mailbox().model_copy(update=mailbox or {}),
                "relay": post.servers.relay().model_copy(update=relay or {}),
            }
        )
        return mailbox_check(changed)

    return with_changes


def test_settings_that_work_are_not_complained_of(check):
    assert check() == []


def test_with_no_mailbox_set_there_is_nothing_to_check(settings):
    assert mailbox_check(settings) == []


def test_a_mailbox_without_a_relay_is_half_a_post_office(settings, post):
    half = Settings(home=settings.home, mailbox=post.servers.mailbox())
    assert mailbox_check(half) == ["relay: a mailbox is set but no relay, so that no answer could go out"]
    half = Settings(home=settings.home, address=settings.address, relay=post.servers.relay())
    assert mailbox_check(half) == [
        "mailbox: a relay is set but no mailbox, so that orders come in by `pbem serve --lmtp` alone"
    ]


def test_a_refused_login_is_named(check):
    found = check({"user": "anna@home.example"}, {"user": "anna@home.example"})
    assert [sentence.split(" (")[0] for sentence in found] == [
        "mailbox: 127.0.0.1 refused the login of anna@home.example",
        "relay: 127.0.0.1 refused the login of anna@home.example",
    ]
    assert all("check user and password" in sentence for sentence in found)


def test_a_folder_that_is_not_there_is_named_with_those_that_are(check):
    assert check({"folder": "Orders"}) == ["mailbox: there is no folder Orders; there are INBOX"]


def test_a_missing_folder_for_mail_dealt_with_is_made(check):
    assert check({"done_folder": "Done"}) == []


def test_a_port_where_nothing_listens_is_named(check):
    assert check({"port": CLOSED}, {"port": CLOSED}) == [
        "mailbox: nothing listens at 127.0.0.1, port 1",
        "relay: nothing listens at 127.0.0.1, port 1",
    ]


def test_a_server_that_does_not_speak_tls_is_named(check):
    found = check({"security": "tls"}, {"security": "tls"})
    assert len(found) == 2
    for sentence in found:
        assert "does not speak TLS" in sentence
        assert 'is security "starttls" meant?' in sentence


def test_a_server_without_starttls_is_named(check):
    found = check({"security": "starttls"}, {"security": "starttls"})
    assert len(found) == 2
    assert all("offers no STARTTLS" in sentence for sentence in found)


def test_a_host_that_does_not_exist_is_named(check, monkeypatch):
    known = socket.getaddrinfo

    def ask(host, *args, **more):
        if host == "mial.provider.example":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return known(host, *args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", ask)
    wrong = {"host": "mial.provider.example", "security": "tls"}
    assert [sentence.split(" (")[0] for sentence in check(wrong, wrong)] == [
        "mailbox: there is no host mial.provider.example",
        "relay: there is no host mial.provider.example",
    ]


def test_an_unencrypted_connection_to_another_machine_is_refused(check):
    found = check({"host": "192.0.2.1"}, {"host": "192.0.2.1"})
    assert [sentence.split(";")[0] for sentence in found] == [
        "mailbox: security is plain, but 192.0.2.1 is another machine",
        "relay: security is plain, but 192.0.2.1 is another machine",
    ]


def test_a_relay_that_will_not_take_our_mail_is_named(check):
    (sentence,) = check(relay={"user": ""})
    assert sentence.startswith("relay: 127.0.0.1 takes no mail from orders@fieldpost.example (530")
