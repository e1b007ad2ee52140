"""The embedded servers: SMTP and IMAP on loopback, in a thread of their own, for trying out without a provider."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from proxyprotocol.reader import ProxyProtocolReader
from proxyprotocol.version import ProxyProtocolVersion
from pydantic import SecretStr

from pbem.embedded.accounts import Accounts
from pbem.embedded.imap import Rooms, imap_server
from pbem.embedded.smtp import smtp_server
from pbem.house.disk_space import nearly_full
from pbem.house.settings import Mailbox, Relay, Settings
from pbem.store import mail_address

LOOPBACK = "127.0.0.1"
STARTING = 10  # seconds


class PortTaken(Exception):
    """Another program listens where an embedded server should."""

    def __init__(self, port: int, name: str) -> None:
        super().__init__(f"port {port} is taken: set another one as embedded.{name} in the settings (0 finds one)")
        self.port, self.name = port, name


class EmbeddedServers:
    """Both servers, from `start` to `stop`, or as a context. Mail lies in the home folder, under `post`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.accounts = Accounts(post_folder(settings))
        self.smtp_port = self.imap_port = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._halt: asyncio.Event | None = None
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self._trouble: BaseException | None = None
        self._password = ""

    def start(self) -> EmbeddedServers:
        """Returns when both listen. Raises PortTaken."""
        service = mail_address(self.settings.address)
        self._password = self.accounts.add(service) or self.accounts.renew(service)
        self._ready.clear()
        self._thread = threading.Thread(target=self._run, name="embedded mail", daemon=True)
        self._thread.start()
        self._ready.wait(STARTING)
        if self._trouble is not None:
            trouble, self._trouble = self._trouble, None
            self._thread.join()
            raise trouble
        return self

    def stop(self) -> None:
        if self._thread is None:
            return
        if self._loop is not None and self._halt is not None and self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._halt.set)
        self._thread.join()
        self._thread = None

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
        user, password = mail_address(self.settings.address), SecretStr(self._password)
        return {"host": LOOPBACK, "security": "plain", "user": user, "password": password}

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except Exception as trouble:
            self._trouble = trouble
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop, self._halt = asyncio.get_running_loop(), asyncio.Event()
        wanted = self.settings.embedded
        rooms = Rooms(post_folder(self.settings), self.accounts)
        service = mail_address(self.settings.address)
        make = partial(smtp_server, rooms, self._loop, lambda: nearly_full(self.settings) is not None, service)
        with ExitStack() as stack:
            with _named(wanted.smtp_port, "smtp_port"):
                smtp = await self._loop.create_server(make, LOOPBACK, wanted.smtp_port)
            stack.callback(smtp.close)
            with _named(wanted.imap_port, "imap_port"):
                imap = await asyncio.start_server(_imap_call(rooms), LOOPBACK, wanted.imap_port)
            stack.callback(imap.close)
            self.smtp_port = smtp.sockets[0].getsockname()[1]
            self.imap_port = imap.sockets[0].getsockname()[1]
            self._ready.set()
            await self._halt.wait()


def _imap_call(rooms: Rooms) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    """Answers one IMAP connection; a client that hangs up in the middle of a word is no news."""
    answer = ProxyProtocolReader(ProxyProtocolVersion.get(None)).get_callback(imap_server(rooms))

    async def call(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(asyncio.CancelledError, ConnectionError, EOFError):
            await answer(reader, writer)

    return call


@contextmanager
def _named(port: int, name: str) -> Iterator[None]:
    """A port that cannot be had is told by its name."""
    try:
        yield
    except OSError as error:
        raise PortTaken(port, name) from error


def post_folder(settings: Settings) -> Path:
    """Where the embedded servers keep everybody's mail."""
    return settings.home / "post"
