"""A mail server: what goes wrong there, in words a moderator can act on, and how long to wait before trying again."""

import ipaddress
import random
import socket
import ssl
import time
from collections.abc import Callable
from typing import ClassVar

from pbem.house.settings import MailServer
from pbem.mail_servers.oauth.troubles import OAuthTrouble


class BadServer(Exception):
    """What a moderator can put right, in his settings or at the server; each kind says how."""

    tells: ClassVar[str]

    def __init__(self, server: MailServer, **more: str) -> None:
        super().__init__(f"{server.what}: {self.tells.format(server=server, **more)}")


class PlainNotAllowed(BadServer):
    """Passwords and orders do not travel unencrypted, except within this machine."""

    tells = 'security is plain, but {server.host} is another machine; set it to "tls" (or "starttls")'


class LoginRefused(BadServer):
    """The server does not know this user, or not with this password."""

    tells = (
        "{server.host} refused the login of {server.user} ({said}); "
        "check user and password (some providers want a password made for this program alone)"
    )


class TokenRefused(BadServer):
    """The server takes tokens, but not ours, nor a fresh one."""

    tells = (
        "{server.host} refused the token for {server.user} ({said}); is user the mailbox that consented, "
        "and did you consent to IMAP and SMTP? `pbem init --oauth` asks for consent again"
    )


class NoTokensTaken(BadServer):
    """The server knows neither mechanism for tokens."""

    tells = '{server.host} takes no logins by OAuth2, only {offered}; set login to "password"'


class SenderRefused(BadServer):
    """The relay lets us log in, but not send mail in our own name."""

    tells = "{server.host} takes no mail from {sender} ({said}); check address, user, password"


class NoRoomThere(BadServer):
    """The relay's own disk is full: no mail is to blame."""

    tells = "{server.host} has no room for mail ({said}); it is tried again until it has"


class NoStartTls(BadServer):
    """The server offers no encryption on this port."""

    tells = '{server} offers no STARTTLS; try security "tls" and the port for it'


class NoSuchFolder(BadServer):
    """The mailbox has no folder of this name."""

    tells = "there is no folder {folder}; there are {folders}"


def must_be_safe(server: MailServer) -> None:
    """Raises PlainNotAllowed for an unencrypted connection to another machine."""
    if server.security == "plain" and not is_loopback(server.host):
        raise PlainNotAllowed(server)


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def in_words(server: MailServer, problem: BaseException) -> str:
    """One sentence for whatever was raised while talking to a server."""
    if isinstance(problem, BadServer):
        return str(problem)
    if isinstance(problem, OAuthTrouble):
        return f"{server.what}: {problem}"
    chain = _chain(problem)
    for kind, sentence in _SENTENCES:
        found = next((one for one in chain if isinstance(one, kind)), None)
        if found is not None:
            return f"{server.what}: " + sentence.format(server=server, found=found, why=_reason(found))
    return f"{server.what}: {server} did not work: {_reason(problem)}"


def _chain(problem: BaseException | None) -> list[BaseException]:
    """A problem with what caused it, cause last."""
    chain: list[BaseException] = []
    while problem is not None and problem not in chain:
        chain.append(problem)
        problem = problem.__cause__ or problem.__context__
    return chain


def _reason(problem: BaseException) -> str:
    if isinstance(problem, ssl.SSLCertVerificationError):
        return problem.verify_message
    return " ".join(str(problem).split())[:200] or type(problem).__name__


_SENTENCES: tuple[tuple[type[BaseException], str], ...] = (
    (
        ssl.SSLCertVerificationError,
        "the certificate of {server} is not one we trust ({why}); use the name it is made out to, "
        "or put its issuer's certificate into a file and name that in SSL_CERT_FILE",
    ),
    (ssl.SSLError, '{server} does not speak TLS ({why}); is the port right, or is security "starttls" meant?'),
    (socket.gaierror, "there is no host {server.host} ({why})"),
    (ConnectionRefusedError, "nothing listens at {server}"),
    (TimeoutError, "{server} did not answer in time; is the port right?"),
)


FIRST, LONGEST = 2.0, 600.0  # seconds


class Patience:
    """Twice as long after every failure, with some chance in it: many clients must not come back at once."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, chance: Callable[[], float] = random.random
    ) -> None:
        self._clock, self._chance = clock, chance
        self._failures = 0
        self._until = 0.0

    @property
    def left(self) -> float:
        """Seconds until the next try is due."""
        return max(0.0, self._until - self._clock())

    def failed(self) -> None:
        longest = min(LONGEST, FIRST * 2**self._failures)
        self._failures = min(self._failures + 1, 20)
        self._until = self._clock() + longest * (0.5 + self._chance() / 2)

    def succeeded(self) -> None:
        self._failures, self._until = 0, 0.0
