"""Trying the mail settings out before anything depends on them."""

import ssl

from pbem.house.settings import Mailbox, Settings
from pbem.inbox.connecting import connect, hang_up, open_folder, server_of
from pbem.inbox.inbox import TROUBLES
from pbem.mail_servers.oauth.consent_keeper import ConsentKeeper, keeper_of
from pbem.mail_servers.server import in_words
from pbem.outbox.relay_check import relay_check

TIMEOUT = 15  # seconds: somebody is watching


def mailbox_check(settings: Settings, context: ssl.SSLContext | None = None) -> list[str]:
    """What is wrong with the mailbox and the relay, a sentence each; nothing if both work."""
    found: list[str] = []
    consent = keeper_of(settings)
    if settings.mailbox is None and settings.relay is not None:
        found.append("mailbox: a relay is set but no mailbox, so that no order could come in")
    if settings.relay is None and settings.mailbox is not None:
        found.append("relay: a mailbox is set but no relay, so that no answer could go out")
    if settings.mailbox is not None:
        found += _mailbox(settings.mailbox, context, consent)
    if settings.relay is not None:
        found += relay_check(settings.relay, settings.address, context, consent)
    return found


def _mailbox(mailbox: Mailbox, context: ssl.SSLContext | None, consent: ConsentKeeper | None) -> list[str]:
    try:
        client = connect(mailbox, context, timeout=TIMEOUT, consent=consent)
        try:
            open_folder(client, mailbox)
            if mailbox.done_folder and not client.folder_exists(mailbox.done_folder):
                client.create_folder(mailbox.done_folder)
        finally:
            hang_up(client)
    except TROUBLES as problem:
        return [in_words(server_of(mailbox), problem)]
    return []
