"""An owner's folders as pymap wants to see them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote, unquote

from pymap.backend.mailbox import MailboxDataInterface, MailboxSetInterface
from pymap.concurrent import Event
from pymap.flags import FlagOp
from pymap.interfaces.message import CachedMessage
from pymap.listtree import ListTree
from pymap.mailbox import MailboxSnapshot
from pymap.message import BaseLoadedMessage, BaseMessage
from pymap.mime import MessageContent
from pymap.parsing.message import AppendMessage
from pymap.parsing.specials import FetchRequirement, ObjectId
from pymap.parsing.specials.flag import Flag
from pymap.selected import SelectedMailbox, SelectedSet

from pbem.embedded.accounts import Accounts
from pbem.embedded.letterbox import LETTERS, Letterbox, Slip

KEPT = frozenset(Flag(flag) for flag in LETTERS)


class Message(BaseMessage):
    """A letter in a folder; its content is read from disk when somebody asks for it."""

    __slots__ = ("_letterbox",)

    def __init__(self, letterbox: Letterbox, uid: int) -> None:
        slip = letterbox.slips.get(uid, Slip(uid, 0))
        when, flags = datetime.fromtimestamp(slip.when, UTC), map(Flag, slip.flags)
        super().__init__(uid, when, flags, expunged=uid not in letterbox.slips)
        self._letterbox = letterbox

    async def load_content(self, requirement: FetchRequirement) -> BaseLoadedMessage:
        content = None
        if not requirement.has_none(FetchRequirement.CONTENT):
            with suppress(KeyError, FileNotFoundError):  # it is gone in the meantime
                content = MessageContent.parse(self._letterbox.read(self.uid))
        return BaseLoadedMessage(self, requirement, content)


class MailFolder(MailboxDataInterface[Message]):
    """One folder. Every change is noted in order, so that a session learns only of what is new to it."""

    readonly, permanent_flags = False, KEPT
    mailbox_id, uid_validity, selected_set = ObjectId(), 0, SelectedSet()  # each folder has its own

    def __init__(self, path: Path) -> None:
        self.letterbox = Letterbox(path)
        self.mailbox_id, self.uid_validity = ObjectId.random_mailbox_id(), self.letterbox.validity
        self.selected_set = SelectedSet()
        self._changed: list[int] = []
        self._stirred = Event.for_asyncio()

    def note(self, *uids: int) -> None:
        """Something happened to these letters: sessions that wait are told."""
        self._changed.extend(uids)
        self._stirred.set()
        self._stirred.clear()

    async def update_selected(self, selected: SelectedMailbox, *, wait_on: Event | None = None) -> SelectedMailbox:
        known, here = selected.mod_sequence, self.letterbox.slips
        if wait_on is not None and known == len(self._changed) and not wait_on.is_set():
            await wait_on.or_event(self._stirred).wait()
        selected.mod_sequence = len(self._changed)
        changed = list(here) if known is None else sorted(set(self._changed[known:]))
        messages = [Message(self.letterbox, uid) for uid in changed if uid in here]
        selected.add_updates(messages, [uid for uid in changed if uid not in here])
        return selected

    async def append(self, append_msg: AppendMessage, *, recent: bool = False) -> Message:
        when = append_msg.when.timestamp() if append_msg.when else None
        uid = self.letterbox.deliver(append_msg.literal, _names(append_msg.flag_set), when)
        self.note(uid)
        return Message(self.letterbox, uid)

    async def copy(self, uid: int, destination: MailFolder, *, recent: bool = False) -> int | None:
        return self._put_into(destination, uid, keep=True)

    async def move(self, uid: int, destination: MailFolder, *, recent: bool = False) -> int | None:
        return self._put_into(destination, uid, keep=False)

    def _put_into(self, other: MailFolder, uid: int, *, keep: bool) -> int | None:
        if uid not in self.letterbox.slips:
            return None
        new = self.letterbox.put_into(other.letterbox, uid, keep=keep)
        other.note(new)
        if not keep:
            self.note(uid)
        return new

    async def get(self, uid: int, cached_msg: CachedMessage) -> Message:
        return Message(self.letterbox, uid)

    async def update(self, uid: int, cached_msg: CachedMessage, flag_set: frozenset[Flag], mode: FlagOp) -> Message:
        message = Message(self.letterbox, uid)
        flags = mode.apply(message.permanent_flags, flag_set)
        if flags != message.permanent_flags and not message.expunged:
            self.letterbox.mark(uid, _names(flags))
            self.note(uid)
        return Message(self.letterbox, uid)

    async def delete(self, uids: Iterable[int]) -> None:
        gone = [uid for uid in uids if uid in self.letterbox.slips]
        for uid in gone:
            self.letterbox.remove(uid)
        self.note(*gone)

    async def claim_recent(self, selected: SelectedMailbox) -> None:
        """\\Recent is not kept: no client needs it, and IMAP has dropped it."""

    async def cleanup(self) -> None:
        """Nothing is left lying about."""

    async def snapshot(self) -> MailboxSnapshot:
        slips = self.letterbox.slips.values()
        unseen = [n for n, slip in enumerate(slips, 1) if "\\Seen" not in slip.flags]
        return MailboxSnapshot(
            *(self.mailbox_id, self.readonly, self.uid_validity, self.permanent_flags, self.session_flags),
            *(len(slips), 0, len(unseen), unseen[0] if unseen else None, self.letterbox.next_uid),
        )


class MailFolders(MailboxSetInterface[MailFolder]):
    """All folders of one owner: the inbox is his Maildir, the others are folders in it (Maildir++)."""

    delimiter = "/"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.inbox = MailFolder(path)
        self._others = {_name(folder): MailFolder(folder) for folder in sorted(path.glob(".*")) if folder.is_dir()}

    async def set_subscribed(self, name: str, subscribed: bool) -> None:
        """Everybody sees all of his folders."""

    async def list_subscribed(self) -> ListTree:
        return await self.list_mailboxes()

    async def list_mailboxes(self) -> ListTree:
        return ListTree(self.delimiter).update("INBOX", *self._others)

    async def get_mailbox(self, name: str) -> MailFolder:
        return self.inbox if name.upper() == "INBOX" else self._others[name]

    async def add_mailbox(self, name: str) -> ObjectId:
        if name in self._others:
            raise ValueError(name)
        self._others[name] = made = MailFolder(self.path / _folder(name))
        return made.mailbox_id

    async def delete_mailbox(self, name: str) -> None:
        del self._others[name]
        shutil.rmtree(self.path / _folder(name))

    async def rename_mailbox(self, before: str, after: str) -> None:
        if before.upper() == "INBOX":
            raise KeyError(before)  # it stays where mail is delivered
        tree = await self.list_mailboxes()
        if tree.get(before) is None:
            raise KeyError(before)
        if tree.get(after) is not None:
            raise ValueError(after)
        for old, new in tree.get_renames(before, after):
            if old in self._others:
                del self._others[old]
                (self.path / _folder(old)).rename(self.path / _folder(new))
                self._others[new] = MailFolder(self.path / _folder(new))


class Rooms:
    """Everybody's folders, opened once: all sessions of an owner see the same."""

    def __init__(self, folder: Path, accounts: Accounts) -> None:
        self.folder, self.accounts = folder, accounts
        self._open: dict[str, MailFolders] = {}

    def of(self, owner: str) -> MailFolders:
        if owner not in self._open:
            self._open[owner] = MailFolders(self.folder / owner.replace("/", "%2F"))
        return self._open[owner]


def _names(flags: Iterable[Flag]) -> list[str]:
    return [flag.value.decode("ascii", "replace") for flag in flags]


def _folder(name: str) -> str:
    """`Sent/2026` as Maildir++ has it; nothing a client sends leads out of the owner's folder."""
    return "." + ".".join(quote(part, safe=" ").replace(".", "%2E") for part in name.split("/"))


def _name(folder: Path) -> str:
    return "/".join(unquote(part) for part in folder.name[1:].split("."))
