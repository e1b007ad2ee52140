"""A small authorisation server: consent by a device code or in a browser, tokens that run out, are renewed once each,
and can be looked into by a mail server. It is strict, so that whoever gets on with it follows the standards."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

CLIENT, SECRET = "fieldpost-tests", "seven cranes & a heron"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
LIFE = 3600  # seconds of an access token


@dataclass
class Grant:
    """What somebody has consented to."""

    user: str
    scope: str
    withdrawn: bool = False
    redirect: str = ""
    challenge: str = ""
    answers: list[str] = field(default_factory=list)  # to a device that asks, before it gets its tokens


@dataclass
class AuthorisationServer:
    """Everything that is known there, open to a test."""

    user: str = "orders@fieldpost.example"  # who logs in and agrees
    clock: Callable[[], float] = time.time
    secret: str = ""  # the client must know it, if there is one
    life: int = LIFE
    more: dict[str, object] = field(default_factory=dict)  # said with every token
    refuses: str = ""  # what consent is refused with
    interval: int = 5  # seconds between two questions of a device
    broken: int = 0  # so many requests for tokens fail with status 503
    rotates: bool = True
    metadata: str = "/.well-known/openid-configuration"
    codes: dict[str, Grant] = field(default_factory=dict)
    devices: dict[str, Grant] = field(default_factory=dict)
    pending: list[str] = field(default_factory=list)  # what the next device is told before it gets its tokens
    access: dict[str, tuple[Grant, float]] = field(default_factory=dict)
    refresh: dict[str, Grant] = field(default_factory=dict)
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    url: str = ""

    def withdraw(self) -> None:
        """The user takes every consent back."""
        for grant in [*self.refresh.values(), *(grant for grant, _ in self.access.values())]:
            grant.withdrawn = True

    def revoke_access(self) -> None:
        """Access tokens die before their time, as after a change of password; consent stands."""
        self.access.clear()

    # The pages.

    def published(self) -> dict[str, object]:
        names = {"authorization_endpoint": "authorize", "token_endpoint": "token"}
        names["device_authorization_endpoint"] = "device"
        return {
            "issuer": self.url,
            **{name: f"{self.url}/{page}" for name, page in names.items()},
            "scopes_supported": ["openid", "email", "offline_access"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"] if self.secret else ["none"],
        }

    def authorize(self, form: dict[str, str]) -> str:
        """Where the browser of somebody who agrees is sent to."""
        assert (form["response_type"], form["client_id"], form["code_challenge_method"]) == ("code", CLIENT, "S256")
        assert urlsplit(form["redirect_uri"]).hostname in ("127.0.0.1", "localhost")
        back = {"state": form["state"], "iss": self.url}
        if self.refuses:
            return f"{form['redirect_uri']}?{urlencode({**back, 'error': self.refuses})}"
        code = secrets.token_urlsafe(8)
        self.codes[code] = Grant(
            self.user, form["scope"], redirect=form["redirect_uri"], challenge=form["code_challenge"]
        )
        return f"{form['redirect_uri']}?{urlencode({**back, 'code': code})}"

    def device(self, form: dict[str, str]) -> tuple[int, dict[str, object]]:
        code = secrets.token_urlsafe(8)
        self.devices[code] = Grant(self.user, form["scope"], answers=list(self.pending))
        told = {"device_code": code, "user_code": "HERON-44", "verification_uri": f"{self.url}/enter"}
        return 200, {**told, "expires_in": 900, "interval": self.interval}

    def token(self, form: dict[str, str]) -> tuple[int, dict[str, object]]:
        if self.broken:
            self.broken -= 1
            return 503, {}
        kind = form.get("grant_type")
        if kind == DEVICE:
            return self._by_device(form)
        if kind == "authorization_code":
            return self._by_code(form)
        assert kind == "refresh_token", kind
        grant = self.refresh.get(form["refresh_token"])
        if grant is None or grant.withdrawn:
            return 400, {"error": "invalid_grant", "error_description": "Token has been expired or revoked."}
        if self.rotates:
            del self.refresh[form["refresh_token"]]
        return 200, self._tokens(grant, new=self.rotates)

    def _by_device(self, form: dict[str, str]) -> tuple[int, dict[str, object]]:
        grant = self.devices[form["device_code"]]
        if grant.answers:
            return 400, {"error": grant.answers.pop(0)}
        if self.refuses:
            return 400, {"error": self.refuses}
        return 200, self._tokens(self.devices.pop(form["device_code"]))

    def _by_code(self, form: dict[str, str]) -> tuple[int, dict[str, object]]:
        grant = self.codes.pop(form["code"], None)
        shown = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if grant is None or grant.redirect != form["redirect_uri"] or grant.challenge != shown:
            return 400, {"error": "invalid_grant"}
        return 200, self._tokens(grant)

    def _tokens(self, grant: Grant, *, new: bool = True) -> dict[str, object]:
        access, refresh = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        self.access[access] = grant, self.clock() + self.life
        told: dict[str, object] = {"access_token": access, "token_type": "Bearer", "expires_in": self.life, **self.more}
        if new and "offline_access" in grant.scope.split():
            self.refresh[refresh] = grant
            told["refresh_token"] = refresh
        return told

    def introspect(self, form: dict[str, str]) -> tuple[int, dict[str, object]]:
        """As a mail server asks whose token it was shown."""
        grant, until = self.access.get(form["token"], (None, 0.0))
        if grant is None or grant.withdrawn or until <= self.clock():
            return 200, {"active": False}
        return 200, {"active": True, "email": grant.user, "scope": grant.scope}

    def knows(self, form: dict[str, str], header: str) -> bool:
        """Whether the client named itself as it is registered."""
        if header.startswith("Basic "):
            name, _, secret = base64.b64decode(header[6:]).decode().partition(":")
            return (unquote(name), unquote(secret)) == (CLIENT, self.secret)
        return form.get("client_id") == CLIENT and not self.secret


@contextmanager
def authorisation_server(**known: object) -> Iterator[AuthorisationServer]:
    office = AuthorisationServer(**known)  # type: ignore[arg-type]

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            if parts.path == office.metadata:
                self.answer(200, office.published())
            elif parts.path == "/authorize":
                self.send_response(302)
                self.send_header("Location", office.authorize(flat(parts.query)))
                self.send_header("Content-Length", "0")
                self.end_headers()
            else:
                self.answer(404, {})

        def do_POST(self) -> None:
            form = flat(self.rfile.read(int(self.headers["Content-Length"])).decode())
            page = self.path.strip("/")
            office.asked.append((page, form))
            if page == "introspect":
                self.answer(*office.introspect(form))
            elif not office.knows(form, self.headers.get("Authorization", "")):
                self.answer(401, {"error": "invalid_client"})
            else:
                self.answer(*{"device": office.device, "token": office.token}[page](form))

        def answer(self, status: int, told: dict[str, object]) -> None:
            body = json.dumps(told).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Pages) as server:
        office.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield office
        finally:
            server.shutdown()
            thread.join()


def flat(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
