"""Trying the mail settings out before anything depends on them, and what the provider writes on the mails there."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from email.message import EmailMessage
from email.parser import BytesHeaderParser

from aiosmtplib import SMTPSenderRefused
from imapclient import IMAPClient

from pbem.house.settings import Mailbox, Relay, Settings
from pbem.inbox.connecting import connect, hang_up, open_folder
from pbem.inbox.inbox import TROUBLES
from pbem.letters.headers import INCOMING
from pbem.mail_servers.oauth.consent_keeper import ConsentKeeper, keeper_of
from pbem.mail_servers.server import in_words
from pbem.outbox import transport
from pbem.outbox.verp import envelope_sender

TIMEOUT = 15  # seconds: somebody is watching
MOST = 50  # mails whose headers are looked at


def mailbox_check(settings: Settings) -> list[str]:
    """What is wrong with the mailbox and the relay, a sentence each; nothing if both work."""
    mailbox, relay, consent = settings.mailbox, settings.relay, keeper_of(settings)
    found: list[str] = []
    if mailbox is not None:
        found += _mailbox(mailbox, consent)
    elif relay is not None:
        found.append("mailbox: a relay is set but no mailbox, so that orders come in by `pbem serve --lmtp` alone")
    if relay is not None:
        found += asyncio.run(_relay(relay, settings.address, consent))
    elif mailbox is not None:
        found.append("relay: a mailbox is set but no relay, so that no answer could go out")
    return found


def _mailbox(mailbox: Mailbox, consent: ConsentKeeper | None) -> list[str]:
    try:
        with _opened(mailbox, consent):
            return []
    except TROUBLES as problem:
        return [in_words(mailbox, problem)]


async def _relay(relay: Relay, address: str, consent: ConsentKeeper | None) -> list[str]:
    """Whether we can log in there and send from our address."""
    try:
        smtp = await transport.connect(relay, consent, TIMEOUT)
        try:
            await transport.say_sender(smtp, envelope_sender(address, "0" * 32))
            await smtp.execute_command(b"QUIT")
        finally:
            transport.hang_up(smtp)
    except SMTPSenderRefused as refusal:
        return [str(transport.refused(relay, address, refusal))]
    except transport.TROUBLES as problem:
        return [in_words(relay, problem)]
    return []


def recent_heads(mailbox: Mailbox, consent: ConsentKeeper | None = None) -> list[EmailMessage]:
    """The headers of the mails that came last, newest first; nothing is marked as read. Raises what `connect` does."""
    with _opened(mailbox, consent) as client:
        uids = sorted(client.search("UNDELETED"))[-MOST:]
        found = client.fetch(uids, ["BODY.PEEK[HEADER]"]) if uids else {}
    read = BytesHeaderParser(policy=INCOMING).parsebytes
    heads = (read(raw) for uid in sorted(found, reverse=True) if (raw := found[uid].get(b"BODY[HEADER]")))
    return [head for head in heads if isinstance(head, EmailMessage)]


@contextmanager
def _opened(mailbox: Mailbox, consent: ConsentKeeper | None) -> Iterator[IMAPClient]:
    client = connect(mailbox, consent, TIMEOUT)
    try:
        open_folder(client, mailbox)
        yield client
    finally:
        hang_up(client)
