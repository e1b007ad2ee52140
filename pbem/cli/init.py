"""Setting the service up: the settings file with comments, consent where passwords are not taken, and a try-out."""

import os
from pathlib import Path
from typing import Any

import typer
from pydantic import SecretStr

from pbem.cli.acting import settings_in_force
from pbem.cli.terminal import NOT_ALL, CannotDo, say, wrapped
from pbem.gate.authentication import vouching
from pbem.house import now
from pbem.house.owner_only import close_to_others, is_shared, private_folder
from pbem.house.sample import sample_settings, with_authentication
from pbem.house.settings import settings_file
from pbem.inbox.mailbox_check import mailbox_check, recent_heads
from pbem.mail_servers.oauth.consent_flows import Code, by_browser, by_device
from pbem.mail_servers.oauth.consent_keeper import FILE, keeper_of, load_consent, new_consent, store_consent
from pbem.mail_servers.oauth.providers import Client, Provider, find_provider
from pbem.mail_servers.oauth.troubles import NoConsent


def init(
    address: str = "",
    moderator: str = "",
    imap: str = "",
    smtp: str = "",
    user: str = "",
    oauth: str = "",
    client_id: str = "",
    client_secret: str = "",
    scope: list[str] | None = None,
    flow: str = "",
    check: bool = False,
) -> None:
    """Write the settings file, with a comment on each setting, and try the mail servers out.

    Passwords come from the environment (PBEM_MAILBOX__PASSWORD, PBEM_RELAY__PASSWORD), or you write them into the
    file. Mailboxes of Google and Microsoft want consent instead: --oauth says what to register where, asks for it,
    and keeps it. With --oauth a settings file that is there stays as it is.

    Example: pbem init --address post@club.example --moderator me@club.example
    """
    place = settings_file()
    said = {"address": address, "moderator": moderator, "imap": imap, "smtp": smtp, "user": user}
    fresh = place if not check and not place.exists() else None
    if oauth and not check:
        provider = find_provider(oauth, scope or ())
        if not place.exists():
            _write(place, sample_settings(place.parent, _by_consent(provider, said)))
        _consented(provider, client_id, client_secret, flow)
    elif not check:
        if bool(imap) != bool(smtp):
            raise CannotDo("name both servers, --imap HOST and --smtp HOST, or neither")
        home = place.parent if not is_shared(place.parent) else Path("~/.fieldpost").expanduser()
        _write(place, sample_settings(home, said))
        close_to_others(private_folder(home))
        wanted = ("PBEM_MAILBOX__PASSWORD", "PBEM_RELAY__PASSWORD") if imap else ()
        missing = [name for name in wanted if not os.environ.get(name)]
        if missing:
            say(f"Put the password into it, or into {' and '.join(missing)}; then `pbem init --check` tries it out.")
            return
    _try_out()
    _propose(fresh)


def _by_consent(provider: Provider, said: dict[str, Any]) -> dict[str, Any]:
    """Settings for a mailbox that is opened by consent; the servers of a known provider need not be named."""
    if not said["address"]:
        raise CannotDo("name the mailbox that the service is to use: --address post@club.example")
    for name, known in (("imap", provider.imap), ("smtp", provider.smtp)):
        if known is not None:
            said |= {name: said[name] or known[0], f"{name}_at": known[1:]}
    if not said["imap"] or not said["smtp"]:
        raise CannotDo(f"the mail servers of {provider.title} are not known: name them, --imap HOST and --smtp HOST")
    return said | {"login": "oauth"}


def _write(place: Path, text: str) -> None:
    """A new file that nobody else may read. Raises CannotDo."""
    private_folder(place.parent)
    try:
        with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise CannotDo(
            f"there is a settings file at {place} already, and it stays; `pbem init --check` tries it"
        ) from None
    say(f"{place} is written, for your eyes only.")


def _propose(fresh: Path | None) -> None:
    """Who vouches for senders at the mailbox: put into a file that was written just now, else told."""
    settings = settings_in_force()
    if settings.mailbox is None:
        return
    found = vouching(recent_heads(settings.mailbox, consent=keeper_of(settings)))
    say(found.in_words())
    if not found.mails:
        say("Send a mail there from somewhere else; then `pbem init --check` finds out, and says what to set.")
    elif not found.is_better_than(settings.limits):
        return
    elif fresh is not None:
        fresh.write_text(with_authentication(fresh.read_text("utf-8"), found.policy, found.host), "utf-8")
        say(f"{fresh} says so now, under [limits]: orders are taken from senders who are proved, and from no others.")
    else:
        say(f"To have every sender checked by that, write into {settings_file()}, under [limits]:")
        say(found.settings())


def _try_out() -> None:
    settings = settings_in_force()
    if settings.own_servers:
        say("No mailbox is configured: `pbem serve` will run mail servers of its own, on this machine only.")
        return
    found = mailbox_check(settings)
    for problem in found:
        say(problem)
    if found:
        raise typer.Exit(NOT_ALL)
    say("The mailbox and the relay work.")


def _consented(provider: Provider, client_id: str, client_secret: str, flow: str) -> None:
    """Consent asked for in the way that the provider allows, and kept. Raises CannotDo, OAuthTrouble."""
    settings = settings_in_force()
    place, way = settings.home / FILE, _way(provider, flow)
    client = _client(provider, place, client_id, client_secret)
    told = by_device(provider, client, _show_code) if way == "device" else by_browser(provider, client, _show, say)
    consent = new_consent(provider, client, told, now())
    store_consent(place, consent)
    say(f"{provider.title} lets us in. The token lies in {place}, for your eyes only, and is renewed by itself.")
    if consent.ends is not None:
        say(f"Consent ends on {consent.ends.day} {consent.ends:%B %Y}; the moderator is told before.")
    servers = [server for server in (settings.mailbox, settings.relay) if server is not None]
    if others := [f"[{server.what}]" for server in servers if server.login != "oauth"]:
        say(f'To have it used, write login = "oauth" below {" and ".join(others)} in {settings_file()}.')


def _way(provider: Provider, flow: str) -> str:
    ways = {"device": provider.device_authorization_endpoint, "browser": provider.authorization_endpoint}
    if flow and flow not in ways:
        raise CannotDo(f"there is no flow {flow!r}; there is {' or '.join(ways)}")
    found = flow or next(way for way in ways if ways[way])
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
        # Once for every service: the provider wants to know who asks.
        say(f"{provider.title} lets in only programs that are registered. That is done once, by you:")
        for number, step in enumerate(provider.to_register, 1):
            say(wrapped(f"{number}. {step}"))
        client_id = typer.prompt("Client id").strip()
    if provider.wants_secret and not client_secret:
        client_secret = typer.prompt("Client secret", hide_input=True).strip()
    return Client(id=client_id, secret=SecretStr(client_secret))


def _show_code(code: Code) -> None:
    say(f"On any device, open {code.where} and enter the code {code.user_code}")
    if code.whole:
        say(f"(or open {code.whole}).")
    say(f"Log in there as the owner of the mailbox and agree. Waiting, for {code.life // 60} minutes at most ...")


def _show(address: str) -> None:
    say("Open this address in a browser, log in as the owner of the mailbox and agree:")
    say(f"  {address}")
    say("If the browser runs on another machine, the last page will not load: paste its address here. Waiting ...")
