"""The embedded servers: SMTP and IMAP on loopback, in a thread of their own, for trying out without a provider."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from pbem.embedded.accounts import Accounts
from pbem.embedded.imap import imap_call
from pbem.embedded.mailboxes import Rooms
from pbem.embedded.smtp import smtp_server
from pbem.house.disk_space import nearly_full
from pbem.house.settings import Mailbox, Relay, Settings
from pbem.mail_servers.listening import Listening
from pbem.store import mail_address

LOOPBACK = "127.0.0.1"


class PortTaken(Exception):
    """Another program listens where an embedded server should."""

    def __init__(self, port: int, name: str) -> None:
        super().__init__(f"port {port} is taken: set another one as embedded.{name} in the settings (0 finds one)")
        self.port, self.name = port, name


class EmbeddedServers:
    """Both servers, from `start` to `stop`, or as a context. Mail lies in the home folder, under `post`."""

    def __init__(self, settings: Settings) -> None:
        self.settings, self.service = settings, mail_address(settings.address)
        self.accounts = Accounts(post_folder(settings))
        self.smtp_port = self.imap_port = 0
        self._listening: Listening | None = None
        self._password = ""

    def start(self) -> EmbeddedServers:
        """Returns when both listen. Raises PortTaken."""
        self._password = self.accounts.add(self.service) or self.accounts.renew(self.service)
        self._listening = Listening("embedded mail", self._opening())
        return self

    def stop(self) -> None:
        if self._listening is not None:
            self._listening.stop()
            self._listening = None

    def __enter__(self) -> EmbeddedServers:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    def mailbox(self) -> Mailbox:
        """Where the service fetches its own mail."""
        return Mailbox(port=self.imap_port, **self._login())

    def relay(self) -> Relay:
        """Where the service hands in what it sends."""
        return Relay(port=self.smtp_port, **self._login())

    def _login(self) -> dict[str, Any]:
        password = SecretStr(self._password)
        return {"host": LOOPBACK, "security": "plain", "user": self.service, "password": password}

    async def _opening(self) -> AsyncIterator[asyncio.Server]:
        loop, wanted = asyncio.get_running_loop(), self.settings.embedded
        rooms = Rooms(post_folder(self.settings), self.accounts)
        make = partial(smtp_server, rooms, loop, lambda: nearly_full(self.settings) is not None, self.service)
        smtp = await _named("smtp_port", wanted.smtp_port, loop.create_server(make, LOOPBACK, wanted.smtp_port))
        yield smtp
        answer = asyncio.start_server(imap_call(rooms), LOOPBACK, wanted.imap_port)
        yield (imap := await _named("imap_port", wanted.imap_port, answer))
        self.smtp_port, self.imap_port = (server.sockets[0].getsockname()[1] for server in (smtp, imap))


async def _named(name: str, port: int, opening: Awaitable[asyncio.Server]) -> asyncio.Server:
    """A port that cannot be had is told by its name."""
    try:
        return await opening
    except OSError as error:
        raise PortTaken(port, name) from error


def post_folder(settings: Settings) -> Path:
    """Where the embedded servers keep everybody's mail."""
    return settings.home / "post"
