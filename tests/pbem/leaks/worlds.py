"""Worlds that differ only in what is hidden from one side, and all that this side is given in each."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from email import policy
from email.parser import BytesParser
from pathlib import Path
from typing import Any

from sqlmodel import select

from engine import log
from engine.asks import Ask
from engine.bots import RandomLegal
from engine.campaign import Campaign
from pbem.clock.dues import WINDOW, set_dues
from pbem.house.room import Room
from pbem.moderator import Act
from pbem.store import Due, MailOut
from pbem.store.database import utc
from tests.patience import patience
from tests.pbem.desk.office import Office
from tests.pbem.houses import copied

HOURS = 12  # how long a hidden question stays open
IDLE = ("mode", "movement", "combat", "command", "negotiation")
_HASH = re.compile(
    rb"[0-9a-f]{64}|(?:[0-9a-f]{8}(?:\s|\xc2\xa0|&nbsp;|<br>)+){7}[0-9a-f]{8}"
)  # as a log has it, as letters do
_EIGHT = re.compile(rb"[0-9a-f]{8}")

# What is written to find out what the other holds: questions, orders that are not one's own, dry runs.
PROBES = (
    "status\norders\nlog\nhelp\nstanding\nresend\nresend 20",
    "enter 6A\ninterrupt\nair hartmann",
    "check\nend",
    "ask attack\nforecast attack 3133 with 6Tk\nundo 3\nhelp select\nkey 2/draw/9/axis drawn\nend",
)


class World(Office):
    """An office with one game in it: the same in every world but for what is done in secret."""

    @property
    def campaign(self) -> Campaign:
        return self.house.campaign(self.game())

    def asked(self) -> Ask:
        """What the game waits for, be it answered under seal."""
        campaign = self.campaign
        return next(a for a in campaign.asks if campaign.window is not None or campaign.drawer.sealed(a.key) is None)

    def do(self, verb: Callable[..., Any], *args: Any, **more: Any) -> None:
        """An act of the moderator."""
        self.count += 1
        with self.house.transaction() as session:
            verb(Act(self.house, session, cause=f"{self.count:032x}"), self.name, *args, **more)

    def lead(self, arrives: Callable[[Campaign], bool]) -> None:
        """Leads the game on by defaults and idleness, in nobody's mails."""
        with self.house.transaction() as session:
            room = Room.of(self.house, session, self.name)
            waiting = patience("what the game is led to")
            while not arrives(room.campaign):
                next(waiting)
                ask = next(a for a in room.campaign.asks if room.campaign.drawer.sealed(a.key) is None)
                room.campaign.submit(ask.side, idle_answer(ask), at=room.at)
            for seat in room.seats():
                seat.reported = room.campaign.count - 1
                session.add(seat)
            set_dues(room)

    def let_the_window_open(self) -> None:
        with self.house.database.begin() as session:
            due = session.exec(select(Due).where(Due.kind == WINDOW)).one().due
        assert due is not None
        self.now = max(self.now, utc(due))
        self.service.tick()

    # What a reader has.

    def given(self, reader: str, before: datetime | None = None) -> list[Any]:
        """Every letter to a side or an address: key, hour, size, headers, and all of its contents to the byte."""
        address, hashes = self.people.get(reader, reader), self._hashes()
        rows = [row for row in self.letters() if row.to == address and (before is None or utc(row.queued) < before)]
        return [[row.key, row.queued, len(row.raw), *_opened(row, hashes)] for row in rows]

    def masked(self, data: bytes) -> bytes:
        """Without the hashes that seal what happened: they differ, as they must, and tell nothing."""
        return _masked(data, self._hashes())

    def _hashes(self) -> set[bytes]:
        lines = self.campaign.lines()
        plain = [line[name] for line in lines for name in ("hash", "prev", "position")]
        return {found.encode() for found in [*plain, *(seal for line in lines for seal in line["seals"].values())]}


def _masked(data: bytes, hashes: set[bytes]) -> bytes:
    return _HASH.sub(lambda found: b"#" * 64 if b"".join(_EIGHT.findall(found[0])) in hashes else found[0], data)


def _opened(row: MailOut, hashes: set[bytes]) -> Iterator[Any]:
    yield from _parts(row.raw, hashes)


def _parts(raw: bytes, hashes: set[bytes]) -> Iterator[Any]:
    """Headers and contents; a letter in a letter is opened, too."""
    for part in BytesParser(policy=policy.default).parsebytes(raw).walk():
        yield part.items()
        if not part.is_multipart():
            content = part.get_payload(decode=True)
            assert isinstance(content, bytes)
            content = gzip.decompress(content) if part.get_content_type() == "application/gzip" else content
            yield from _parts(content, hashes) if part.get_filename() == "letter.eml" else [_masked(content, hashes)]


def idle_answer(ask: Ask) -> str:
    return "end" if ask.name in IDLE else ask.default().line()


def second_turn(home: Path) -> World:
    """Turn 2 by mail: both sides are to select their chits, and the Axis want to be asked at every draw."""
    world = World(home, rulebook="manstein")
    world.begin({"deadline": {"default": "48h", "window": f"{HOURS}h"}, "board": "packed"}, scenario="race")
    world.lead(lambda campaign: campaign.position.turn == 2)
    world.mail("axis", "when drawn: ask\nwhen air: ask")
    return world


def twin(world: World, home: Path) -> World:
    """The same house once more, down to its tokens and its dice."""
    world.house.close()
    other = World(copied(world.home, home), rulebook=world.rulebook)
    other.now, other.count = world.now, world.count
    return other


def play_on(world: World, observer: str, rounds: int, *, answer: str = "pass") -> None:
    """The observer tries to find out what he can, and plays at random; the other side does next to nothing."""
    bot = RandomLegal(5, restless=2)
    for number in range(rounds):
        world.mail(observer, PROBES[number % len(PROBES)])
        ask = world.asked()
        if world.campaign.window is not None:
            if ask.side != observer:
                world.mail(ask.side, answer)
            world.let_the_window_open()
        elif ask.side == observer:
            world.mail(observer, bot.answer(world.campaign.referee.table, ask).line())
        else:
            world.mail(ask.side, idle_answer(ask))


def parting(one: World, other: World) -> datetime | None:
    """When the rules first show what differs, by another chit that comes out of the cup; None if they never do."""
    for lines in zip(one.campaign.lines(), other.campaign.lines(), strict=False):
        if _drawn(lines[0]) != _drawn(lines[1]):
            return min(datetime.fromisoformat(line["at"]) for line in lines) - timedelta(seconds=1)
    return None


def _drawn(line: log.Line) -> list[Any]:
    return [item.body["item"] for item in log.items(line) if item.body.get("fact") == "Drew"]
