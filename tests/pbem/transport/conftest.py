"""A house with the embedded servers running on free ports, and two players who can write to it."""

from __future__ import annotations

import smtplib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import pytest
from imapclient import IMAPClient

from pbem.embedded import EmbeddedServers
from pbem.house import House
from pbem.house.settings import Embedded, Settings
from pbem.inbox.inbox import Inbox

SERVICE, MODERATOR = "orders@fieldpost.example", "konev@fieldpost.example"
ANNA, BORIS = "anna@home.example", "boris@home.example"


@dataclass
class PostOffice:
    """The running servers, and everybody's password."""

    servers: EmbeddedServers
    passwords: dict[str, str]

    def letter(self, sender: str, to: str, text: str = "status\n", **headers: str) -> bytes:
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"] = sender, to
        mail["Subject"] = headers.get("subject", "Orders")
        mail["Message-ID"] = headers.get("message_id", f"<{time.monotonic_ns()}@home.example>")
        mail.set_content(text)
        return mail.as_bytes()

    def send(self, sender: str, to: str, raw: bytes | None = None) -> bytes:
        raw = self.letter(sender, to) if raw is None else raw
        with smtplib.SMTP("127.0.0.1", self.servers.smtp_port, local_hostname="localhost") as smtp:
            smtp.login(sender, self.passwords[sender])
            smtp.sendmail(sender, [to], raw)
        return raw

    def client(self, owner: str) -> IMAPClient:
        client = IMAPClient("127.0.0.1", self.servers.imap_port, ssl=False, timeout=10)
        client.login(owner, self.passwords[owner])
        return client

    def mails(self, owner: str, folder: str = "INBOX") -> dict[int, bytes]:
        with self.client(owner) as client:
            client.select_folder(folder, readonly=True)
            found = client.fetch(client.search(), ["BODY.PEEK[]"])
            return {uid: parts[b"BODY[]"] for uid, parts in found.items()}

    def restart(self) -> None:
        self.servers.stop()
        self.servers.start()
        self.passwords[SERVICE] = self.servers.mailbox().password.get_secret_value()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(
        home=tmp_path / "home",
        address=SERVICE,
        moderator=MODERATOR,
        embedded=Embedded(smtp_port=0, imap_port=0),
    )


@pytest.fixture
def house(settings: Settings) -> Iterator[House]:
    house = House(settings)
    yield house
    house.close()


@pytest.fixture
def post(settings: Settings) -> Iterator[PostOffice]:
    with EmbeddedServers(settings) as servers:
        passwords = {SERVICE: servers.mailbox().password.get_secret_value()}
        for address in (ANNA, BORIS, MODERATOR):
            passwords[address] = servers.accounts.add(address) or ""
        yield PostOffice(servers, passwords)


@pytest.fixture
def open_inbox(post: PostOffice) -> Iterator[Callable[..., Inbox]]:
    """Opens the service's mailbox, with other settings if given."""
    opened: list[Inbox] = []

    def open_with(**changes: object) -> Inbox:
        options = {name: changes.pop(name) for name in ("most_bytes", "patience") if name in changes}
        opened.append(Inbox(post.servers.mailbox().model_copy(update=changes), **options))  # type: ignore[arg-type]
        return opened[-1]

    yield open_with
    for inbox in opened:
        inbox.close()
