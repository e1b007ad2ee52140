"""Mail that a mail server of one's own brings by LMTP: what is answered with 250 is stored, and nothing is fetched."""

import asyncio
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import AnyStr

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import MISSING, Envelope, Session

from pbem.house import House
from pbem.house.disk_space import nearly_full
from pbem.inbox.bell import Bell
from pbem.inbox.inbox import Fetched, Known
from pbem.inbox.storing import store
from pbem.mail_servers.listening import Listening
from pbem.store import without_tag
from pbem.store.database_troubles import trouble_of

BOX = "lmtp"
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
        self._bell = Bell()
        try:
            self._listening = Listening(BOX, self._opening())
        except (OSError, ValueError) as problem:
            self._bell.close()
            raise CannotListen(at, str(problem)) from problem

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
        self._listening.stop()
        self._bell.close()

    # In a thread of its own.

    async def _opening(self) -> AsyncIterator[asyncio.Server]:
        loop = asyncio.get_running_loop()
        if "/" in self.at:
            with socket.socket(socket.AF_UNIX) as caller:
                if caller.connect_ex(self.at) == 0:  # a socket where nobody answers is of a daemon that was killed
                    raise ValueError("another process listens there")
            yield await loop.create_unix_server(self._protocol, self.at)
            Path(self.at).chmod(0o666)  # the mail server is another user; who may come in is said by the folder
            return
        host, _, port = self.at.rpartition(":")
        if not host or not port.isdecimal() or int(port) > 65535:
            raise ValueError("that is neither an address with a port nor a path")
        yield await loop.create_server(self._protocol, host, int(port))

    def _protocol(self) -> LMTP:
        most, loop = self.house.settings.limits.mail_bytes, asyncio.get_running_loop()
        return _Lmtp(self, hostname="localhost", ident="Fieldpost", data_size_limit=most, loop=loop)

    # What is said to the mail server.

    async def handle_MAIL(  # noqa: N802
        self, server: LMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> object:
        if (low := nearly_full(self.house.settings)) is not None:
            _log.warning("mail is not taken in", why=str(low))
            return LATER
        return MISSING  # to be taken down as usual

    async def handle_RCPT(  # noqa: N802
        self, server: LMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> object:
        ours = without_tag(address) == without_tag(self.house.settings.address)
        return MISSING if ours else "550 5.1.1 nobody here has this address"

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
