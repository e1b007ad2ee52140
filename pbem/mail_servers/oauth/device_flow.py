"""Consent by a code that is typed in anywhere (RFC 8628): nothing is needed here but a screen."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pbem.mail_servers.oauth.clients import Client
from pbem.mail_servers.oauth.providers import Provider
from pbem.mail_servers.oauth.troubles import ProviderOutOfReach, ProviderRefused

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
    scopes = {"scope": " ".join(provider.scopes)}
    told = client.ask(provider, provider.device_authorization_endpoint, scopes)
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
        raise ProviderOutOfReach(provider.name, provider.device_authorization_endpoint, "no code came back")
    life = int(told.get("expires_in") or USUAL_LIFE)
    return Code(str(told["user_code"]), str(where), str(told.get("verification_uri_complete") or ""), life)
