"""The service's mailbox: fetching is the truth, IDLE only a hint that it is time to fetch."""

import select
import ssl
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress

from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from pbem.house.settings import Mailbox
from pbem.inbox.bell import Bell
from pbem.inbox.connecting import connect, hang_up, open_folder
from pbem.mail_servers.oauth.consent_keeper import ConsentKeeper
from pbem.mail_servers.oauth.troubles import OAuthTrouble
from pbem.mail_servers.server import BadServer, Patience, in_words

DONE = b"FieldpostDone"  # the keyword on mail that is stored here, where it is not moved
BATCH, BATCH_BYTES = 50, 8_000_000  # at a time: ten thousand mails must not lie in memory together
MOST_BYTES = 2_000_000
RENEW = 25 * 60  # seconds: servers may hang up on an IDLE of 29 minutes

Fetched = tuple[str, int, bytes]  # the mailbox with its UIDVALIDITY, the UID, the raw mail
Known = Callable[[str, Sequence[int]], Collection[int]]
# ValueError and TypeError: what imapclient makes of an answer that came in pieces or mangled.
TROUBLES = (OSError, IMAPClientError, ValueError, TypeError, BadServer, OAuthTrouble)


class LineCut(OSError):
    """We hang up ourselves: the daemon is to stop, and the server does not answer."""


class Inbox:
    """A mailbox that is never lost for long: whatever breaks, the next fetch after a while connects anew."""

    def __init__(
        self,
        mailbox: Mailbox,
        *,
        most_bytes: int = MOST_BYTES,
        patience: Patience | None = None,
        consent: ConsentKeeper | None = None,
    ) -> None:
        self.mailbox, self.trouble = mailbox, ""
        self.box, self.poll = f"{mailbox.user}@{mailbox.host}/{mailbox.folder}", float(mailbox.poll_seconds)
        self._consent, self._patience = consent, patience or Patience()
        self._most_bytes = most_bytes
        self._client: IMAPClient | None = None
        self._box = ""
        self.talking = False  # whether somebody waits for an answer to a search or fetch
        self._keywords = False  # whether the server keeps our keyword
        self._told = 0  # how often the server had said how many mails there are when the folder was opened
        self._bell = Bell()

    def fetch(self, known: Known = lambda box, uids: ()) -> list[Fetched]:
        """Mails not dealt with, oldest first, at most a batch; none while the server is out of reach (`trouble`).

        What `known` names is in the house already, from before a crash: it is only marked.
        A mail over `most_bytes` is fetched up to one byte more than that: enough to refuse it.
        """
        if self._client is None and self._patience.left:
            return []
        self.talking = True
        try:
            client = self._connected()
            uids = self._waiting(client)
            stored = set(known(self._box, uids))
            self._mark(client, [uid for uid in uids if uid in stored])
            fetched = self._raw(client, [uid for uid in uids if uid not in stored][:BATCH])
        except TROUBLES as problem:
            self._lost(problem)
            return []
        finally:
            self.talking = False
        self._patience.succeeded()
        self.trouble = ""
        return fetched

    def dealt_with(self, box: str, *uids: int) -> None:
        """Moves or flags mails that are stored; if that fails now, it is done at a later fetch."""
        if self._client is None or box != self._box:
            return
        try:
            self._mark(self._client, list(uids))
        except TROUBLES as problem:
            self._lost(problem)

    def wait(self, seconds: float) -> bool:
        """Waits for mail, for `interrupt`, or for the time to pass; True if it looks as if mail had come."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            idle = self._client if self.mailbox.idle else None
            if idle is None or not idle.has_capability("IDLE"):
                self._bell.rest(min(left, self._patience.left or left))
                return False
            if _counts_told(idle) > self._told:  # mail came while the last search was answered
                return True
            heard = self._idle(idle, min(left, RENEW))
            if heard is not None:
                return heard
        return False

    def interrupt(self) -> None:
        """Ends a `wait`, from any thread or signal handler."""
        self._bell.ring()

    def hurry(self, seconds: float) -> None:
        """From now on the server may take so long for an answer and no longer; from any thread or signal handler."""
        if self._client is not None:
            with suppress(OSError):  # it is closed already
                self._client.socket().settimeout(seconds)

    def close(self) -> None:
        if self._client is not None:
            try:
                self._client.logout()
            except TROUBLES:
                hang_up(self._client)
            self._client = None
        self._bell.close()

    def _connected(self) -> IMAPClient:
        if self._client is None:
            self._client = connect(self.mailbox, self._consent)
        self._look(self._client)
        return self._client

    def _look(self, client: IMAPClient) -> None:
        """Selects the folder anew each time: a changed UIDVALIDITY is seen before its UIDs are used."""
        found = open_folder(client, self.mailbox)
        validity = found.get(b"UIDVALIDITY", 0)
        self._box = f"{self.mailbox.user}@{self.mailbox.host}/{self.mailbox.folder};{validity}"
        self._told = _counts_told(client)
        kept = found.get(b"PERMANENTFLAGS", ())
        assert isinstance(kept, tuple)
        self._keywords = DONE in kept or b"\\*" in kept

    def _waiting(self, client: IMAPClient) -> list[int]:
        wanted: list[str | bytes] = ["UNDELETED"]
        if self._keywords and not self.mailbox.done_folder:
            wanted += ["UNKEYWORD", DONE]
        return sorted(int(uid) for uid in client.search(wanted))

    def _raw(self, client: IMAPClient, uids: list[int]) -> list[Fetched]:
        if not uids:
            return []
        sizes = {uid: int(one[b"RFC822.SIZE"]) for uid, one in client.fetch(uids, ["RFC822.SIZE"]).items()}
        some, large = self._share(sizes)
        answers = {**client.fetch(some, ["BODY.PEEK[]"])} if some else {}
        if large:
            answers |= client.fetch(large, [f"BODY.PEEK[]<0.{self._most_bytes + 1}>"])
        return [
            (self._box, uid, raw)
            for uid in sorted(answers)  # one that somebody took away in the meantime is not there
            for name, raw in answers[uid].items()
            if name.startswith(b"BODY[]") and raw is not None
        ]

    def _share(self, sizes: dict[int, int]) -> tuple[list[int], list[int]]:
        """As many of the oldest as may lie in memory together: those to fetch whole, and those too large."""
        some: list[int] = []
        large: list[int] = []
        total = 0
        for uid, size in sorted(sizes.items()):
            total += min(size, self._most_bytes)
            if total > BATCH_BYTES and (some or large):
                break
            (large if size > self._most_bytes else some).append(uid)
        return some, large

    def _mark(self, client: IMAPClient, uids: list[int]) -> None:
        if not uids:
            return
        if self.mailbox.done_folder and client.has_capability("MOVE"):
            client.move(uids, self.mailbox.done_folder)
        elif self.mailbox.done_folder and client.has_capability("UIDPLUS"):
            client.copy(uids, self.mailbox.done_folder)
            client.add_flags(uids, [b"\\Deleted"])
            client.uid_expunge(uids)
        else:  # a server that can neither move nor keep keywords: read mail is all a person will see
            client.add_flags(uids, [DONE] if self._keywords else [b"\\Seen"])

    def _idle(self, client: IMAPClient, seconds: float) -> bool | None:
        """One IDLE; None if it ran out. Its answers are never parsed (imapclient issue 519): anything is a hint."""
        try:
            client.idle()
            heard = self._buffered(client)
            if not heard:
                ready, _, _ = select.select([client.socket(), self._bell], [], [], seconds)
                heard = bool(ready)
            client.idle_done()
        except TROUBLES as problem:
            self._lost(problem)
            return False
        if self._bell.rung():
            return False
        return True if heard else None

    @staticmethod
    def _buffered(client: IMAPClient) -> bool:
        """Whether an answer has been read off the socket already, where `select` cannot see it."""
        plug = client.socket()
        before = plug.gettimeout()
        plug.settimeout(0)
        try:
            reader = vars(client._imap).get("_file") or client._imap.file  # Python 3.14 renamed it
            return bool(reader.peek(1))
        except ssl.SSLWantReadError:
            return False
        finally:
            plug.settimeout(before)

    def _lost(self, problem: BaseException) -> None:
        self.trouble = in_words(self.mailbox, problem)
        if self._client is not None:
            hang_up(self._client)
            self._client = None
        self._patience.failed()


def _counts_told(client: IMAPClient) -> int:
    """How many times the server has said since the folder was opened how many mails are in it."""
    return len(client._imap.untagged_responses.get("EXISTS", ()))
