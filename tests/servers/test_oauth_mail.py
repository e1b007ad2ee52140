"""Mail by consent against Debian's own Dovecot and Postfix, who ask an authorisation server whose a token is."""

from __future__ import annotations

import asyncio
import threading
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import select
from typer.testing import CliRunner

from pbem.cli import app, init
from pbem.house import House
from pbem.house.settings import Mailbox, Relay, Settings
from pbem.inbox.inbox import Inbox
from pbem.inbox.mailbox_check import mailbox_check
from pbem.inbox.storing import store_new
from pbem.mail_servers.oauth import sasl
from pbem.mail_servers.oauth.consent_flows import by_device
from pbem.mail_servers.oauth.consent_keeper import FILE, ConsentKeeper, new_consent, store_consent
from pbem.mail_servers.oauth.providers import Client, find_provider
from pbem.outbox.sending import send_due
from pbem.outbox.transport import SmtpTransport
from pbem.service.serving import Daemon
from pbem.store import MailIn, MailOut
from tests.pbem.oauth.authorisation import CLIENT
from tests.servers.test_real_mail import PATIENCE, await_mail, put

IN_TIME = 5  # seconds


class Turned:
    """The clock of whoever keeps the consent; servers have their own."""

    def __init__(self) -> None:
        self.by = timedelta(0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.by


@pytest.fixture
def turned() -> Turned:
    return Turned()


@pytest.fixture
def make_consenting(servers, tmp_path: Path, turned: Turned) -> Iterator[Callable[..., tuple[House, ConsentKeeper]]]:
    """A house whose mailbox and relay are opened by consent, and who keeps that."""
    made: list[House] = []

    def make(*, starttls: bool = False) -> tuple[House, ConsentKeeper]:
        address = servers.authorisation.user = servers.address("orders")
        home = tmp_path / address
        mailbox = servers.mailbox(address, starttls=starttls).model_dump() | {"login": "oauth", "password": ""}
        relay = servers.relay(address, starttls=starttls).model_dump() | {"login": "oauth", "password": ""}
        moderator = servers.address("konev")
        house = House(
            Settings(home=home, address=address, moderator=moderator, mailbox=Mailbox(**mailbox), relay=Relay(**relay))
        )
        made.append(house)
        provider, client = find_provider(servers.authorisation.url), Client(id=CLIENT)
        told = by_device(provider, client, lambda code: None, sleep=lambda seconds: None)
        store_consent(home / FILE, new_consent(provider, client, told, turned()))
        return house, ConsentKeeper(home, turned)

    yield make
    for house in made:
        house.close()


@pytest.fixture
def open_box(servers) -> Iterator[Callable[..., Inbox]]:
    opened: list[Inbox] = []

    def of(house: House, keeper: ConsentKeeper) -> Inbox:
        opened.append(Inbox(house.settings.mailbox, consent=keeper))
        return opened[-1]

    yield of
    for inbox in opened:
        inbox.close()


def send(house: House, keeper: ConsentKeeper) -> tuple[int, str]:
    async def go() -> tuple[int, str]:
        transport = SmtpTransport(house.settings.relay, consent=keeper)
        try:
            return await send_due(house, transport), transport.trouble
        finally:
            await transport.close()

    return asyncio.run(go())


@pytest.mark.parametrize("mechanism", sasl.MECHANISMS)
@pytest.mark.parametrize("starttls", [False, True])
def test_a_mail_goes_out_and_comes_in_by_a_token(
    servers, make_consenting, open_box, monkeypatch, mechanism: str, starttls: bool
) -> None:
    monkeypatch.setattr(sasl, "MECHANISMS", (mechanism,))
    house, keeper = make_consenting(starttls=starttls)
    put(house, house.settings.address)
    assert send(house, keeper) == (1, "")
    inbox = open_box(house, keeper)
    assert len(await_mail(servers, house, inbox)) == 1
    assert inbox._client.has_capability("MOVE")  # said only to who is logged in: what was offered before is forgotten


def test_dovecot_and_postfix_offer_both_and_the_standard_is_preferred(servers, make_consenting, monkeypatch) -> None:
    used: list[str] = []
    opening = sasl.BearerLogin.opening.fget

    def noted(login: sasl.BearerLogin) -> bytes:
        used.append(login.mechanism)
        return opening(login)

    monkeypatch.setattr(sasl.BearerLogin, "opening", property(noted))
    house, _ = make_consenting()
    assert mailbox_check(house.settings) == []
    assert used == ["OAUTHBEARER", "OAUTHBEARER"]


@pytest.mark.parametrize("mechanism", sasl.MECHANISMS)
def test_a_token_that_the_servers_refuse_is_renewed_once_and_taken(
    servers, make_consenting, open_box, monkeypatch, mechanism: str
) -> None:
    monkeypatch.setattr(sasl, "MECHANISMS", (mechanism,))
    house, keeper = make_consenting()
    before = keeper.access()
    servers.authorisation.revoke_access()
    assert store_new(house, inbox := open_box(house, keeper)) == 0
    assert inbox.trouble == "", servers.said()
    put(house, house.settings.address)
    middle = keeper.access()
    servers.authorisation.revoke_access()
    assert send(house, keeper) == (1, "")
    assert len({before, middle, keeper.access()}) == 3


def test_a_token_is_renewed_in_time_and_the_new_one_is_taken(servers, make_consenting, open_box, turned) -> None:
    house, keeper = make_consenting()
    before = keeper.access()
    turned.by = timedelta(minutes=57)
    assert store_new(house, inbox := open_box(house, keeper)) == 0
    assert (inbox.trouble, keeper.access() == before) == ("", False)


def test_a_token_for_another_mailbox_is_refused_in_words(servers, make_consenting) -> None:
    house, _ = make_consenting()
    other = servers.address("anna")
    house.settings.mailbox.user = house.settings.relay.user = other
    found = mailbox_check(house.settings)
    assert [sentence.split(" (")[0] for sentence in found] == [
        f"mailbox: localhost refused the token for {other}",
        f"relay: localhost refused the token for {other}",
    ]
    assert all("(status " in sentence for sentence in found), found  # out of the challenge, not the last word
    assert all("is user the mailbox that consented" in sentence for sentence in found)


def test_after_consent_is_withdrawn_mail_stays_in_the_mailbox_until_it_is_given_again(
    servers, make_consenting, open_box
) -> None:
    house, keeper = make_consenting()
    put(house, house.settings.address)
    assert send(house, keeper) == (1, "")
    servers.authorisation.withdraw()
    inbox = open_box(house, keeper)
    assert store_new(house, inbox) == 0
    assert "consent was withdrawn or ran out; run `pbem init --oauth" in inbox.trouble
    put(house, house.settings.address)
    sent, trouble = send(house, keeper)
    assert (sent, "consent was withdrawn or ran out" in trouble) == (0, True)
    provider, client = find_provider(servers.authorisation.url), Client(id=CLIENT)
    told = by_device(provider, client, lambda code: None, sleep=lambda seconds: None)
    store_consent(keeper.path, new_consent(provider, client, told, keeper.clock()))
    assert send(house, keeper) == (1, "")
    assert len(await_mail(servers, house, open_box(house, keeper), 2)) == 2


def test_the_daemon_sends_and_fetches_by_consent_and_tells_when_it_is_over(
    servers, make_consenting, monkeypatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(servers.authority))
    house, keeper = make_consenting()
    daemon = Daemon(house, house.settings.mailbox, house.settings.relay, keeper)
    put(house, house.settings.address)
    with asyncio.Runner() as runner:
        daemon.once(runner)
        daemon.inbox.wait(PATIENCE)
        daemon.once(runner)
        servers.authorisation.withdraw()
        keeper.clock.by = timedelta(hours=1)
        daemon.once(runner)
        runner.run(daemon.transport.close())
    daemon.inbox.close()
    with house.database.begin() as session:
        assert len(session.exec(select(MailIn)).all()) == 1, servers.said()
        (letter,) = session.exec(select(MailOut).where(MailOut.to == house.settings.moderator)).all()
    assert letter.subject == "Please note: Shut out of the mailbox"


@pytest.mark.parametrize("flow", ["device", "browser"])
def test_init_asks_for_consent_and_tries_the_mailbox_out(servers, tmp_path: Path, monkeypatch, flow: str) -> None:
    address = servers.authorisation.user = servers.address("orders")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PBEM_CONFIG", raising=False)
    monkeypatch.setenv("SSL_CERT_FILE", str(servers.authority))
    monkeypatch.setenv("PBEM_MAILBOX__PORT", str(servers.ports.imaps))
    monkeypatch.setenv("PBEM_RELAY__PORT", str(servers.ports.smtps))
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    shown = init._show

    def browse(where: str) -> None:
        shown(where)
        threading.Thread(target=lambda: urllib.request.urlopen(where, timeout=IN_TIME).close()).start()

    monkeypatch.setattr(init, "_show", browse)
    monkeypatch.setattr(init, "by_device", lambda *given: by_device(*given, sleep=lambda seconds: None))
    words = f"init --address {address} --imap localhost --smtp localhost --client-id {CLIENT} --flow {flow}"
    result = CliRunner().invoke(app, [*words.split(), "--oauth", servers.authorisation.url])
    assert result.exit_code == 0, result.output
    assert ("enter the code HERON-44" if flow == "device" else "Open this address in a browser") in result.output
    assert "The mailbox and the relay work.\n" in result.output
    settings = Settings()
    assert (settings.mailbox.login, settings.relay.login, settings.mailbox.user) == ("oauth", "oauth", address)
    assert (settings.home / FILE).stat().st_mode & 0o777 == 0o600
    again = CliRunner().invoke(app, ["init", "--oauth", servers.authorisation.url, "--flow", flow])
    assert again.exit_code == 0, again.output  # the client is known, and the settings stay
