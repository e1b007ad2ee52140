"""A consent kept in one file, whole or not at all: renewed before it runs out, never lost, its end known before."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, SecretStr, ValidationError, field_serializer

from engine.log.locking import held
from engine.log.sidecar import replace_file
from pbem.house import now
from pbem.house.settings import OAuth, Settings
from pbem.mail_servers.oauth.providers import Client, Provider
from pbem.mail_servers.oauth.troubles import (
    ConsentEnded,
    NoConsent,
    NoRefreshToken,
    OAuthTrouble,
    ProviderOutOfReach,
    ProviderRefused,
)

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
    return Consent(provider=provider, client=client, granted=now, **_tokens(provider, told, now))


def _tokens(provider: Provider, told: dict[str, Any], now: datetime, ends: datetime | None = None) -> dict[str, Any]:
    """What is new in a consent; a provider that gives no new refresh token goes on with the old one."""
    if not isinstance(told.get("access_token"), str) or not told["access_token"]:
        raise ProviderOutOfReach(provider.name, where=provider.token_endpoint, why="no access token came back")
    until = now + timedelta(seconds=_seconds(told, "expires_in") or AN_HOUR)
    new = {"renewed": now, "access_token": SecretStr(told["access_token"]), "access_until": until}
    if told.get("refresh_token"):
        new["refresh_token"] = SecretStr(str(told["refresh_token"]))
    life = timedelta(seconds=_seconds(told, "refresh_token_expires_in", "refresh_expires_in"))
    if life and (ends is None or abs(ends - (now + life)) > SAME):
        new |= {"ends": now + life, "ends_known": now}
    return new


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
    replace_file(path, consent.model_dump_json(indent=1).encode() + b"\n", alone=True)


def load_consent(path: Path) -> Consent:
    """Raises NoConsent, also for a file that nobody could have written whole."""
    try:
        return Consent.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        raise NoConsent from None


EARLY = timedelta(minutes=5)  # a token is renewed so long before it runs out, or in the last quarter of its time
LOCK = "oauth.lock"
OVER = ("invalid_grant", "interaction_required", "consent_required")  # what only a new consent mends


class ConsentKeeper:
    """The consent in a home folder, shared by everything that logs in; another process may keep it as well."""

    def __init__(self, home: Path, clock: Callable[[], datetime] = now) -> None:
        self.path, self.clock = home / FILE, clock
        self._lock = threading.Lock()

    def kept(self) -> Consent:
        """Raises NoConsent."""
        return load_consent(self.path)

    def access(self, rejected: str = "") -> str:
        """A token that is good for some minutes yet, and is not the one that a server has rejected.

        Raises NoConsent, ConsentEnded, ProviderOutOfReach, ProviderRefused.
        """
        consent = self.kept()
        if not self._will_do(consent, rejected):
            # A refresh token may be good for one use only: threads and processes take turns.
            with self._lock, held(self.path.with_name(LOCK)):
                consent = self.kept()  # somebody else may have renewed it meanwhile
                if not self._will_do(consent, rejected):
                    try:
                        consent = self._renewed(consent)
                    except ProviderOutOfReach:
                        if rejected or consent.access_until <= self.clock():
                            raise  # otherwise it is good still
        return consent.access_token.get_secret_value()

    def keep_fresh(self) -> OAuthTrouble | None:
        """Renewed in time, even if nobody logs in: unused consents run out. Gives what is wrong, if anything is."""
        try:
            self.access()
        except OAuthTrouble as trouble:
            return trouble
        return None

    def _will_do(self, consent: Consent, rejected: str) -> bool:
        if consent.refused:
            raise ConsentEnded(consent.provider.name, said=consent.refused)
        early = min(EARLY, (consent.access_until - consent.renewed) / 4)
        return consent.access_until - early > self.clock() and consent.access_token.get_secret_value() != rejected

    def _renewed(self, consent: Consent) -> Consent:
        provider = consent.provider
        form = {"grant_type": "refresh_token", "refresh_token": consent.refresh_token.get_secret_value()}
        try:
            told = consent.client.ask(provider, provider.token_endpoint, form)
        except ProviderRefused as refusal:
            if refusal.error not in OVER:
                raise
            said = refusal.description or refusal.error
            store_consent(self.path, consent.model_copy(update={"refused": said}))
            raise ConsentEnded(provider.name, said=said) from refusal
        renewed = consent.model_copy(update=_tokens(provider, told, self.clock(), consent.ends))
        store_consent(self.path, renewed)
        return renewed


def keeper_of(settings: Settings) -> ConsentKeeper | None:
    """The keeper, where the settings want a login by consent."""
    places = (settings.mailbox, settings.relay)
    wanted = any(place is not None and place.login == "oauth" for place in places)
    return ConsentKeeper(settings.home) if wanted else None


def ends_soon(consent: Consent, settings: OAuth, now: datetime) -> datetime | None:
    """Its end as the provider says, or else the settings, once it is a quarter of its time away, or so few days."""
    if consent.refused or not (consent.ends or settings.consent_days):
        return None
    end = consent.ends or consent.granted + timedelta(days=settings.consent_days)
    known = (consent.ends and consent.ends_known) or consent.granted
    warning = min(timedelta(days=settings.warn_days), (end - known) / 4)
    return end if now >= end - warning else None


def consent_trouble(settings: Settings) -> OAuthTrouble | None:
    """What keeps us out of the mailbox, as far as the home folder tells; nobody is asked."""
    keeper = keeper_of(settings)
    if keeper is None:
        return None
    try:
        consent = keeper.kept()
    except NoConsent as missing:
        return missing
    return ConsentEnded(consent.provider.name, said=consent.refused) if consent.refused else None
