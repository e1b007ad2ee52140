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
from pymap.parsing.specials.flag import Flag, Seen
from pymap.selected import SelectedMailbox, SelectedSet

from pbem.embedded.letterbox import LETTERS, Letterbox

KEPT = frozenset(Flag(flag) for flag in LETTERS)


class Message(BaseMessage):
    """A letter in a folder; its content is read from disk when somebody asks for it."""

    __slots__ = ("_letterbox",)

    def __init__(self, letterbox: Letterbox, uid: int, *, expunged: bool = False) -> None:
        slip = letterbox.slips.get(uid)
        when = datetime.fromtimestamp(slip.when if slip else 0, UTC)
        flags = [Flag(flag) for flag in slip.flags] if slip else []
        super().__init__(uid, when, flags, expunged=expunged)
        self._letterbox = letterbox

    async def load_content(self, requirement: FetchRequirement) -> BaseLoadedMessage:
        content = None
        if not requirement.has_none(FetchRequirement.CONTENT):
            with suppress(KeyError, FileNotFoundError):  # it is gone in the meantime
                content = MessageContent.parse(self._letterbox.read(self.uid))
        return BaseLoadedMessage(self, requirement, content)


class MailFolder(MailboxDataInterface[Message]):
    """One folder. Every change is noted in order, so that a session learns only of what is new to it."""

    readonly = False
    permanent_flags = KEPT

    def __init__(self, path: Path) -> None:
        self.letterbox = Letterbox(path)
        self._id = ObjectId.random_mailbox_id()
        self._selected = SelectedSet()
        self._messages = {uid: Message(self.letterbox, uid) for uid in self.letterbox.slips}
        self._changed: list[int] = []
        self._stirred = Event.for_asyncio()

    @property
    def mailbox_id(self) -> ObjectId:
        return self._id

    @property
    def uid_validity(self) -> int:
        return self.letterbox.validity

    @property
    def selected_set(self) -> SelectedSet:
        return self._selected

    def note(self, *uids: int) -> None:
        """Something happened to these letters: sessions that wait are told."""
        for uid in uids:
            if uid in self.letterbox.slips:
                self._messages[uid] = Message(self.letterbox, uid)
            else:
                self._messages.pop(uid, None)
        self._changed.extend(uids)
        self._stirred.set()
        self._stirred.clear()

    async def update_selected(self, selected: SelectedMailbox, *, wait_on: Event | None = None) -> SelectedMailbox:
        known = selected.mod_sequence
        if wait_on is not None and known == len(self._changed) and not wait_on.is_set():
            await wait_on.or_event(self._stirred).wait()
        selected.mod_sequence = len(self._changed)
        if known is None:
            selected.add_updates(list(self._messages.values()), [])
        else:
            changed = sorted(set(self._changed[known:]))
            here = [self._messages[uid] for uid in changed if uid in self._messages]
            selected.add_updates(here, [uid for uid in changed if uid not in self._messages])
        return selected

    async def append(self, append_msg: AppendMessage, *, recent: bool = False) -> Message:
        when = append_msg.when.timestamp() if append_msg.when else None
        uid = self.letterbox.deliver(append_msg.literal, _names(append_msg.flag_set), when)
        self.note(uid)
        return self._messages[uid]

    async def copy(self, uid: int, destination: MailFolder, *, recent: bool = False) -> int | None:
        if uid not in self.letterbox.slips:
            return None
        new = self.letterbox.copy(uid, destination.letterbox)
        destination.note(new)
        return new

    async def move(self, uid: int, destination: MailFolder, *, recent: bool = False) -> int | None:
        if uid not in self.letterbox.slips:
            return None
        new = self.letterbox.move(uid, destination.letterbox)
        self.note(uid)
        destination.note(new)
        return new

    async def get(self, uid: int, cached_msg: CachedMessage) -> Message:
        return self._messages.get(uid) or Message(self.letterbox, uid, expunged=True)

    async def update(self, uid: int, cached_msg: CachedMessage, flag_set: frozenset[Flag], mode: FlagOp) -> Message:
        message = self._messages.get(uid)
        if message is None:
            return Message(self.letterbox, uid, expunged=True)
        flags = mode.apply(message.permanent_flags, flag_set)
        if flags != message.permanent_flags:
            self.letterbox.mark(uid, _names(flags))
            self.note(uid)
        return self._messages[uid]

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
        unseen = [n for n, one in enumerate(self._messages.values(), 1) if Seen not in one.permanent_flags]
        return MailboxSnapshot(
            self.mailbox_id,
            self.readonly,
            self.uid_validity,
            self.permanent_flags,
            self.session_flags,
            len(self._messages),
            0,
            len(unseen),
            unseen[0] if unseen else None,
            self.letterbox.next_uid,
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


def _names(flags: Iterable[Flag]) -> list[str]:
    return [flag.value.decode("ascii", "replace") for flag in flags]


def _folder(name: str) -> str:
    """`Sent/2026` as Maildir++ has it; nothing a client sends leads out of the owner's folder."""
    return "." + ".".join(quote(part, safe=" ").replace(".", "%2E") for part in name.split("/"))


def _name(folder: Path) -> str:
    return "/".join(unquote(part) for part in folder.name[1:].split("."))
