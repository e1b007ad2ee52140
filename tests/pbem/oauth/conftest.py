"""An authorisation server, and a consent that it has given."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.mail_servers.oauth.consent_flows import by_device
from pbem.mail_servers.oauth.consent_keeper import FILE, Consent, ConsentKeeper, new_consent, store_consent
from pbem.mail_servers.oauth.providers import Client, find_provider
from tests.pbem.oauth.authorisation import CLIENT, AuthorisationServer, authorisation_server


class Time:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = datetime(2026, 1, 5, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def go_by(self, **time: float) -> None:
        self.now += timedelta(**time)


@pytest.fixture
def clock() -> Time:
    return Time()


@pytest.fixture
def office(clock: Time) -> Iterator[AuthorisationServer]:
    with authorisation_server(clock=lambda: clock().timestamp()) as office:
        yield office


@pytest.fixture
def consent(office: AuthorisationServer, clock: Time, tmp_path: Path) -> Callable[[], Consent]:
    """Consents, as `pbem init --oauth` would have it."""

    def give() -> Consent:
        provider, client = find_provider(office.url), Client(id=CLIENT)
        told = by_device(provider, client, lambda code: None, sleep=lambda seconds: None)
        given = new_consent(provider, client, told, clock())
        store_consent(tmp_path / FILE, given)
        return given

    return give


@pytest.fixture
def keeper(consent: Callable[[], Consent], clock: Time, tmp_path: Path) -> ConsentKeeper:
    consent()
    return ConsentKeeper(tmp_path, clock)
