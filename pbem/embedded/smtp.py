"""The embedded SMTP server: takes mail from those with an account, for those with an account."""

import logging
from asyncio import AbstractEventLoop
from collections.abc import Callable
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import format_datetime, getaddresses

from aiosmtpd.smtp import MISSING, SMTP, AuthResult, Envelope, LoginPassword, Session

from pbem.embedded.mailboxes import MailFolder, Rooms
from pbem.house import now
from pbem.house.settings import EMBEDDED_HOST
from pbem.store import mail_address, new_id

logging.getLogger("mail.log").setLevel(logging.ERROR)  # aiosmtpd warns of its own workings at every login

NO_ROOM = "452 4.3.1 there is no room on the disk now: send it again later"
MOST_BYTES = 25_000_000  # as large providers have it


class Postman:
    """aiosmtpd's handler: a mail that is answered with 250 is on disk."""

    def __init__(self, rooms: Rooms, full: Callable[[], bool], service: str) -> None:
        self._rooms, self._full, self._service = rooms, full, service

    async def handle_MAIL(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> object:
        if not session.authenticated:
            return "530 5.7.0 log in first, with your address and its password"
        if self._rooms.accounts.owner(address) != session.auth_data:
            return f"553 5.7.1 you are logged in as {session.auth_data}: send from that address"
        if session.auth_data != self._service and self._full():  # what we ourselves have to say may use what is left
            return NO_ROOM
        return MISSING  # to be taken down as usual

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> object:
        return MISSING if self._rooms.accounts.owner(address) else "550 5.1.1 nobody here has this address"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        assert isinstance(envelope.content, bytes)
        if self._rooms.accounts.owner(_from(envelope.content)) != session.auth_data:
            return f"550 5.7.1 you are logged in as {session.auth_data}: write that address, and no other, into From"
        delivered: list[tuple[MailFolder, int]] = []
        try:
            for recipient in envelope.rcpt_tos:
                owner = self._rooms.accounts.owner(recipient)
                if owner is not None:
                    inbox = self._rooms.of(owner).inbox
                    head = _head(envelope.mail_from or "", recipient, session.host_name or "", str(session.auth_data))
                    delivered.append((inbox, inbox.letterbox.deliver(head + envelope.content)))
        except OSError:  # to all or to none, for the sender will come again with it
            for inbox, uid in delivered:
                inbox.letterbox.remove(uid)
            return NO_ROOM
        for inbox, uid in delivered:
            inbox.note(uid)
        return "250 2.0.0 delivered"


def smtp_server(rooms: Rooms, loop: AbstractEventLoop, full: Callable[[], bool], service: str) -> SMTP:
    """The protocol for one connection."""

    def admits(server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: object) -> AuthResult:
        said = data if isinstance(data, LoginPassword) else LoginPassword(b"", b"")
        name, password = (part.decode("utf-8", "replace") for part in (said.login, said.password))
        return AuthResult(success=rooms.accounts.admits(name, password), handled=False, auth_data=mail_address(name))

    return SMTP(
        Postman(rooms, full, service),
        hostname="localhost",
        ident="Fieldpost",
        data_size_limit=MOST_BYTES,
        enable_SMTPUTF8=False,
        auth_require_tls=False,
        authenticator=admits,
        loop=loop,
    )


def _from(raw: bytes) -> str:
    """The one address in From; empty if there is none, or more than one: then nobody can tell who speaks."""
    head = BytesHeaderParser(policy=compat32).parsebytes(raw)
    found = [address for _, address in getaddresses([str(value) for value in head.get_all("From", [])])]
    return found[0] if len(found) == 1 else ""


def _head(sender: str, recipient: str, host: str, login: str) -> bytes:
    """What a delivery puts on top: who logged in and sent it, to which of our addresses, and when."""
    lines = (
        f"Return-Path: <{sender}>",
        f"Authentication-Results: {EMBEDDED_HOST}; auth=pass smtp.auth={login}",
        f"Delivered-To: {recipient}",
        f"Received: from {host} by localhost with ESMTPA id {new_id()}; {format_datetime(now())}",
    )
    clean = ("".join(c if c.isprintable() else "?" for c in line)[:900] for line in lines)
    return "".join(f"{line}\r\n" for line in clean).encode("ascii", "replace")
