"""A consent kept alive: tokens renewed before they run out, once more when a server refuses one, and never lost."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from engine.log.locking import hold
from pbem.house import now
from pbem.house.settings import Settings
from pbem.mail_servers.oauth.consent_file import FILE, Consent, load_consent, renewed_consent, store_consent
from pbem.mail_servers.oauth.troubles import ConsentEnded, OAuthTrouble, ProviderOutOfReach, ProviderRefused

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
        if self._will_do(consent, rejected):
            return consent.access_token.get_secret_value()
        with self._alone():
            consent = self.kept()  # somebody else may have renewed it meanwhile
            if self._will_do(consent, rejected):
                return consent.access_token.get_secret_value()
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
            raise ConsentEnded(consent.provider.name, consent.refused)
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
            raise ConsentEnded(provider.name, said) from refusal
        renewed = renewed_consent(consent, told, self.clock())
        store_consent(self.path, renewed)
        return renewed

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """A refresh token may be good for one use only: threads and processes take turns."""
        with self._lock:
            place = os.open(self.path.with_name(LOCK), os.O_RDWR | os.O_CREAT, 0o600)
            try:
                hold(place)
                yield
            finally:
                os.close(place)


def keeper_of(settings: Settings, clock: Callable[[], datetime] = now) -> ConsentKeeper | None:
    """The keeper, where the settings want a login by consent."""
    places = (settings.mailbox, settings.relay)
    wanted = any(place is not None and place.login == "oauth" for place in places)
    return ConsentKeeper(settings.home, clock) if wanted else None
