"""The inbox: fetching mail by IMAP and storing it before anything else happens to it."""

from pbem.inbox.check import mailbox_check
from pbem.inbox.inbox import Inbox
from pbem.inbox.storing import store, store_new

__all__ = ["Inbox", "mailbox_check", "store", "store_new"]
