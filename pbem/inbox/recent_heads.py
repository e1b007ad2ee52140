"""The headers of the mails that came last, for whoever wants to know what the provider writes on them."""

import ssl
from email.message import EmailMessage
from email.parser import BytesHeaderParser

from pbem.house.settings import Mailbox
from pbem.inbox.connecting import connect, hang_up, open_folder
from pbem.letters.headers import INCOMING
from pbem.mail_servers.oauth.consent_keeper import ConsentKeeper

MOST = 50  # mails
TIMEOUT = 15  # seconds: somebody is watching


def recent_heads(
    mailbox: Mailbox, context: ssl.SSLContext | None = None, consent: ConsentKeeper | None = None
) -> list[EmailMessage]:
    """Newest first; nothing is marked as read. Raises what `connect` does."""
    client = connect(mailbox, context, timeout=TIMEOUT, consent=consent)
    try:
        open_folder(client, mailbox)
        uids = sorted(client.search("UNDELETED"))[-MOST:]
        found = client.fetch(uids, ["BODY.PEEK[HEADER]"]) if uids else {}
    finally:
        hang_up(client)
    read = BytesHeaderParser(policy=INCOMING).parsebytes
    heads = (read(raw) for uid in sorted(found, reverse=True) if (raw := found[uid].get(b"BODY[HEADER]")))
    return [head for head in heads if isinstance(head, EmailMessage)]
