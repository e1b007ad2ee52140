"""The consent as it is kept: one file in the home folder, for its owner's eyes only, whole or not at all."""

import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError, field_serializer

from engine.log.sidecar import sync_folder
from pbem.mail_servers.oauth.clients import Client
from pbem.mail_servers.oauth.providers import Provider
from pbem.mail_servers.oauth.troubles import NoConsent, NoRefreshToken, ProviderOutOfReach

FILE = "oauth.json"
AN_HOUR = 3600  # seconds: where a provider does not say how long its token is good
SAME = timedelta(minutes=5)  # ends so near each other are one end, told twice


class Consent(BaseModel):
    """What the owner of the mailbox has allowed, and until when."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    provider: Provider
    client: Client
    granted: datetime
    renewed: datetime
    access_token: SecretStr
    access_until: datetime
    refresh_token: SecretStr
    # The end of it, where the provider tells one, and since when we knew of that end: one that moves is no end yet.
    ends: datetime | None = None
    ends_known: datetime | None = None
    refused: str = ""  # what was said when it was not renewed: it is over

    @field_serializer("access_token", "refresh_token", when_used="json")
    def _kept(self, token: SecretStr) -> str:
        return token.get_secret_value()


def new_consent(provider: Provider, client: Client, told: dict[str, Any], now: datetime) -> Consent:
    """A consent as the provider's answer has it. Raises NoRefreshToken, ProviderOutOfReach."""
    if not told.get("refresh_token"):
        raise NoRefreshToken(provider.name)
    return _with_tokens({"provider": provider, "client": client, "granted": now}, told, now)


def renewed_consent(old: Consent, told: dict[str, Any], now: datetime) -> Consent:
    """The same consent with new tokens; a provider that gives no new refresh token goes on with the old one."""
    kept = {"refresh_token": old.refresh_token, "ends": old.ends, "ends_known": old.ends_known}
    fields = {"provider": old.provider, "client": old.client, "granted": old.granted}
    return _with_tokens({**fields, **kept}, told, now)


def _with_tokens(fields: dict[str, Any], told: dict[str, Any], now: datetime) -> Consent:
    provider: Provider = fields["provider"]
    if not isinstance(told.get("access_token"), str) or not told["access_token"]:
        raise ProviderOutOfReach(provider.name, provider.token_endpoint, "no access token came back")
    if told.get("refresh_token"):
        fields["refresh_token"] = SecretStr(str(told["refresh_token"]))
    life = _seconds(told, "refresh_token_expires_in", "refresh_expires_in")
    before = fields.get("ends")
    if life and (before is None or abs(before - (now + timedelta(seconds=life))) > SAME):
        fields["ends"], fields["ends_known"] = now + timedelta(seconds=life), now
    until = now + timedelta(seconds=_seconds(told, "expires_in") or AN_HOUR)
    return Consent(**fields, renewed=now, access_token=SecretStr(told["access_token"]), access_until=until)


def _seconds(told: dict[str, Any], *names: str) -> int:
    """The first length of time that is told; some write it as text."""
    for name in names:
        try:
            return int(told[name])
        except (KeyError, TypeError, ValueError):
            continue
    return 0


def store_consent(path: Path, consent: Consent) -> None:
    """Whole or not at all, and at no moment for other eyes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(f"{path.name}.{os.getpid()}.new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(consent.model_dump_json(indent=1).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    sync_folder(path.parent)


def load_consent(path: Path) -> Consent:
    """Raises NoConsent, also for a file that nobody could have written whole."""
    try:
        return Consent.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        raise NoConsent from None
