"""Trying the relay out before anything depends on it."""

import asyncio
import ssl

from aiosmtplib import SMTPSenderRefused

from pbem.house.settings import Relay
from pbem.mail_servers.oauth.consent_keeper import ConsentKeeper
from pbem.mail_servers.server import in_words
from pbem.outbox.transport import TROUBLES, connect, hang_up, refused, say_sender, server_of
from pbem.outbox.verp import envelope_sender

TIMEOUT = 15  # seconds: somebody is watching


def relay_check(
    relay: Relay, address: str, context: ssl.SSLContext | None = None, consent: ConsentKeeper | None = None
) -> list[str]:
    """What is wrong with the relay, in words; nothing if we can log in and send from our address."""
    return asyncio.run(_check(relay, address, context, consent))


async def _check(
    relay: Relay, address: str, context: ssl.SSLContext | None, consent: ConsentKeeper | None
) -> list[str]:
    try:
        smtp = await connect(relay, context, timeout=TIMEOUT, consent=consent)
        try:
            await say_sender(smtp, envelope_sender(address, "0" * 32))
            await smtp.execute_command(b"QUIT")
        finally:
            hang_up(smtp)
    except SMTPSenderRefused as refusal:
        return [str(refused(relay, address, refusal))]
    except TROUBLES as problem:
        return [in_words(server_of(relay), problem)]
    return []
