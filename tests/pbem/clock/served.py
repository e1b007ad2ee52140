"""An office that is served by the daemon, round by round, with a mailbox and a relay that fail when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from sqlmodel import select

from pbem.house.settings import Mailbox, Relay
from pbem.outbox.transport import RelayUnreachable
from pbem.service.heartbeat import Heartbeat
from pbem.service.serving import Daemon
from pbem.store import Due, MailOut
from pbem.store.database import utc
from tests.pbem.desk.office import Office

ROUND = timedelta(minutes=50)


class Box:
    """A mailbox; a letter that was handed in is fetched as soon as it can be."""

    def __init__(self) -> None:
        self.trouble, self.works = "", True
        self.waiting: list[bytes] = []

    def fetch(self, known: Callable[..., Any]) -> list[tuple[str, int, bytes]]:
        self.trouble = "" if self.works else "the mailbox is out of reach"
        if not self.works:
            return []
        found = [("box", 1000 + number, raw) for number, raw in enumerate(self.waiting)]
        self.waiting = []
        return found

    def dealt_with(self, box: str, *uids: int) -> None:
        """Nothing is marked."""


class Lorry:
    """A relay that takes everything, or nothing."""

    def __init__(self) -> None:
        self.trouble, self.works = "", True

    async def send(self, sender: str, to: str, raw: bytes) -> None:
        if not self.works:
            self.trouble = "the relay is out of reach"
            raise RelayUnreachable(self.trouble)
        self.trouble = ""

    async def close(self) -> None:
        """There is nothing to close."""


class Served(Office):
    """Time passes in rounds of the daemon; `monotonic` passes with it unless a test moves one alone."""

    def __init__(self, home: Path, game: str = "ford", rulebook: str = "korsun_spi") -> None:
        self.monotonic = 1000.0
        super().__init__(home, game, rulebook)

    def open(self) -> None:
        super().open()
        mailbox = Mailbox(host="imap.club.example", user="post", password=SecretStr("swordfish"))
        self.daemon = Daemon(self.house, mailbox, Relay(host="smtp.club.example"))
        self.daemon.inbox.close()
        self.box, self.lorry = Box(), Lorry()
        self.daemon.inbox, self.daemon.transport = self.box, self.lorry  # type: ignore[assignment]
        self.daemon.heart = Heartbeat(self.house, poll=60, monotonic=lambda: self.monotonic)

    def pass_time(self, time: timedelta) -> None:
        self.now += time
        self.monotonic += time.total_seconds()

    def round(self) -> list[MailOut]:
        """One round of the daemon; gives what was written in it."""
        return self.serve(0)

    def serve(self, hours: float) -> list[MailOut]:
        """The daemon runs for so long; gives what was written."""
        end, before = self.now + timedelta(hours=hours), {row.key for row in self.letters()}
        with asyncio.Runner() as runner:
            self.daemon.once(runner)
            while self.now < end:
                self.pass_time(min(ROUND, end - self.now))
                self.daemon.once(runner)
        return [row for row in self.letters() if row.key not in before]

    def stand(self, hours: float) -> list[MailOut]:
        """The daemon does not run for so long, and is started again; gives what its first round writes."""
        self.house.close()
        self.pass_time(timedelta(hours=hours))
        self.open()
        return self.round()

    def due(self, side: str = "") -> Due:
        with self.house.database.begin() as session:
            rows = session.exec(select(Due).where(Due.game_id == self.name)).all()
        return next(row for row in rows if row.side == side or not side)

    def left(self, side: str = "") -> timedelta:
        due = self.due(side).due
        assert due is not None
        return utc(due) - self.now

    def acts(self) -> list[str]:
        return [line["act"] for line in self.house.campaign(self.game()).lines()[1:]]
