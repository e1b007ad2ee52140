"""Logging in with a token: what is said to the server by either of two mechanisms, and how it refuses."""

import base64
import json
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from pbem.house.settings import MailServer
from pbem.mail_servers.server import NoTokensTaken

MECHANISMS = ("OAUTHBEARER", "XOAUTH2")  # the standard (RFC 7628) before its forerunner
TOLD = ("status", "error", "error_description", "scope")  # of a refusal


@dataclass
class BearerLogin:
    """One login. Called with what the server says, it gives what is to be answered."""

    mechanism: str
    user: str
    token: str
    refusal: str = field(default="", init=False)  # what the server said against it
    _begun: bool = field(default=False, init=False)

    @classmethod
    def of(cls, server: MailServer, token: str, offered: Collection[str]) -> "BearerLogin":
        """By the best of the ways that a server offers. Raises NoTokensTaken."""
        known = {name.upper() for name in offered}
        mechanism = next((name for name in MECHANISMS if name in known), None)
        if mechanism is None:
            raise NoTokensTaken(server, offered=", ".join(offered) or "passwords")
        return cls(mechanism, server.user, token)

    def __call__(self, said: bytes) -> bytes:
        if self._begun or said:
            self.refusal = in_words(said)
            # After a refusal in JSON the server waits for a last word before it says so in its own protocol.
            return b"\1" if self.mechanism == "OAUTHBEARER" else b""
        self._begun = True
        return self.opening

    @property
    def opening(self) -> bytes:
        if self.mechanism == "OAUTHBEARER":
            name = self.user.replace("=", "=3D").replace(",", "=2C")
            return f"n,a={name},\1auth=Bearer {self.token}\1\1".encode()
        return f"user={self.user}\1auth=Bearer {self.token}\1\1".encode()


def in_words(said: bytes) -> str:
    """A refusal as the mechanisms have it: JSON, in base64 where the protocol has not taken that off."""
    for plain in (bytes, partial(base64.b64decode, validate=True)):
        with suppress(ValueError):
            told = json.loads(plain(said))
            if isinstance(told, dict):
                parts = [f"{name} {told[name]}" for name in TOLD if name in told]
                return " ".join(", ".join(parts).split())[:200]
    return " ".join(said.decode("utf-8", "replace").split())[:200]
