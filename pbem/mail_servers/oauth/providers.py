"""Who gives out tokens, known ones from a table, others as they describe themselves; and we as their client."""

import base64
import json
import tomllib
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import quote, urlencode, urlsplit

from pydantic import BaseModel, ConfigDict, SecretStr, field_serializer

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
        raise BadProvider(provider, f"{url} is not an https address")


def get(provider: str, url: str) -> dict[str, Any]:
    """A page in JSON. Raises BadProvider, ProviderOutOfReach, ProviderRefused."""
    return _ask(provider, url, None, {})


def post(provider: str, url: str, form: Mapping[str, str], *, basic: tuple[str, str] | None = None) -> dict[str, Any]:
    """What a form brings; the client may name itself in the header. Raises as `get` does."""
    headers = {}
    if basic is not None:  # RFC 6749, 2.3.1: both are encoded before they are joined
        name = ":".join(quote(part, safe="") for part in basic)
        headers["Authorization"] = "Basic " + base64.b64encode(name.encode()).decode()
    return _ask(provider, url, urlencode(form).encode(), headers)


def _ask(provider: str, url: str, body: bytes | None, headers: dict[str, str]) -> dict[str, Any]:
    must_be_private(provider, url)
    request = urllib.request.Request(url, data=body, headers={"Accept": "application/json", **headers})
    handlers: list[urllib.request.BaseHandler] = [_StaysPut()]
    if is_loopback(urlsplit(url).hostname or ""):
        handlers.append(urllib.request.ProxyHandler({}))
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=PATIENCE) as answer:
            return _read(provider, url, answer.read(MOST_BYTES))
    except urllib.error.HTTPError as problem:
        with problem:
            said = problem.read(MOST_BYTES)
        _refused(provider, url, problem.code, said)
    except (OSError, ValueError) as problem:
        why = getattr(problem, "reason", None) or problem
        raise ProviderOutOfReach(provider, _host(url), " ".join(str(why).split())[:200]) from problem


def _read(provider: str, url: str, said: bytes) -> dict[str, Any]:
    try:
        found = json.loads(said)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise ProviderOutOfReach(provider, _host(url), "no JSON came back")
    if found.get("error") in FOR_NOW:
        raise ProviderOutOfReach(provider, _host(url), str(found["error"]))
    if "error" in found:  # some say so with the status of a success
        raise ProviderRefused(provider, str(found["error"]), str(found.get("error_description", "")))
    return found


def _refused(provider: str, url: str, status: int, said: bytes) -> NoReturn:
    """A standard error is a refusal; anything else is a server in trouble."""
    try:
        _read(provider, url, said)
    except ProviderOutOfReach as trouble:
        if trouble.why in FOR_NOW:
            raise
    raise ProviderOutOfReach(provider, _host(url), f"status {status}")


def _host(url: str) -> str:
    return urlsplit(url).netloc or url


METADATA = ("/.well-known/openid-configuration", "/.well-known/oauth-authorization-server")
USUAL_SCOPES = ("openid", "email", "offline_access")
REGISTER = (
    "At your provider, register a native (public) client with the redirect URI http://127.0.0.1, for the grants"
    " authorization_code with PKCE (or device_code) and refresh_token.",
    "Allow it the scopes that open IMAP and SMTP, and offline_access; name others with --scope.",
)

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
    to_register: tuple[str, ...] = REGISTER


@cache
def known_providers() -> dict[str, Provider]:
    table = tomllib.loads(Path(__file__).with_name("providers.toml").read_text(encoding="utf-8"))
    return {name: Provider(name=name, **row) for name, row in table.items()}


def find_provider(name: str, scopes: Sequence[str] = ()) -> Provider:
    """By its name, or by its URL. Raises OAuthTrouble."""
    found = known_providers().get(name.strip().casefold())
    if found is None:
        if "://" not in name:
            raise BadProvider(name, f"name {', '.join(known_providers())}, or the URL of another provider")
        found = _published(name.strip().rstrip("/"))
    return found.model_copy(update={"scopes": tuple(scopes)}) if scopes else found


def _published(url: str) -> Provider:
    """What a provider says about itself at its well-known address."""
    must_be_private(url, url)
    troubles: list[OAuthTrouble] = []
    for path in METADATA:
        try:
            told = get(url, url + path)
        except (ProviderOutOfReach, ProviderRefused) as trouble:
            troubles.append(trouble)
            continue
        return _described(url, told)
    raise BadProvider(url, f"it publishes nothing about itself below {METADATA[0]} ({troubles[0]})")


def _described(url: str, told: dict[str, Any]) -> Provider:
    if str(told.get("issuer", "")).rstrip("/") != url:  # or anybody's page could speak for anybody
        raise BadProvider(url, f"what it publishes is about {told.get('issuer')}; use that URL")
    endpoints = {name: str(told.get(name, "")) for name in _ENDPOINTS}
    for name, where in endpoints.items():
        if where:
            must_be_private(url, where)
        elif name == "token_endpoint":
            raise BadProvider(url, "it publishes no token_endpoint")
    if not endpoints["authorization_endpoint"] and not endpoints["device_authorization_endpoint"]:
        raise BadProvider(url, "it publishes no place where consent is given")
    offered = told.get("scopes_supported")
    scopes = [scope for scope in USUAL_SCOPES if not isinstance(offered, list) or scope in offered]
    ways = told.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    return Provider(
        name=url,
        title=url,
        issuer=str(told["issuer"]),
        scopes=tuple(scopes),
        basic="client_secret_post" not in ways and "client_secret_basic" in ways,
        **endpoints,
    )


_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "device_authorization_endpoint")


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
        if secret and provider.basic:
            return post(provider.name, where, form, basic=(self.id, secret))
        named = {"client_id": self.id, **({"client_secret": secret} if secret else {})}
        return post(provider.name, where, {**form, **named})
