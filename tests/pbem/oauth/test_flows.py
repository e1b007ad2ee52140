"""Consent asked for: by a code on any device, or in a browser with PKCE, back to our port or pasted in."""

from __future__ import annotations

import os
import threading
import urllib.request
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import SecretStr

from pbem.mail_servers.oauth.consent_flows import Code, Errand, WrongAddress, by_browser, by_device, challenge
from pbem.mail_servers.oauth.consent_keeper import new_consent
from pbem.mail_servers.oauth.providers import Client, find_provider, known_providers
from pbem.mail_servers.oauth.troubles import BadProvider, NoRefreshToken, ProviderRefused
from tests.pbem.oauth.authorisation import CLIENT, SECRET, AuthorisationServer

ME = Client(id=CLIENT)
KNOWN = known_providers()


def visit(address: str) -> str:
    """As the browser of somebody who agrees at once; gives the last page's words."""
    with urllib.request.urlopen(address, timeout=5) as page:
        return page.read().decode()


def landed(address: str) -> str:
    """The address that such a browser ends on, on a machine where nobody listens."""

    class Stays(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *args: object) -> None:
            return None

    with pytest.raises(HTTPError) as found:
        urllib.request.build_opener(Stays).open(address, timeout=5)
    with found.value:
        return str(found.value.headers["Location"])


# By a device code.


def test_a_code_is_shown_and_asked_about_until_consent_is_given(office: AuthorisationServer) -> None:
    office.pending = ["authorization_pending", "slow_down", "authorization_pending"]
    shown: list[Code] = []
    pauses: list[float] = []
    told = by_device(find_provider(office.url), ME, shown.append, sleep=pauses.append)
    assert (shown[0].user_code, shown[0].where) == ("HERON-44", f"{office.url}/enter")
    assert pauses == [5, 5, 10, 10]  # slower for good, once we are told so
    assert told["refresh_token"] in office.refresh


def test_a_provider_out_of_order_for_a_while_loses_no_code(office: AuthorisationServer) -> None:
    office.broken = 2
    pauses: list[float] = []
    assert by_device(find_provider(office.url), ME, lambda code: None, sleep=pauses.append)["access_token"]
    assert pauses == [5, 10, 20]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        ("access_denied", "you said no there"),
        ("expired_token", "nobody gave consent in time; begin again"),
        ("invalid_scope", "look again at what is to be registered"),
        ("strange_day", "it says strange_day"),
    ],
)
def test_what_the_provider_says_no_with_is_told_in_words(office: AuthorisationServer, error: str, words: str) -> None:
    office.refuses = error
    with pytest.raises(ProviderRefused, match=words):
        by_device(find_provider(office.url), ME, lambda code: None, sleep=lambda seconds: None)


def test_a_code_that_nobody_enters_is_given_up(office: AuthorisationServer) -> None:
    office.pending, office.interval = ["authorization_pending"] * 20, 100
    seconds = 0.0

    def sleep(length: float) -> None:
        nonlocal seconds
        seconds += length

    with pytest.raises(ProviderRefused, match="nobody gave consent in time"):
        by_device(find_provider(office.url), ME, lambda code: None, sleep=sleep, clock=lambda: seconds)
    assert seconds == 900


# In a browser.


def test_consent_comes_back_from_the_browser_to_a_port_of_ours(office: AuthorisationServer) -> None:
    pages: list[str] = []

    def browse(address: str) -> None:
        threading.Thread(target=lambda: pages.append(visit(address))).start()

    with Path(os.devnull).open(encoding="utf-8") as nobody:
        told = by_browser(find_provider(office.url), ME, browse, pages.append, typed=nobody)
    assert told["access_token"] in office.access
    page, form = office.asked[-1]
    assert (page, form["grant_type"]) == ("token", "authorization_code")
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(5)
    assert "Thank you" in pages[0]


def test_the_last_address_of_a_browser_elsewhere_can_be_pasted(office: AuthorisationServer) -> None:
    reading, writing = os.pipe()
    said: list[str] = []

    def browse(address: str) -> None:
        with os.fdopen(writing, "w") as typing:
            typing.write(f"what do you mean?\n{landed(address)}\n")

    with os.fdopen(reading) as typed:
        told = by_browser(find_provider(office.url), ME, browse, said.append, typed=typed)
    assert told["access_token"] in office.access
    assert said == ["that is not the address your browser ended on after you agreed: it has code= and state= in it"]


def test_a_refusal_in_the_browser_ends_the_waiting(office: AuthorisationServer) -> None:
    office.refuses = "access_denied"
    pages: list[str] = []

    def browse(address: str) -> None:
        threading.Thread(target=lambda: pages.append(visit(address)), daemon=True).start()

    with Path(os.devnull).open(encoding="utf-8") as nobody, pytest.raises(ProviderRefused, match="you said no there"):
        by_browser(find_provider(office.url), ME, browse, pages.append, typed=nobody)


def test_the_hash_goes_ahead_and_what_it_is_of_follows(office: AuthorisationServer) -> None:
    assert challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk") == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    errand = Errand(find_provider(office.url), ME, "http://127.0.0.1:1/")
    there = landed(errand.address)
    thief = Errand(errand.provider, ME, errand.redirect, state=errand.state)
    with pytest.raises(ProviderRefused, match="begin again"):
        thief.tokens(there)


@pytest.mark.parametrize(
    "landing",
    ["", "http://127.0.0.1:1/?code=1", "http://127.0.0.1:1/?code=1&state=guessed", "/?state=STATE", "/favicon.ico"],
)
def test_an_answer_that_was_not_asked_for_is_not_taken(office: AuthorisationServer, landing: str) -> None:
    errand = Errand(find_provider(office.url), ME, "http://127.0.0.1:1/")
    with pytest.raises(WrongAddress):
        errand.code(landing.replace("STATE", errand.state))
    with pytest.raises(WrongAddress):
        errand.code(f"/?code=1&state={errand.state}&iss=https://elsewhere.example")


# Providers.


def test_a_client_with_a_secret_names_itself_as_the_provider_wants_it(office: AuthorisationServer) -> None:
    office.secret = SECRET
    provider = find_provider(office.url)
    by_device(provider, Client(id=CLIENT, secret=SecretStr(SECRET)), lambda code: None, sleep=lambda seconds: None)
    with pytest.raises(ProviderRefused, match="check --client-id and --client-secret"):
        by_device(provider, ME, lambda code: None, sleep=lambda seconds: None)


def test_a_provider_may_publish_itself_under_either_name(office: AuthorisationServer) -> None:
    office.metadata = "/.well-known/oauth-authorization-server"
    assert find_provider(office.url + "/").token_endpoint == f"{office.url}/token"
    office.metadata = "/nowhere"
    with pytest.raises(BadProvider, match="publishes nothing about itself"):
        find_provider(office.url)


def test_nobody_speaks_for_another_provider(office: AuthorisationServer) -> None:
    url, office.url = office.url, "https://elsewhere.example"
    with pytest.raises(BadProvider, match=r"is about https://elsewhere\.example; use that URL"):
        find_provider(url)


def test_secrets_go_nowhere_unencrypted() -> None:
    with pytest.raises(BadProvider, match="not an https address"):
        find_provider("http://login.club.example")
    with pytest.raises(BadProvider, match="name google, microsoft, or the URL"):
        find_provider("gogle")


def test_a_consent_that_cannot_be_renewed_is_none(office: AuthorisationServer, clock) -> None:
    provider = find_provider(office.url, ["openid"])
    told = by_device(provider, ME, lambda code: None, sleep=lambda seconds: None)
    with pytest.raises(NoRefreshToken, match="offline_access"):
        new_consent(provider, ME, told, clock())


def test_what_is_asked_of_the_large_providers_is_what_they_document() -> None:
    google, microsoft = KNOWN["google"], KNOWN["microsoft"]
    asked = {
        name: values[0]
        for name, values in parse_qs(urlsplit(Errand(google, ME, "http://127.0.0.1:9/").address).query).items()
    }
    assert (asked["scope"], asked["access_type"], asked["prompt"]) == ("https://mail.google.com/", "offline", "consent")
    assert not google.device_authorization_endpoint
    assert microsoft.device_authorization_endpoint
    assert set(microsoft.scopes) == {
        "https://outlook.office.com/IMAP.AccessAsUser.All",
        "https://outlook.office.com/SMTP.Send",
        "offline_access",
    }
    for provider in KNOWN.values():
        told = " ".join(provider.to_register)
        assert all(scope.rpartition("/")[2] in told for scope in provider.scopes)
        assert provider.imap
        assert provider.smtp
