"""Opening a mailbox: the connection, the login, the folder."""

import ssl
from contextlib import suppress

from imapclient import IMAPClient
from imapclient.exceptions import CapabilityError, IMAPClientError, LoginError

from pbem.house.settings import Mailbox
from pbem.mail_servers.server import LoginRefused, NoStartTls, NoSuchFolder, Server, must_be_safe

PATIENCE = 30  # seconds that a server may take for an answer


def server_of(mailbox: Mailbox) -> Server:
    return Server("mailbox", mailbox.host, mailbox.port, mailbox.security, mailbox.user)


def connect(mailbox: Mailbox, context: ssl.SSLContext | None = None, timeout: float = PATIENCE) -> IMAPClient:
    """A client that is logged in. Raises the troubles, OSError, or imapclient's errors."""
    server = server_of(mailbox)
    must_be_safe(server)
    context = context or ssl.create_default_context()
    tls = mailbox.security == "tls"
    client = IMAPClient(mailbox.host, mailbox.port, ssl=tls, ssl_context=context, timeout=timeout)
    try:
        if mailbox.security == "starttls":
            _start_tls(client, context, server)
        try:
            client.login(mailbox.user, mailbox.password.get_secret_value())
        except LoginError as refusal:
            raise LoginRefused(server, said=str(refusal)) from None
    except BaseException:
        hang_up(client)
        raise
    return client


def _start_tls(client: IMAPClient, context: ssl.SSLContext, server: Server) -> None:
    try:
        client.starttls(context)
    except (CapabilityError, IMAPClientError):
        raise NoStartTls(server) from None


def open_folder(client: IMAPClient, mailbox: Mailbox) -> dict[bytes, object]:
    """Selects the folder that orders come to. Raises NoSuchFolder."""
    try:
        found: dict[bytes, object] = client.select_folder(mailbox.folder)
    except IMAPClientError:
        if client.folder_exists(mailbox.folder):
            raise
        there = ", ".join(sorted(str(name) for _, _, name in client.list_folders())) or "none"
        raise NoSuchFolder(server_of(mailbox), folder=mailbox.folder, folders=there) from None
    return found


def hang_up(client: IMAPClient) -> None:
    """Ends a connection whatever its state."""
    with suppress(OSError, IMAPClientError):  # it may be dead already
        client.shutdown()
