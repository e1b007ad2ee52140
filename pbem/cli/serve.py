"""The daemon on the command line."""

import re
import sys
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from pbem.cli.acting import at_home, settings_in_force
from pbem.cli.terminal import CannotDo, say
from pbem.embedded import EmbeddedServers
from pbem.house import House
from pbem.house.alone import sole_server
from pbem.house.journal import keep_journal
from pbem.house.owner_only import close_to_others
from pbem.house.settings import Mailbox
from pbem.inbox.lmtp import LmtpInbox
from pbem.mail_servers.oauth.consent_keeper import keeper_of
from pbem.moderator.readdressing import everybody, opened
from pbem.service.serving import Daemon, stop_on_signals
from pbem.store import mail_address

WORKER = re.compile(r"[A-Za-z0-9-]{0,40}")


def serve(json: bool = False, boards: Path | None = None, worker: str = "", lmtp: str = "") -> None:
    """Serve games by mail until stopped: fetch, deal with, answer, keep the deadlines.

    Without a mailbox in the settings it runs mail servers of its own, on this machine only, and prints how to
    reach them; with --lmtp your own mail server brings the mail. Where the settings name a PostgreSQL, any number of
    workers may serve on any number of machines.

    Example: pbem serve
    """
    if find_spec("fcntl") is None:
        raise CannotDo("this system has no locks on files (Windows has none), so that games cannot be served here")
    if not WORKER.fullmatch(worker):
        raise CannotDo(f"{worker!r} names no worker: take a number, or letters and digits")
    with ExitStack() as stack:
        house = stack.enter_context(at_home(worker))
        if lmtp and house.settings.own_servers:
            raise CannotDo("with --lmtp mail is brought; the settings must name the [relay] that takes ours")
        if worker and (not house.cabinet.shared or house.settings.own_servers):
            raise CannotDo("workers share a PostgreSQL, a mailbox and a relay: the settings must name all three")
        stack.enter_context(sole_server(house))
        settings = house.settings
        close_to_others(settings.home, thoroughly=True)
        if boards is not None and not settings.boards_url:
            raise CannotDo("boards_url is not set, so that no letter could say where the boards are to be seen")
        house.boards = boards
        servers = stack.enter_context(EmbeddedServers(settings)) if settings.own_servers else None
        mailbox: Mailbox | LmtpInbox | None = settings.mailbox
        relay = settings.relay
        if servers is not None:
            mailbox, relay = servers.mailbox(), servers.relay()
        elif lmtp:
            mailbox = LmtpInbox(house, lmtp)
        if mailbox is None or relay is None:
            missing = "mailbox" if mailbox is None else "relay"
            raise CannotDo(f"the settings have no [{missing}], so mail would go one way only")
        keep_journal(settings, json=json)
        daemon = Daemon(house, mailbox, relay, keeper_of(settings_in_force()))
        stack.callback(stop_on_signals(daemon))
        daemon.run(lambda: _tell(house, servers))


def _tell(house: House, servers: EmbeddedServers | None) -> None:
    """Everything a person needs to set up a mail program."""
    if servers is not None:
        say("No mailbox is configured: mail stays on this machine, with servers of our own.")
        say(f"  SMTP  127.0.0.1, port {servers.smtp_port}, no encryption")
        say(f"  IMAP  127.0.0.1, port {servers.imap_port}, no encryption")
        new = dict(opened(house.settings, everybody(house)))
        for address in servers.accounts.addresses():
            if address in new:
                say(f"  {address}, password {new[address]} (shown this once)")
            elif address != mail_address(house.settings.address):
                say(f"  {address} (`pbem game mailbox {address}` gives a new password)")
    say(f"Serving {house.settings.address}. Ctrl-C stops it.")
    sys.stdout.flush()
