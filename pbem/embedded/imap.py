"""The embedded IMAP server: pymap's protocol over our accounts and folders."""

from argparse import Namespace
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

from pymap.backend.session import BaseSession
from pymap.config import BackendCapability, IMAPConfig
from pymap.exceptions import AuthorizationFailure, InvalidAuth, NotAllowedError
from pymap.imap import IMAPServer
from pymap.interfaces.login import IdentityInterface, LoginInterface
from pymap.token import AllTokens
from pymap.user import UserMetadata
from pysasl.creds.server import ServerCredentials
from pysasl.hashing import Cleartext
from pysasl.identity import Identity as Claimed

from pbem.embedded.accounts import Accounts
from pbem.embedded.mailboxes import MailFolders, Message
from pbem.store import mail_address


class Rooms:
    """Everybody's folders, opened once: all sessions of an owner see the same."""

    def __init__(self, folder: Path, accounts: Accounts) -> None:
        self.folder, self.accounts = folder, accounts
        self._open: dict[str, MailFolders] = {}

    def of(self, owner: str) -> MailFolders:
        if owner not in self._open:
            self._open[owner] = MailFolders(self.folder / owner.replace("/", "%2F"))
        return self._open[owner]


class Config(IMAPConfig):
    """pymap's settings: no TLS, as nobody but this machine can connect."""

    backend_capability = BackendCapability(idle=True, object_id=False, multi_append=True)
    greeting = b"Fieldpost's embedded mailboxes"

    def __init__(self) -> None:
        nothing = Namespace(passlib_cfg=None, proxy_protocol=None)
        super().__init__(
            nothing, host="127.0.0.1", port=0, tls_enabled=False, hash_context=Cleartext(), invalid_user_sleep=0
        )


class Caller(Claimed):
    """Somebody who says he is the owner of an address."""

    __slots__ = ("_accounts", "_name")

    def __init__(self, accounts: Accounts, name: str) -> None:
        self._accounts, self._name = accounts, name

    @property
    def authcid(self) -> str:
        return self._name

    def compare_authcid(self, authcid: str) -> bool:
        return mail_address(authcid) == self._name

    def compare_secret(self, secret: str) -> bool:
        return self._accounts.admits(self._name, secret)

    def get_clear_secret(self) -> None:
        return None


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


class Owner(IdentityInterface):
    """Somebody who is the owner of an address."""

    roles = frozenset[str]()

    def __init__(self, name: str, config: Config, rooms: Rooms) -> None:
        self._name, self._config, self._rooms = name, config, rooms

    @property
    def name(self) -> str:
        return self._name

    @asynccontextmanager
    async def new_session(self) -> AsyncIterator[Session]:
        yield Session(self.name, self._config, self._rooms.of(self.name))

    async def new_token(self, *, expiration: datetime | None = None) -> str | None:
        return None

    async def get(self) -> UserMetadata:
        return UserMetadata(self._config, self.name)

    async def set(self, metadata: UserMetadata) -> int | None:
        raise NotAllowedError("accounts are kept by the moderator")

    async def delete(self) -> None:
        raise NotAllowedError("accounts are kept by the moderator")


class Login(LoginInterface):
    def __init__(self, config: Config, rooms: Rooms) -> None:
        self._config, self._rooms = config, rooms
        self._tokens = AllTokens(config)

    @property
    def tokens(self) -> AllTokens:
        return self._tokens

    async def authenticate(self, credentials: ServerCredentials) -> Owner:
        name = mail_address(credentials.authcid)
        if not credentials.verify(Caller(self._rooms.accounts, name)):
            raise InvalidAuth()
        return Owner(name, self._config, self._rooms)

    async def authorize(self, authenticated: IdentityInterface, authzid: str) -> Owner:
        if mail_address(authzid) != authenticated.name:
            raise AuthorizationFailure()
        return Owner(authenticated.name, self._config, self._rooms)


def imap_server(rooms: Rooms) -> IMAPServer:
    """What is called for every connection; must be made in the loop that serves it."""
    config = Config()
    config.apply_context()
    return IMAPServer(Login(config, rooms), config)
