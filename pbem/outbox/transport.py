"""Handing mail to the relay by SMTP, over one connection for as long as it holds."""

import asyncio
import base64
from asyncio import CancelledError, WriteTransport
from contextlib import suppress
from typing import NoReturn, Protocol

from aiosmtplib import SMTP, SMTPAuthenticationError, SMTPException, SMTPResponseException, SMTPSenderRefused

from pbem.house.settings import Relay
from pbem.mail_servers.oauth.consent_keeper import ConsentKeeper
from pbem.mail_servers.oauth.sasl import BearerLogin
from pbem.mail_servers.oauth.troubles import NoConsent, OAuthTrouble
from pbem.mail_servers.server import (
    BadServer,
    LoginRefused,
    NoRoomThere,
    NoStartTls,
    Patience,
    SenderRefused,
    TokenRefused,
    in_words,
    must_be_safe,
)

TIMEOUT = 60  # seconds that a server may take for an answer
NO_ROOM, MAIL_SYSTEM_FULL = 452, "4.3.1"  # and not 4.2.2, where one mailbox alone is full
GO_ON, WELCOME = 334, 235  # what a server says while one logs in
TROUBLES = (OSError, SMTPException, BadServer, OAuthTrouble)


class Undelivered(Exception):
    """The relay did not take this mail; `permanent` if asking again is no use."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(code, said)
        self.code, self.said = code, " ".join(said.split())[:300]

    @property
    def permanent(self) -> bool:
        return 500 <= self.code < 600

    def __str__(self) -> str:
        return f"{self.code} {self.said}" if self.code else self.said


class RelayUnreachable(Exception):
    """There is nobody to hand mail to, and why: no fault of any mail."""


class Transport(Protocol):
    """What the outbox needs of a way to send mail."""

    async def send(self, sender: str, to: str, raw: bytes) -> None:
        """Hands one mail over. Raises Undelivered, RelayUnreachable."""


class SmtpTransport:
    """The relay of the settings."""

    def __init__(self, relay: Relay, *, patience: Patience | None = None, consent: ConsentKeeper | None = None) -> None:
        self.relay, self.trouble = relay, ""
        self._consent, self._patience = consent, patience or Patience()
        self._smtp: SMTP | None = None

    async def send(self, sender: str, to: str, raw: bytes) -> None:
        """See Transport. A connection that the relay closed while we were idle is opened again."""
        smtp = await self._connected()
        try:
            await say_sender(smtp, sender)
            await smtp.rcpt(to)
            await smtp.data(raw)
        except CancelledError:  # in the middle of a word: whatever it answers now belongs to nothing
            self._drop()
            raise
        except SMTPSenderRefused as refusal:
            if 500 <= refusal.code < 600:  # it would refuse all our mail alike
                self._out_of_reach(refused(self.relay, sender, refusal))
            raise Undelivered(refusal.code, refusal.message) from refusal
        except SMTPResponseException as refusal:
            if refusal.code == NO_ROOM and MAIL_SYSTEM_FULL in refusal.message:
                self._out_of_reach(NoRoomThere(self.relay, said=f"{refusal.code} {refusal.message}"))
            raise Undelivered(refusal.code, refusal.message) from refusal
        except (OSError, SMTPException, UnicodeError) as problem:
            self._drop()
            code = 550 if isinstance(problem, UnicodeError) else 0  # an address that SMTP cannot say
            raise Undelivered(code, str(problem) or type(problem).__name__) from problem

    async def close(self) -> None:
        try:
            if self._smtp is not None and self._smtp.is_connected:
                with suppress(*TROUBLES):  # gone is all we want it to be
                    await self._smtp.execute_command(b"QUIT")
        finally:
            self._drop()

    async def _connected(self) -> SMTP:
        if self._smtp is not None:
            if await self._alive(self._smtp):
                return self._smtp
            self._drop()
        if self._patience.left:
            raise RelayUnreachable(self.trouble)
        try:
            self._smtp = await connect(self.relay, self._consent)
        except TROUBLES as problem:
            self._out_of_reach(problem)
        self._patience.succeeded()
        self.trouble = ""
        assert self._smtp is not None
        return self._smtp

    def _out_of_reach(self, problem: Exception) -> NoReturn:
        self._drop()
        self._patience.failed()
        self.trouble = in_words(self.relay, problem)
        raise RelayUnreachable(self.trouble) from problem

    @staticmethod
    async def _alive(smtp: SMTP) -> bool:
        try:
            await smtp.rset()
        except TROUBLES:
            return False
        return True

    def _drop(self) -> None:
        if self._smtp is not None:
            hang_up(self._smtp)
            self._smtp = None


def refused(relay: Relay, sender: str, refusal: SMTPSenderRefused) -> SenderRefused:
    return SenderRefused(relay, sender=sender, said=f"{refusal.code} {refusal.message}")


async def say_sender(smtp: SMTP, sender: str) -> None:
    """Names the sender; a relay that allows nothing but the bare address gets that, and bounces say less."""
    try:
        await smtp.mail(sender)
    except SMTPSenderRefused as refusal:
        local, _, host = sender.rpartition("@")
        if not 500 <= refusal.code < 600 or "+" not in local:
            raise
        await smtp.rset()
        await smtp.mail(f"{local.partition('+')[0]}@{host}")


async def connect(relay: Relay, consent: ConsentKeeper | None = None, timeout: float = TIMEOUT) -> SMTP:
    """A client that is logged in; a token that is refused is renewed once. Raises the troubles, or aiosmtplib's errors.

    With a consent, also OAuthTrouble.
    """
    if relay.login == "password":
        return await _connected(relay, timeout)
    if consent is None:
        raise NoConsent
    token = await asyncio.to_thread(consent.access)
    try:
        return await _connected(relay, timeout, token)
    except TokenRefused:
        return await _connected(relay, timeout, await asyncio.to_thread(consent.access, token))


async def _connected(relay: Relay, timeout: float, token: str = "") -> SMTP:
    must_be_safe(relay)
    smtp = SMTP(
        hostname=relay.host,
        port=relay.port,
        use_tls=relay.security == "tls",
        start_tls=False,
        local_hostname="localhost",  # asking the resolver for our own name can take half a minute
        timeout=timeout,
    )
    await smtp.connect()
    try:
        await smtp.ehlo()
        if relay.security == "starttls":
            if not smtp.supports_extension("starttls"):
                raise NoStartTls(relay)
            await smtp.starttls()
        if relay.login == "oauth":
            await _log_in_by_token(smtp, relay, token)
        elif relay.user:
            await smtp.login(relay.user, relay.password.get_secret_value())
    except SMTPAuthenticationError as refusal:
        hang_up(smtp)
        raise LoginRefused(relay, said=f"{refusal.code} {refusal.message}") from None
    except BaseException:
        hang_up(smtp)
        raise
    return smtp


async def _log_in_by_token(smtp: SMTP, relay: Relay, token: str) -> None:
    if smtp.is_ehlo_or_helo_needed:  # it is, after STARTTLS
        await smtp.ehlo()
    login = BearerLogin.of(relay, token, smtp.server_auth_methods)
    said = await smtp.execute_command(b"AUTH", login.mechanism.encode(), base64.b64encode(login(b"")))
    if said.code == GO_ON:
        said = await smtp.execute_command(base64.b64encode(login(said.message.encode())))
    if said.code != WELCOME:
        raise TokenRefused(relay, said=login.refusal or f"{said.code} {said.message}")


def hang_up(smtp: SMTP) -> None:
    """Ends a connection at once: a polite end of TLS may outlive the loop it is said in."""
    line = smtp.transport
    smtp.close()
    if isinstance(line, WriteTransport):
        line.abort()
