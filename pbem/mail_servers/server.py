"""A mail server: what goes wrong there, in words a moderator can act on, and how long to wait before trying again."""

import ipaddress
import random
import socket
import ssl
import time
from collections.abc import Callable

from pbem.house.settings import MailServer
from pbem.mail_servers.oauth.troubles import SENTENCES, OAuthTrouble

# What the line itself, or the machine, says: the first that is found.
KINDS = (ssl.SSLCertVerificationError, ssl.SSLError, socket.gaierror, ConnectionRefusedError, TimeoutError)


class BadServer(Exception):
    """What a moderator can put right, in his settings or at the server; each kind says how."""

    def __init__(self, server: MailServer, **more: str) -> None:
        super().__init__(f"{server.what}: {SENTENCES[type(self).__name__].format(server=server, **more)}")


class PlainNotAllowed(BadServer):
    """Passwords and orders do not travel unencrypted, except within this machine."""


class LoginRefused(BadServer):
    """The server does not know this user, or not with this password."""


class TokenRefused(BadServer):
    """The server takes tokens, but not ours, nor a fresh one."""


class NoTokensTaken(BadServer):
    """The server knows neither mechanism for tokens."""


class SenderRefused(BadServer):
    """The relay lets us log in, but not send mail in our own name."""


class NoRoomThere(BadServer):
    """The relay's own disk is full: no mail is to blame."""


class NoStartTls(BadServer):
    """The server offers no encryption on this port."""


class NoSuchFolder(BadServer):
    """The mailbox has no folder of this name."""


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
    for kind in KINDS:
        found = next((one for one in chain if isinstance(one, kind)), None)
        if found is not None:
            said = SENTENCES["lines"][kind.__name__].format(server=server, why=_reason(found))
            return f"{server.what}: {said}"
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
