"""Consent asked for: by a code that is typed in anywhere (RFC 8628), or in a browser (RFC 6749 with 7636 and 8252)."""

import base64
import hashlib
import secrets
import select
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from html import escape
from typing import Any, TextIO
from urllib.parse import parse_qs, urlencode, urlsplit

from pbem.mail_servers.oauth.providers import Client, Provider
from pbem.mail_servers.oauth.troubles import OAuthTrouble, ProviderOutOfReach, ProviderRefused

GRANT = "urn:ietf:params:oauth:grant-type:device_code"
USUAL_PAUSE, SLOWER = 5, 5  # seconds between two questions, and how much longer when told to slow down
USUAL_LIFE = 900  # seconds that a code is good for


@dataclass(frozen=True)
class Code:
    """What the owner of the mailbox types in, and where."""

    user_code: str
    where: str
    whole: str = ""  # an address with the code in it already
    life: int = USUAL_LIFE


def by_device(
    provider: Provider,
    client: Client,
    show: Callable[[Code], None],
    sleep: Callable[[float], None] = time.sleep,
    clock: Callable[[], float] = time.monotonic,
) -> dict[str, Any]:
    """Shows a code, and asks until consent is given or refused. Raises OAuthTrouble."""
    told = client.ask(provider, provider.device_authorization_endpoint, {"scope": " ".join(provider.scopes)})
    code = _read(provider, told)
    form = {"grant_type": GRANT, "device_code": str(told["device_code"])}
    pause, until = int(told.get("interval") or USUAL_PAUSE), clock() + code.life
    show(code)
    while clock() < until:
        sleep(pause)
        try:
            return client.ask(provider, provider.token_endpoint, form)
        except ProviderOutOfReach:
            pause *= 2  # as the standard wants it; the code is good still
        except ProviderRefused as refusal:
            if refusal.error == "slow_down":
                pause += SLOWER
            elif refusal.error != "authorization_pending":
                raise
    raise ProviderRefused(provider.name, "expired_token")


def _read(provider: Provider, told: dict[str, Any]) -> Code:
    where = told.get("verification_uri") or told.get("verification_url")
    if not told.get("device_code") or not told.get("user_code") or not where:
        where = provider.device_authorization_endpoint
        raise ProviderOutOfReach(provider.name, where=where, why="no code came back")
    life = int(told.get("expires_in") or USUAL_LIFE)
    return Code(str(told["user_code"]), str(where), str(told.get("verification_uri_complete") or ""), life)


LIFE = 600  # seconds in which consent must be given
LISTEN = "127.0.0.1"
MOST_BYTES = 65_536
PATIENCE = 5  # seconds for a browser to say what it wants


class WrongAddress(OAuthTrouble):
    """What was pasted, or came in at our port, is not the address that the browser ended on."""


@dataclass(frozen=True)
class Errand:
    """One request for consent: what is asked, and what the answer must bring back."""

    provider: Provider
    client: Client
    redirect: str
    state: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    @property
    def address(self) -> str:
        """Where the owner of the mailbox agrees."""
        asked = {
            "response_type": "code",
            "client_id": self.client.id,
            "redirect_uri": self.redirect,
            "scope": " ".join(self.provider.scopes),
            "state": self.state,
            "code_challenge": challenge(self.verifier),
            "code_challenge_method": "S256",
            **self.provider.more,
        }
        where = self.provider.authorization_endpoint
        return f"{where}{'&' if urlsplit(where).query else '?'}{urlencode(asked)}"

    def code(self, landed: str) -> str:
        """The code in the address that the browser ended on. Raises WrongAddress, ProviderRefused."""
        found = {name: values[0] for name, values in parse_qs(urlsplit(landed.strip()).query).items()}
        if found.get("state") != self.state:
            raise WrongAddress
        if self.provider.issuer and found.get("iss", self.provider.issuer) != self.provider.issuer:
            raise WrongAddress  # RFC 9207: another provider's answer
        if "error" in found:
            raise ProviderRefused(self.provider.name, found["error"], found.get("error_description", ""))
        if not found.get("code"):
            raise WrongAddress
        return found["code"]

    def tokens(self, landed: str) -> dict[str, Any]:
        """What the code is worth. Raises OAuthTrouble."""
        form = {
            "grant_type": "authorization_code",
            "code": self.code(landed),
            "redirect_uri": self.redirect,
            "code_verifier": self.verifier,
        }
        return self.client.ask(self.provider, self.provider.token_endpoint, form)


def challenge(verifier: str) -> str:
    """RFC 7636: the hash goes ahead, and only who asked can show what it is of."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def by_browser(
    provider: Provider,
    client: Client,
    show: Callable[[str], None],
    again: Callable[[str], None],
    typed: TextIO | None = None,
) -> dict[str, Any]:
    """Shows an address, and waits until the browser comes back or its last address is pasted. Raises OAuthTrouble."""
    typed = sys.stdin if typed is None else typed
    with socket.create_server((LISTEN, 0)) as door:
        port = door.getsockname()[1]
        errand = Errand(provider, client, f"http://{provider.redirect_host}:{port}/")
        show(errand.address)
        until, ears = time.monotonic() + LIFE, list[Any]([door])
        with suppress(OSError, ValueError):  # there may be no terminal
            typed.fileno()
            ears.append(typed)
        while (left := until - time.monotonic()) > 0:
            ready, _, _ = select.select(ears, [], [], left)
            for ear in ready:
                landed = _visited(door, errand) if ear is door else typed.readline()
                if ear is typed and not landed:
                    ears.remove(typed)  # nobody sits there
                elif landed.strip():
                    try:
                        return errand.tokens(landed)
                    except WrongAddress as wrong:
                        again(str(wrong))
    raise ProviderRefused(provider.name, "expired_token")


def _visited(door: socket.socket, errand: Errand) -> str:
    """What a browser asked our port for; it is shown a page. Empty for a visit that is none of ours."""
    line, _ = door.accept()
    with line:
        line.settimeout(PATIENCE)
        try:
            words = line.recv(MOST_BYTES).split(b"\r\n", 1)[0].decode("ascii", "replace").split(" ")
            landed = words[1] if len(words) == 3 and words[0] == "GET" else ""
            page = _page(errand, landed)
            line.sendall(page or b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        except OSError:
            return ""
    return landed if page else ""


def _page(errand: Errand, landed: str) -> bytes:
    """What the browser is shown; nothing, if this is not the answer we wait for (browsers ask for icons, too)."""
    said = "Thank you. Go back to the terminal; you may close this page."
    try:
        errand.code(landed)
    except WrongAddress:
        return b""
    except ProviderRefused as refusal:
        said = f"{refusal}."
    body = f"<!doctype html><meta charset=utf-8><title>Fieldpost</title><p>{escape(said)}</p>".encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"
    return f"{head}Connection: close\r\n\r\n".encode() + body
