"""Who gives out tokens: known ones from a table, any other as it describes itself."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from pbem.house.settings import Security
from pbem.mail_servers.oauth.by_https import get, must_be_private
from pbem.mail_servers.oauth.troubles import BadProvider, OAuthTrouble, ProviderOutOfReach, ProviderRefused

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
        return _read(url, told)
    raise BadProvider(url, f"it publishes nothing about itself below {METADATA[0]} ({troubles[0]})")


def _read(url: str, told: dict[str, Any]) -> Provider:
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
