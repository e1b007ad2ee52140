"""The daemon: mail in, dealt with, the clock, mail out; then it waits for mail, the clock or somebody's hand."""

import asyncio
import gc
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from types import FrameType
from typing import TypeVar

import structlog

from pbem.house import House
from pbem.house.alone import another_wrote, sole_writer
from pbem.house.crash_points import OUTAGE_NOTED, reached
from pbem.house.settings import Mailbox, Relay
from pbem.inbox.inbox import Inbox, LineCut
from pbem.inbox.lmtp import LmtpInbox
from pbem.inbox.storing import store_new
from pbem.mail_servers.oauth.consent_keeper import ConsentKeeper
from pbem.outbox.sending import send_due
from pbem.outbox.transport import SmtpTransport
from pbem.service import Service
from pbem.service.clearing_out import ClearingOut
from pbem.service.heartbeat import Heartbeat, tell_outages
from pbem.service.house_watch import HouseWatch, watch_consent
from pbem.service.spectators import report_to_spectators
from pbem.service.ticking import next_wake
from pbem.service.vital_signs import MetricsFile
from pbem.store.database_troubles import trouble_of

LITTER = 20_000  # objects made before anybody looks which of them are no longer needed
LOOK = 0.5  # seconds between looks at whether another process has written
LOOK_IN = 10.0  # seconds between looks of a worker that nobody has rung for
TOO_LONG = 300  # seconds at least without a sign from the one that leads: then another does
STOPPING = 3.0  # seconds that a mail server may still take when the daemon is to stop
LEAST = 0.5  # seconds: however much is due, the mailbox is not asked more often
SOON = timedelta(seconds=1)
T = TypeVar("T")

_log = structlog.get_logger()


def leave_what_stays() -> None:
    """Code and rulebooks stay for good: litter is not looked for there, and elsewhere not after every few things."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(LITTER)


class Daemon:
    """One house served, from `run` until `stop`."""

    def __init__(
        self, house: House, mailbox: Mailbox | LmtpInbox, relay: Relay, consent: ConsentKeeper | None = None
    ) -> None:
        self.house, self.service = house, Service(house)
        most = house.settings.limits.mail_bytes
        self.inbox = Inbox(mailbox, most_bytes=most, consent=consent) if isinstance(mailbox, Mailbox) else mailbox
        self.transport = SmtpTransport(relay, consent=consent)
        self._consent = consent
        self._box, self._poll = self.inbox.box, self.inbox.poll
        self.heart = Heartbeat(house, poll=self._poll)
        self.watch = HouseWatch(house)
        self._clearing = ClearingOut(house)
        self.metrics = MetricsFile(house)
        self._up = False
        self._stopping = threading.Event()
        self.service.stopping = self._stopping.is_set
        self._sending: tuple[asyncio.AbstractEventLoop, asyncio.Task[int]] | None = None
        self._trouble = ""
        self._leads = not house.cabinet.shared  # whether this worker reads the mailbox and watches the clock

    def run(self, ready: Callable[[], None] = lambda: None) -> None:
        """Serves until it is stopped; what was begun before a crash is finished first."""
        with asyncio.Runner() as runner:
            self._take_up()
            leave_what_stays()
            _log.info("serving", address=self.house.settings.address)
            watcher = threading.Thread(target=self._watch, name="another writer", daemon=True)
            watcher.start()
            ready()
            try:
                while not self._stopping.is_set():
                    self.once(runner)
                    if not self._stopping.is_set():
                        self.inbox.wait(self._pause())
            finally:
                self._stopping.set()
                watcher.join()
                with suppress(TimeoutError):
                    runner.run(asyncio.wait_for(self.transport.close(), STOPPING))
                self.inbox.close()
                _log.info("stopped")

    def stop(self) -> None:
        """Ends `run` after the mail in hand, a hung server or not; from any thread or signal handler."""
        self._stopping.set()
        self.inbox.hurry(STOPPING)
        self.inbox.interrupt()
        if self._sending is not None:
            loop, task = self._sending
            loop.call_soon_threadsafe(lambda: loop.call_later(STOPPING, task.cancel))

    def once(self, runner: asyncio.Runner) -> None:
        """Everything there is to do now. One thing that fails does not keep the others from being done."""
        self._up = False
        self.watch.look()
        if self.watch.is_in_the_way:
            self._try("telling of trouble", self._stand_still)
        else:
            self._work()
        sent = (self._try("sending", lambda: runner.run(self._send())) or 0) if self.watch.may_send else 0
        if sent:
            _log.info("mail", sent=sent)
        self._try("telling of trouble", self.watch.end)
        self.heart.because = self.watch.trouble.was if self.watch.trouble is not None else ""
        self._tell_trouble()
        self.metrics.sent += sent
        self._try("writing the metrics", lambda: self.metrics.write(up=self._up and not self.watch.is_in_the_way))

    def _work(self) -> None:
        """Mail in and dealt with; after trouble with disk or database what was begun is finished first."""
        if self.watch.trouble is not None and self._try("going on", self._take_up) is None:
            return
        if (consent := self._consent) is not None:
            self._try("watching over the consent", lambda: watch_consent(self.house, consent))
        # One worker reads a mailbox; the others deal with what it brings, and one of them follows it.
        term = max(TOO_LONG, int(3 * self._poll))
        self._leads = bool(self._try("asking who leads", lambda: self.house.cabinet.leads(self._box, seconds=term)))
        began = self.house.clock()
        stored = self._try("fetching", lambda: store_new(self.house, self.inbox)) if self._leads else 0
        fetched = stored is not None and not self.inbox.trouble
        deal = (lambda: self._deal(began, fetched)) if self._leads else self.service.deal_with_all
        dealt = self._try("dealing with mail", deal)
        self._up = (fetched or not self._leads) and not self.transport.trouble and dealt is not None
        self.metrics.dealt_with += dealt or 0
        if self._leads:
            self._try("clearing out", self._clear_out)
        if stored or dealt:
            _log.info("mail", stored=stored or 0, dealt_with=dealt or 0)

    def _clear_out(self) -> int:
        with sole_writer(self.house):
            return self._clearing.clear()

    def _stand_still(self) -> int:
        """No mail is begun, and no deadline runs."""
        if self._leads:
            with sole_writer(self.house):
                self.heart.beat(self.house.clock(), fetched=False, sending=not self.transport.trouble)
        self.house.cabinet.step_down()
        return self.watch.warn()

    def _take_up(self) -> bool:
        """What a stop at any moment, or trouble, has left half done; gives that it is done."""
        with sole_writer(self.house):
            self.service.recover()
        return True

    async def _send(self) -> int:
        """What is due goes out; a letter that is cut off when the daemon stops goes out again at the next start."""
        loop = asyncio.get_running_loop()
        task = loop.create_task(send_due(self.house, self.transport, stopping=self._stopping.is_set))
        self._sending = loop, task
        try:
            return await task
        except asyncio.CancelledError:
            if not self._stopping.is_set():
                raise
            return 0
        finally:
            self._sending = None

    def _deal(self, began: datetime, fetched: bool) -> int:
        """Deadlines are moved by an outage before anybody's mail could come too late for them."""
        with sole_writer(self.house):
            until = self.heart.beat(began, fetched=fetched, sending=not self.transport.trouble)
            reached(OUTAGE_NOTED)
            self.service.file_lines_due()
            tell_outages(self.house)
            dealt = self.service.deal_with_all()
            if until is not None:
                self.service.tick(until)
            self.service.play_bots_asked()
            report_to_spectators(self.house)
        return dealt

    def _try(self, what: str, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except Exception as problem:
            if (trouble := trouble_of(problem)) is not None:
                self.watch.meet(trouble)
            else:
                _log.error(f"{what} failed", problem=repr(problem), exc_info=True)
            return None

    def _pause(self) -> float:
        """How long there is nothing to do, unless mail comes: never longer than the mailbox's polling."""
        if not self._leads:
            return min(self._poll, LOOK_IN)
        if not self._up:
            return self._poll  # the clock stands still
        if (wake := self._try("looking at the clock", lambda: next_wake(self.house))) is None:
            return self._poll
        return min(self._poll, max(LEAST, (wake - self.house.clock() + SOON).total_seconds()))

    def _watch(self) -> None:
        """The command line may have left letters to send: then it is time to look."""
        while not self._stopping.wait(LOOK):
            if self.house.cabinet.rung() or another_wrote(self.house):
                self.inbox.interrupt()

    def _tell_trouble(self) -> None:
        """Servers out of reach are told once, and when they are back."""
        trouble = "; ".join(filter(None, (self.inbox.trouble, self.transport.trouble)))
        if trouble != self._trouble:
            _log.warning("out of reach", why=trouble) if trouble else _log.info("in reach again")
            self._trouble = trouble


def stop_on_signals(daemon: Daemon) -> Callable[[], None]:
    """SIGTERM and SIGINT end the daemon cleanly; gives what puts the old handlers back."""

    def handler(number: int, _frame: FrameType | None) -> None:
        daemon.stop()
        if daemon.inbox.talking:
            raise LineCut  # what it waits for comes at the next start

    before = {number: signal.signal(number, handler) for number in (signal.SIGTERM, signal.SIGINT)}

    def restore() -> None:
        for number, old in before.items():
            signal.signal(number, old)

    return restore
