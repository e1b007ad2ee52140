"""Opening a mailbox: the connection, the login, the folder."""

import ssl
from contextlib import suppress

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError, LoginError

from pbem.house.settings import Mailbox
from pbem.mail_servers.oauth.consent_keeper import ConsentKeeper
from pbem.mail_servers.oauth.sasl import BearerLogin
from pbem.mail_servers.oauth.troubles import NoConsent
from pbem.mail_servers.server import LoginRefused, NoStartTls, NoSuchFolder, TokenRefused, must_be_safe

PATIENCE = 30  # seconds that a server may take for an answer


def connect(mailbox: Mailbox, consent: ConsentKeeper | None = None, timeout: float = PATIENCE) -> IMAPClient:
    """A client that is logged in; a token that is refused is renewed once. Raises the troubles, or imapclient's errors.

    With a consent, also OAuthTrouble. The folder for mail that is dealt with is made if it is not there.
    """
    if mailbox.login == "password":
        return _connected(mailbox, timeout)
    if consent is None:
        raise NoConsent
    token = consent.access()
    try:
        return _connected(mailbox, timeout, token)
    except TokenRefused:
        return _connected(mailbox, timeout, consent.access(rejected=token))


def _connected(mailbox: Mailbox, timeout: float, token: str = "") -> IMAPClient:
    must_be_safe(mailbox)
    context, tls = ssl.create_default_context(), mailbox.security == "tls"
    client = IMAPClient(mailbox.host, mailbox.port, ssl=tls, ssl_context=context, timeout=timeout)
    try:
        if mailbox.security == "starttls":
            _start_tls(client, context, mailbox)
        if mailbox.login == "oauth":
            _log_in_by_token(client, mailbox, token)
        else:
            client.login(mailbox.user, mailbox.password.get_secret_value())
        if mailbox.done_folder and not client.folder_exists(mailbox.done_folder):
            client.create_folder(mailbox.done_folder)
    except LoginError as refusal:
        hang_up(client)
        raise LoginRefused(mailbox, said=str(refusal)) from None
    except BaseException:
        hang_up(client)
        raise
    return client


def _log_in_by_token(client: IMAPClient, mailbox: Mailbox, token: str) -> None:
    offered = [name.decode("ascii", "replace").upper() for name in client.capabilities()]
    login = BearerLogin.of(mailbox, token, [name[5:] for name in offered if name.startswith("AUTH=")])
    try:
        client.sasl_login(login.mechanism, login)
    except LoginError as refusal:
        raise TokenRefused(mailbox, said=login.refusal or str(refusal)) from None


def _start_tls(client: IMAPClient, context: ssl.SSLContext, mailbox: Mailbox) -> None:
    try:
        client.starttls(context)
    except IMAPClientError:
        raise NoStartTls(mailbox) from None


def open_folder(client: IMAPClient, mailbox: Mailbox) -> dict[bytes, object]:
    """Selects the folder that orders come to. Raises NoSuchFolder."""
    try:
        found: dict[bytes, object] = client.select_folder(mailbox.folder)
    except IMAPClientError:
        if client.folder_exists(mailbox.folder):
            raise
        there = ", ".join(sorted(str(name) for _, _, name in client.list_folders())) or "none"
        raise NoSuchFolder(mailbox, folder=mailbox.folder, folders=there) from None
    return found


def hang_up(client: IMAPClient) -> None:
    """Ends a connection whatever its state."""
    with suppress(OSError, IMAPClientError):  # it may be dead already
        client.shutdown()
