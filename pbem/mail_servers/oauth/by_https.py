"""Asking a provider over HTTPS: a form posted or a page read, and JSON back."""

import base64
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any, NoReturn
from urllib.parse import quote, urlencode, urlsplit

from pbem.mail_servers.oauth.troubles import BadProvider, ProviderOutOfReach, ProviderRefused
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
