"""How much mail one process can take: many games open, order mails through real SMTP and IMAP, every answer queued."""

import asyncio
import tempfile
import threading
import time
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import update
from sqlmodel import select

import games
from engine.campaign import Campaign
from pbem.embedded import EmbeddedServers
from pbem.house import House
from pbem.house.room import Room
from pbem.service.serving import Daemon, leave_what_stays
from pbem.store import GameRow, MailIn, MailOut
from pbem.store.database import utc
from pbem.workshop.bench.goals import TABLE, Goals, figure
from pbem.workshop.bench.letter_figures import kept, set_up, written
from pbem.workshop.bench.played import Progress, at_percent, be_quiet, ms, untold
from pbem.workshop.demonstrating.correspondent import Correspondent
from pbem.workshop.demonstrating.daemon import settings_for

PLAYERS = 100  # share all games among them
IN_FLIGHT = 20  # mails that are on their way at a time
HALT = 600.0  # seconds without a single answer
LEAST = 4  # orders that the two mails share
TIMES = [name for name in TABLE["mail"] if name.endswith("_ms")]  # what was measured, and at which percentile

Mails = list[tuple[str, list[str]]]  # who writes, and what


@dataclass
class Measured:
    """What was seen: seconds of work for each mail, and memory along the way."""

    work: dict[str, float] = field(default_factory=dict)  # by mail
    busy: dict[str, float] = field(default_factory=dict)  # the same, without waiting for disk and other processes
    sent: dict[str, float] = field(default_factory=dict)  # when each went off, by Message-ID
    memory: list[int] = field(default_factory=list)
    began: float = 0.0
    ended: float = 0.0


def bench_mail(*, open_games: int = 1000, seed: int = 1944, progress: Progress = untold) -> dict[str, Any]:
    """The figures: two order mails for each game, half of the games with pictures in their letters."""
    be_quiet()
    with tempfile.TemporaryDirectory() as folder:
        settings = settings_for(Path(folder) / "home")
        house = House(settings)
        campaign, mails = two_mails(seed)
        names = set_up_games(house, campaign, Path(folder) / "game", open_games, pictures=True, tell=progress)
        with EmbeddedServers(settings) as servers:
            measured = run(house, servers, names, mails, progress)
        figures = _figures(house, measured, open_games)
        house.close()
    return {**figures, "seed": seed}


def two_mails(seed: int) -> tuple[Campaign, Mails]:
    """A game under way, and what somebody writes to it in two mails."""
    campaign, side, plan = written(games.find_game(next(iter(games.rulebooks()))), seed, LEAST)
    half = len(plan) // 2
    return campaign, [(side, plan[:half]), (side, plan[half:])]


def set_up_games(
    house: House, campaign: Campaign, saved: Path, number: int, *, pictures: bool = False, tell: Progress = untold
) -> list[str]:
    """Games under way, named as the folder, every other with pictures if any; their invitations are taken as sent."""
    names, sides = [f"{saved.name}-{index}" for index in range(number)], campaign.game.setting.chairs
    for index, name in enumerate(names):
        chairs = {side: _player(saved.name, index * len(sides) + place) for place, side in enumerate(sides)}
        shown = "all" if pictures and index % 2 else "none"
        set_up(house, campaign, kept(campaign, saved), name, chairs, pictures=shown)
        tell(index + 1, number * 2)
    with house.database.begin() as session:
        session.exec(update(MailOut).values(state="sent"))
    return names


def _player(called: str, index: int) -> str:
    """A password is told once: those of another turn are others."""
    return f"{called}-player-{index % PLAYERS}@players.example"


def run(house: House, servers: EmbeddedServers, names: list[str], mails: Mails, tell: Progress = untold) -> Measured:
    """The daemon works while somebody sends: never more than a few mails at a time, each game's one after another."""
    measured = Measured()
    mailbox = servers.mailbox().model_copy(update={"poll_seconds": 1})
    daemon = Daemon(house, mailbox, servers.relay())
    with house.database.begin() as session:
        seats = {
            (seat.game_id, seat.side): (house.seat_address(seat.token), player.address)
            for row in session.exec(select(GameRow)).all()
            for seat, player in Room(house, session, row).people()
        }
    passwords = {address: servers.accounts.add(address) or "" for address in {who for _, who in seats.values()}}
    free = threading.Semaphore(IN_FLIGHT)
    wanted = len(names) * len(mails)
    letters = [
        (seats[name, side][1], seats[name, side][0], f"[{name}] orders", lines)
        for side, lines in mails
        for name in names
    ]

    def send() -> None:
        with ExitStack() as stack:
            boxes: dict[str, Correspondent] = {}
            for who, to, subject, lines in letters:
                if who not in boxes:
                    box = Correspondent(who, passwords[who], servers.smtp_port, servers.imap_port)
                    boxes[who] = stack.enter_context(box)
                free.acquire()
                mail = boxes[who].compose(to, subject, lines)
                measured.sent[str(mail["Message-ID"])] = time.time()
                boxes[who].send(mail)

    deal_with = daemon.service.deal_with

    def timed(id_: str) -> bool:
        before, busy = time.perf_counter(), time.thread_time()
        ours = deal_with(id_)
        measured.work[id_], measured.busy[id_] = time.perf_counter() - before, time.thread_time() - busy
        free.release()
        if len(measured.work) in (1, wanted // 2, wanted):
            measured.memory.append(_resident())
        tell(wanted + len(measured.work), wanted * 2)
        return ours

    daemon.service.deal_with = timed  # type: ignore[method-assign]
    sender = threading.Thread(target=send, daemon=True)
    leave_what_stays()
    measured.began = time.time()
    sender.start()
    _until_done(daemon, measured, wanted)
    measured.ended = time.time()
    sender.join()
    return measured


def _until_done(daemon: Daemon, measured: Measured, wanted: int) -> None:
    quiet, seen = time.monotonic(), 0
    with asyncio.Runner() as runner, closing(daemon.inbox):
        while len(measured.work) < wanted:
            daemon.once(runner)
            if len(measured.work) > seen:
                quiet, seen = time.monotonic(), len(measured.work)
            if time.monotonic() - quiet > HALT:
                raise TimeoutError(f"no mail was dealt with for {HALT:.0f} seconds")
            if len(measured.work) < wanted:
                daemon.inbox.wait(1)
        daemon.once(runner)  # what was queued last goes out, too
        runner.run(daemon.transport.close())


def _figures(house: House, measured: Measured, open_games: int) -> dict[str, Any]:
    with house.database.begin() as session:
        rows = session.exec(select(MailIn)).all()
        queued = dict(session.exec(select(MailOut.key, MailOut.queued)).all())
        drawn = {row.id: row.settings["pictures"] == "all" for row in session.exec(select(GameRow)).all()}
    made = [row for row in rows if row.line is not None]
    waits = [utc(queued[f"answer/{row.id}"]).timestamp() - measured.sent[row.message_id] for row in rows]
    took = measured.ended - measured.began
    times = {"arrival": waits}
    for what, spent in (("work", measured.work), ("busy", measured.busy)):
        times[what] = [spent[row.id] for row in rows if not drawn[row.game_id]]
        times[f"{what}_pictures"] = [spent[row.id] for row in rows if drawn[row.game_id]]
    told = {"mails": len(rows), "games": open_games, "lines": len(made), "took": took, "in_flight": IN_FLIGHT}
    figures = [figure("mails_per_s", round(len(rows) / took, 2), **told)]
    for name in TIMES:
        what, _, percent = name.removesuffix("_ms").rpartition("_p")
        figures.append(figure(name, ms(at_percent(times[what], int(percent))), **told))
    for name, memory in zip(("start", "middle", "end"), measured.memory, strict=False):
        figures.append(figure(f"memory_{name}_mb", round(memory / 1_000_000)))
    return Goals().held_against(figures)


def _resident() -> int:
    """Bytes of memory that the process holds, as Linux counts them."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4096
