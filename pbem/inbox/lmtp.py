"""Mail that a mail server of one's own brings by LMTP: what is answered with 250 is stored, and nothing is fetched."""

import asyncio
import threading
from pathlib import Path
from typing import AnyStr

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session

from pbem.house import House
from pbem.house.disk_space import nearly_full
from pbem.inbox.bell import Bell
from pbem.inbox.inbox import Fetched, Known
from pbem.inbox.storing import store
from pbem.store import without_tag
from pbem.store.database_troubles import trouble_of

BOX = "lmtp"
STARTING = 10.0  # seconds
LATER = "452 4.3.1 mail cannot be stored now: bring it again later"
_log = structlog.get_logger()


class CannotListen(Exception):
    """Nobody could bring mail there, and why."""

    def __init__(self, at: str, why: str) -> None:
        super().__init__(f"mail cannot be taken in at {at}: {why}. Name a free port (127.0.0.1:24) or a path")


class LmtpInbox:
    """In the place of a mailbox: the daemon waits here, and mail is in the house before it is woken."""

    trouble, talking = "", False  # there is no server that could be out of reach

    def __init__(self, house: House, at: str) -> None:
        self.house, self.at = house, at
        self.box, self.poll = BOX, 60.0
        self._bell, self._ready = Bell(), threading.Event()
        self._loop = asyncio.new_event_loop()
        self._problem: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=BOX, daemon=True)
        self._thread.start()
        self._ready.wait(STARTING)
        if self._problem is not None:
            self.close()
            raise CannotListen(at, str(self._problem)) from self._problem

    def fetch(self, known: Known = lambda box, uids: ()) -> list[Fetched]:
        """Nothing lies anywhere else."""
        return []

    def dealt_with(self, box: str, *uids: int) -> None:
        """Nobody need be told."""

    def wait(self, seconds: float) -> bool:
        """Until mail has come, somebody rings, or the time has passed."""
        return self._bell.rest(seconds)

    def interrupt(self) -> None:
        self._bell.ring()

    def hurry(self, seconds: float) -> None:
        """Nobody keeps us waiting."""

    def close(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
        self._bell.close()

    # Its own thread.

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            server = self._loop.run_until_complete(self._listen())
        except (OSError, ValueError) as problem:
            self._problem = problem
            self._loop.close()
            return
        finally:
            self._ready.set()
        self._loop.run_forever()
        server.close()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    async def _listen(self) -> asyncio.Server:
        if "/" in self.at:
            Path(self.at).unlink(missing_ok=True)  # of a daemon that was killed
            server = await self._loop.create_unix_server(self._protocol, self.at)
            Path(self.at).chmod(0o666)  # the mail server is another user; who may come in is said by the folder
            return server
        host, _, port = self.at.rpartition(":")
        if not host or not port.isdecimal():
            raise ValueError("that is neither an address with a port nor a path")
        return await self._loop.create_server(self._protocol, host, int(port))

    def _protocol(self) -> LMTP:
        most = self.house.settings.limits.mail_bytes
        return _Lmtp(self, hostname="localhost", ident="Fieldpost", data_size_limit=most, loop=self._loop)

    # What is said to the mail server.

    async def handle_MAIL(  # noqa: N802
        self, server: LMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if (low := nearly_full(self.house.settings)) is not None:
            _log.warning("mail is not taken in", why=str(low))
            return LATER
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 go on"

    async def handle_RCPT(  # noqa: N802
        self, server: LMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if without_tag(address) != without_tag(self.house.settings.address):
            return "550 5.1.1 nobody here has this address"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 go on"

    async def handle_DATA(self, server: LMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        answers = [self._stored(envelope.mail_from or "", one, envelope.content) for one in envelope.rcpt_tos]
        self._bell.ring()
        return "\r\n".join(answers)

    def _stored(self, sender: str, recipient: str, raw: bytes) -> str:
        # The same each time that it is brought: a mail is known by its bytes.
        head = "".join(f"{line}\r\n" for line in (f"Return-Path: <{sender}>", f"Delivered-To: {recipient}"))
        try:
            store(self.house, [(BOX, 0, head.encode("utf-8", "replace") + raw)])
        except Exception as problem:
            _log.error("mail was not taken in", why=str(trouble_of(problem) or repr(problem)))
            return LATER
        return "250 2.0.0 stored"


class _Lmtp(LMTP):
    """One answer for each recipient, also where the library itself refuses what was brought."""

    async def push(self, status: AnyStr) -> None:
        refused = isinstance(status, str) and status.startswith(("500 Line", "552"))
        times = len(self.envelope.rcpt_tos) if refused and self.envelope is not None else 1
        for _ in range(max(1, times)):
            await super().push(status)
