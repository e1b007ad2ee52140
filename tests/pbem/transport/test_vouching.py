"""Who vouches for senders at a mailbox: found out from the mails that lie there, told, and written down."""

from __future__ import annotations

import smtplib
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pbem.cli import app
from pbem.gate.authentication import Vouching, vouching
from pbem.house.settings import Limits, Settings
from tests.pbem.transport.conftest import ANNA, BORIS, SERVICE, PostOffice

HOST = "mx.provider.example"
CAME = "Received: from home.example by mx.provider.example; Fri, 1 Mar 2024 12:00:00 +0000\r\n"
STAMP = f"Authentication-Results: {HOST}; dkim=pass header.d=home.example; spf=pass smtp.mailfrom=home.example\r\n"
SIGNATURE = "DKIM-Signature: v=1; d=home.example; s=x; b=abc\r\n"
FORGED = "Authentication-Results: mx.evil.example; dkim=pass header.d=home.example\r\n"


def raw(*head: str) -> bytes:
    return ("".join(head) + "From: anna@home.example\r\nSubject: hello\r\n\r\nHello.\r\n").encode()


def heads(*mails: bytes) -> list[EmailMessage]:
    found = [message_from_bytes(mail, policy=policy.default) for mail in mails]
    assert all(isinstance(mail, EmailMessage) for mail in found)
    return found  # type: ignore[return-value]


STAMPED, SIGNED, PLAIN = raw(STAMP, CAME, FORGED), raw(CAME, SIGNATURE), raw(CAME)


@pytest.mark.parametrize(
    ("mails", "found"),
    [
        ([STAMPED, STAMPED, PLAIN], Vouching(3, "trusted header", HOST, 2)),
        ([raw(CAME, STAMP, SIGNATURE)], Vouching(1, "trusted header", HOST, 1)),
        ([STAMPED, SIGNED, SIGNED], Vouching(3, "dkim", "", 2)),
        ([STAMPED, PLAIN, PLAIN], Vouching(3)),
        ([raw("Authentication-Results: mx.provider.example; none\r\n", CAME)], Vouching(1)),
        (
            [raw("Authentication-Results: spf=pass smtp.mailfrom=home.example; x\r\n", CAME, SIGNATURE)],
            Vouching(1, "dkim", "", 1),
        ),
        ([raw(STAMP)], Vouching(0)),  # a draft: it came from nowhere
        ([], Vouching(0)),
    ],
)
def test_the_stamp_on_top_of_most_mails_is_the_providers(mails: list[bytes], found: Vouching) -> None:
    assert vouching(heads(*mails)) == found
    assert str(found.mails or "no mail") in found.in_words()


@pytest.mark.parametrize(
    ("policy", "host", "better"),
    [
        ("off", "", True),
        ("trusted header", HOST, False),
        ("trusted header", "mx.elsewhere.example", True),
        ("dkim", "", False),
    ],
)
def test_it_is_proposed_where_the_settings_ask_for_less(policy: str, host: str, better: bool) -> None:
    limits = Limits.model_validate({"authentication": policy, "trusted_host": host})
    assert vouching(heads(STAMPED)).is_better_than(limits) is better


@pytest.fixture
def provider(post: PostOffice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PostOffice:
    """The embedded server plays somebody else's, with mail in the service's box."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "elsewhere"))
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    for what, port in (("MAILBOX", post.servers.imap_port), ("RELAY", post.servers.smtp_port)):
        monkeypatch.setenv(f"PBEM_{what}__PORT", str(port))
        monkeypatch.setenv(f"PBEM_{what}__SECURITY", "plain")
        monkeypatch.setenv(f"PBEM_{what}__PASSWORD", post.passwords[SERVICE])
    return post


def put(post: PostOffice, *mails: bytes) -> None:
    with post.client(SERVICE) as client:
        for mail in mails:
            client.append("INBOX", mail)


INIT = ("init", "--address", SERVICE, "--moderator", "me@club.example", "--imap", "127.0.0.1", "--smtp", "127.0.0.1")


def run(*words: str) -> str:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_init_finds_out_who_vouches_for_senders_and_writes_it_down(provider: PostOffice) -> None:
    put(provider, *[STAMPED] * 3, PLAIN)
    said = run(*INIT)
    assert f"3 of the last 4 mails bear the word of {HOST}" in said
    limits = Settings().limits
    assert (limits.authentication, limits.trusted_host) == ("trusted header", HOST)
    assert "write" not in run("init", "--check")


def test_a_check_proposes_it_and_writes_nothing(provider: PostOffice) -> None:
    assert "no mail in the mailbox yet" in run(*INIT)
    put(provider, SIGNED)
    said = run("init", "--check")
    assert 'authentication = "dkim"' in said
    put(provider, STAMPED, STAMPED)
    said = run("init", "--check")
    assert 'authentication = "trusted header"\n' in said
    assert f'trusted_host = "{HOST}"\n' in said
    assert Settings().limits.authentication == "off"
    with provider.client(SERVICE) as client:
        client.select_folder("INBOX", readonly=True)
        assert len(client.search("UNSEEN")) == 3


def test_the_embedded_server_takes_mail_in_the_name_of_its_login_alone(post: PostOffice) -> None:
    def sent(mail_from: str, header: str) -> int:
        with smtplib.SMTP("127.0.0.1", post.servers.smtp_port, local_hostname="localhost") as smtp:
            smtp.login(ANNA, post.passwords[ANNA])
            smtp.ehlo_or_helo_if_needed()
            code, _ = smtp.mail(mail_from)
            if code != 250:
                return code
            smtp.rcpt(SERVICE)
            return smtp.data(f"{header}Subject: x\r\n\r\nstatus\r\n".encode())[0]

    assert sent(ANNA, f"From: {ANNA}\r\n") == 250
    assert sent(BORIS, f"From: {ANNA}\r\n") == 553
    for forged in (f"From: {BORIS}\r\n", f"From: {ANNA}\r\nFrom: {BORIS}\r\n", f"From: {ANNA}, {BORIS}\r\n", ""):
        assert sent(ANNA, forged) == 550
    ((_, raw_mail),) = post.mails(SERVICE).items()
    top = message_from_bytes(raw_mail, policy=policy.default)["Authentication-Results"]
    assert str(top) == f"embedded.fieldpost.invalid; auth=pass smtp.auth={ANNA}"
