"""The embedded IMAP server: pymap's protocol over our accounts and folders."""

from argparse import Namespace
from asyncio import CancelledError, StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import NoReturn

from proxyprotocol.reader import ProxyProtocolReader
from proxyprotocol.sock import SocketInfo
from pymap.backend.session import BaseSession
from pymap.config import BackendCapability, IMAPConfig
from pymap.exceptions import AuthorizationFailure, InvalidAuth, NotAllowedError
from pymap.imap import IMAPServer
from pymap.interfaces.login import IdentityInterface, LoginInterface
from pymap.token import AllTokens
from pysasl.creds.server import ServerCredentials
from pysasl.hashing import Cleartext
from pysasl.identity import Identity as Claimed

from pbem.embedded.mailboxes import MailFolders, Message, Rooms
from pbem.store import mail_address


class Config(IMAPConfig):
    """pymap's settings: no TLS, as nobody but this machine can connect."""

    backend_capability = BackendCapability(idle=True, object_id=False, multi_append=True)
    greeting = b"Fieldpost's embedded mailboxes"

    def __init__(self) -> None:
        nothing = Namespace(passlib_cfg=None, proxy_protocol=None)
        super().__init__(
            nothing, host="127.0.0.1", port=0, tls_enabled=False, hash_context=Cleartext(), invalid_user_sleep=0
        )


class Session(BaseSession[Message]):
    def __init__(self, owner: str, config: Config, folders: MailFolders) -> None:
        super().__init__(owner)
        self._config, self._folders = config, folders

    @property
    def config(self) -> Config:
        return self._config

    @property
    def mailbox_set(self) -> MailFolders:
        return self._folders


class Owner(Claimed, IdentityInterface):
    """Somebody who says that an address is his: whether it is, his password shows."""

    name, authcid, roles = "", "", frozenset[str]()

    def __init__(self, name: str, config: Config, rooms: Rooms) -> None:
        self.name = self.authcid = mail_address(name)
        self._config, self._rooms = config, rooms

    def compare_authcid(self, authcid: str) -> bool:
        return mail_address(authcid) == self.name

    def compare_secret(self, secret: str) -> bool:
        return self._rooms.accounts.admits(self.name, secret)

    def get_clear_secret(self) -> None:
        return None

    @asynccontextmanager
    async def new_session(self) -> AsyncIterator[Session]:
        yield Session(self.name, self._config, self._rooms.of(self.name))

    async def _not_here(self, *_: object, **__: object) -> NoReturn:
        """What pymap's own administration would ask for."""
        raise NotAllowedError("accounts are kept by the moderator")

    new_token = get = set = delete = _not_here


class Login(LoginInterface):
    def __init__(self, config: Config, rooms: Rooms) -> None:
        self._config, self._rooms = config, rooms

    @property
    def tokens(self) -> AllTokens:
        return AllTokens(self._config)

    async def authenticate(self, credentials: ServerCredentials) -> Owner:
        owner = Owner(credentials.authcid, self._config, self._rooms)
        if not credentials.verify(owner):
            raise InvalidAuth()
        return owner

    async def authorize(self, authenticated: IdentityInterface, authzid: str) -> Owner:
        if mail_address(authzid) != authenticated.name:
            raise AuthorizationFailure()
        return Owner(authzid, self._config, self._rooms)


def imap_call(rooms: Rooms) -> Callable[[StreamReader, StreamWriter], Awaitable[None]]:
    """What is called for every connection; must be made in the loop that serves it."""
    config = Config()
    config.apply_context()
    server = IMAPServer(Login(config, rooms), config)

    async def answer(reader: StreamReader, writer: StreamWriter, who: SocketInfo) -> None:
        with suppress(CancelledError, ConnectionError, EOFError):  # one who hangs up in the middle of a word is no news
            await server(reader, writer, who)

    return ProxyProtocolReader(config.proxy_protocol).get_callback(answer)
