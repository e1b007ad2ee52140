"""Asking the owner of a mailbox for his consent at the terminal: what to register, where to agree, what came of it."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

import typer
from pydantic import SecretStr

from pbem.cli.terminal import CannotDo, say, wrapped
from pbem.house import now
from pbem.mail_servers.oauth.clients import Client
from pbem.mail_servers.oauth.code_flow import by_browser
from pbem.mail_servers.oauth.consent_file import FILE, Consent, load_consent, new_consent, store_consent
from pbem.mail_servers.oauth.device_flow import Code, by_device
from pbem.mail_servers.oauth.providers import Provider
from pbem.mail_servers.oauth.troubles import NoConsent

FLOWS = ("device", "browser")


def ask_consent(provider: Provider, home: Path, client_id: str, client_secret: str, flow: str) -> Consent:
    """Consent asked for in the way that the provider allows, and kept. Raises CannotDo, OAuthTrouble."""
    way = _way(provider, flow)
    client = _client(provider, home / FILE, client_id, client_secret)
    told = by_device(provider, client, _show_code) if way == "device" else by_browser(provider, client, _show, say)
    consent = new_consent(provider, client, told, now())
    store_consent(home / FILE, consent)
    say(f"{provider.title} lets us in. The token lies in {home / FILE}, for your eyes only, and is renewed by itself.")
    if consent.ends is not None:
        say(f"Consent ends on {_day(consent.ends)}; the moderator is told before.")
    return consent


def _way(provider: Provider, flow: str) -> str:
    ways = {"device": provider.device_authorization_endpoint, "browser": provider.authorization_endpoint}
    if flow and flow not in ways:
        raise CannotDo(f"there is no flow {flow!r}; there is {' or '.join(FLOWS)}")
    found = flow or next(way for way in FLOWS if ways[way])
    if not ways[found]:
        raise CannotDo(f"{provider.title} gives no consent to a mailbox by --flow {found}; leave it out")
    return found


def _client(provider: Provider, path: Path, client_id: str, client_secret: str) -> Client:
    """As given, as registered for the last consent, or asked for now that it is told what to register."""
    if not client_id:
        try:
            before = load_consent(path)
        except NoConsent:
            before = None
        if before is not None and before.provider.name == provider.name:
            return before.client
        tell_what_to_register(provider.title, provider.to_register)
        client_id = typer.prompt("Client id").strip()
    if provider.wants_secret and not client_secret:
        client_secret = typer.prompt("Client secret", hide_input=True).strip()
    return Client(id=client_id, secret=SecretStr(client_secret))


def tell_what_to_register(title: str, steps: Sequence[str]) -> None:
    """Once for every service: the provider wants to know who asks."""
    say(f"{title} lets in only programs that are registered. That is done once, by you:")
    for number, step in enumerate(steps, 1):
        say(wrapped(f"{number}. {step}"))


def _show_code(code: Code) -> None:
    say(f"On any device, open {code.where} and enter the code {code.user_code}")
    if code.whole:
        say(f"(or open {code.whole}).")
    say(f"Log in there as the owner of the mailbox and agree. Waiting, for {code.life // 60} minutes at most ...")


def _show(address: str) -> None:
    say("Open this address in a browser, log in as the owner of the mailbox and agree:")
    say(f"  {address}")
    say("If the browser runs on another machine, the last page will not load: paste its address here. Waiting ...")


def _day(moment: datetime) -> str:
    return f"{moment.day} {moment:%B %Y}"
