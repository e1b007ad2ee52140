"""The embedded mail servers: any mail client on this machine can play, with no provider in between."""

from pbem.embedded.accounts import Accounts, NoSuchAccount
from pbem.embedded.servers import EmbeddedServers, PortTaken, post_folder

__all__ = ["Accounts", "EmbeddedServers", "NoSuchAccount", "PortTaken", "post_folder"]
