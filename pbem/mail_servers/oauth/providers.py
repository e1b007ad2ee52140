"""Who gives out tokens, known ones from a table, others as they describe themselves; and we as their client."""

import base64
import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from pydantic import BaseModel, ConfigDict, SecretStr, field_serializer

from engine.folder import read_toml
from pbem.house.settings import Security
from pbem.mail_servers.oauth.troubles import BadProvider, OAuthTrouble, ProviderOutOfReach, ProviderRefused
from pbem.mail_servers.server import is_loopback

PATIENCE = 8  # seconds that a provider may take for an answer
MOST_BYTES = 1_000_000
FOR_NOW = ("temporarily_unavailable", "server_error")  # no refusal: it may be better later


class _StaysPut(urllib.request.HTTPRedirectHandler):
    """Secrets go where they are meant to go and nowhere else."""

    def redirect_request(self, *args: Any) -> None:
        return None


def must_be_private(provider: str, url: str) -> None:
    """Raises BadProvider for an address that secrets must not be sent to."""
    parts = urlsplit(url)
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname or "")):
        raise BadProvider(provider, why=f"{url} is not an https address")


def ask(provider: str, url: str, form: Mapping[str, str] | None = None, basic: str = "") -> dict[str, Any]:
    """A page in JSON, or what a form brings. Raises BadProvider, ProviderOutOfReach, ProviderRefused."""
    must_be_private(provider, url)
    where, status = urlsplit(url), 0
    body = None if form is None else urlencode(form).encode()
    request = urllib.request.Request(url, data=body, headers={"Accept": "application/json"})
    if basic:
        request.add_header("Authorization", f"Basic {base64.b64encode(basic.encode()).decode()}")
    proxies = [urllib.request.ProxyHandler({})] if is_loopback(where.hostname or "") else []
    try:
        with urllib.request.build_opener(_StaysPut(), *proxies).open(request, timeout=PATIENCE) as answer:
            said = answer.read(MOST_BYTES)
    except urllib.error.HTTPError as problem:
        with problem:
            status, said = problem.code, problem.read(MOST_BYTES)
    except (OSError, ValueError) as problem:
        why = " ".join(str(getattr(problem, "reason", None) or problem).split())[:200]
        raise ProviderOutOfReach(provider, where=where.netloc or url, why=why) from problem
    return _read(provider, where.netloc or url, status, said)


def _read(provider: str, where: str, status: int, said: bytes) -> dict[str, Any]:
    """A standard error is a refusal, be it sent with the status of a success; any other is a server in trouble."""
    try:
        found = json.loads(said)
    except ValueError:
        found = None
    told: dict[str, Any] = found if isinstance(found, dict) else {}
    if "error" in told and told["error"] not in FOR_NOW:
        raise ProviderRefused(provider, str(told["error"]), str(told.get("error_description", "")))
    if status or not isinstance(found, dict) or "error" in told:
        why = str(told["error"]) if "error" in told else f"status {status}" if status else "no JSON came back"
        raise ProviderOutOfReach(provider, where=where, why=why)
    return told


METADATA = ("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server")
USUAL_SCOPES = ("openid", "email", "offline_access")
ENDPOINTS = ("authorization_endpoint", "token_endpoint", "device_authorization_endpoint")

Place = tuple[str, int, Security]  # a mail server: host, port, how it is kept private


class Provider(BaseModel):
    """Where consent is asked for, and how."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str  # what stands behind --oauth
    title: str
    issuer: str = ""
    authorization_endpoint: str = ""
    token_endpoint: str
    device_authorization_endpoint: str = ""
    scopes: tuple[str, ...]
    more: Mapping[str, str] = {}  # what else stands in the address that consent is given at
    redirect_host: str = "127.0.0.1"
    wants_secret: bool = False
    basic: bool = False  # the client names itself in a header, not in the form
    imap: Place | None = None
    smtp: Place | None = None
    to_register: tuple[str, ...]


TABLE = read_toml(Path(__file__).parent, "providers.toml")


@cache
def known_providers() -> dict[str, Provider]:
    return {name: Provider(name=name, **row) for name, row in TABLE["known"].items()}


def find_provider(name: str, scopes: Sequence[str] = ()) -> Provider:
    """By its name, or by its URL. Raises OAuthTrouble."""
    found = known_providers().get(name.strip().casefold())
    if found is None:
        if "://" not in name:
            raise BadProvider(name, why=f"name {', '.join(known_providers())}, or the URL of another provider")
        found = _published(name.strip().rstrip("/"))
    return found.model_copy(update={"scopes": tuple(scopes)}) if scopes else found


def _published(url: str) -> Provider:
    """What a provider says about itself at its well-known address."""
    must_be_private(url, url)
    troubles: list[OAuthTrouble] = []
    for path in METADATA:
        try:
            return _described(url, ask(url, url + path))
        except (ProviderOutOfReach, ProviderRefused) as trouble:
            troubles.append(trouble)
    raise BadProvider(url, why=f"it publishes nothing about itself below {METADATA[0]} ({troubles[0]})")


def _described(url: str, told: dict[str, Any]) -> Provider:
    if str(told.get("issuer", "")).rstrip("/") != url:  # or anybody's page could speak for anybody
        raise BadProvider(url, why=f"what it publishes is about {told.get('issuer')}; use that URL")
    endpoints = {name: str(told.get(name, "")) for name in ENDPOINTS}
    for name, where in endpoints.items():
        if where:
            must_be_private(url, where)
        elif name == "token_endpoint":
            raise BadProvider(url, why="it publishes no token_endpoint")
    if not endpoints["authorization_endpoint"] and not endpoints["device_authorization_endpoint"]:
        raise BadProvider(url, why="it publishes no place where consent is given")
    offered = told.get("scopes_supported")
    scopes = [scope for scope in USUAL_SCOPES if not isinstance(offered, list) or scope in offered]
    ways = told.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    return Provider(
        name=url,
        title=url,
        issuer=str(told["issuer"]),
        scopes=tuple(scopes),
        basic="client_secret_post" not in ways and "client_secret_basic" in ways,
        to_register=TABLE["others"]["to_register"],
        **endpoints,
    )


class Client(BaseModel):
    """As what we are registered with a provider."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    secret: SecretStr = SecretStr("")

    @field_serializer("secret", when_used="json")
    def _kept(self, secret: SecretStr) -> str:
        return secret.get_secret_value()

    def ask(self, provider: Provider, where: str, form: Mapping[str, str]) -> dict[str, Any]:
        """A form in our own name. Raises OAuthTrouble."""
        secret = self.secret.get_secret_value()
        if secret and provider.basic:  # RFC 6749, 2.3.1: both are encoded before they are joined
            return ask(provider.name, where, form, ":".join(quote(part, safe="") for part in (self.id, secret)))
        named = {"client_id": self.id, **({"client_secret": secret} if secret else {})}
        return ask(provider.name, where, {**form, **named})
