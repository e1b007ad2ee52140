"""The same mail in a house on files and in one on PostgreSQL, in turns; what two workers come to; the clock's wake."""

import logging
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from sqlalchemy import insert, text
from sqlmodel import select

import games
from pbem.embedded import EmbeddedServers
from pbem.house import House
from pbem.house.moving import whole
from pbem.inbox.storing import store
from pbem.service import Service
from pbem.service.ticking import next_wake
from pbem.store import Due, GameRow
from pbem.workshop.bench.goals import Goals
from pbem.workshop.bench.letter_figures import mail_to, written
from pbem.workshop.bench.mail_figures import LEAST, Progress, run, set_up_games
from pbem.workshop.bench.played import ms
from pbem.workshop.demonstrating.daemon import settings_for

TURNS = 3
MANY = 10_000
FILES, ROWS = "files", "postgres"
GOALS = Goals(
    at_least={"postgres_ratio": 0.9, "two_workers_ratio": 1.8}, at_most={"wake_files_ms": 5.0, "wake_postgres_ms": 5.0}
)

Best = dict[str, float]


class NotEmpty(ValueError):
    def __str__(self) -> str:
        return "there is a house in that database: name an empty one, brought to our version by `pbem house upgrade`"


def bench_houses(
    database: str, *, open_games: int = 60, seed: int = 1944, progress: Progress | None = None
) -> dict[str, Any]:
    """The figures; what is measured stays in the database. Raises NotEmpty."""
    tell = progress or (lambda done, of: None)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    campaign, side, plan = written(games.find_game(next(iter(games.rulebooks()))), seed, LEAST)
    mails = [(side, plan[: len(plan) // 2]), (side, plan[len(plan) // 2 :])]
    best: Best = {}
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        homes = {kind: settings_for(Path(folder) / kind) for kind in (FILES, ROWS)}
        homes[ROWS] = homes[ROWS].model_copy(update={"database": database})
        houses = {kind: stack.enter_context(closing(House(settings))) for kind, settings in homes.items()}
        with whole(houses[ROWS].database, homes[ROWS].home) as found:
            if not found.is_empty:
                raise NotEmpty
        works = (FILES, 0), (ROWS, 0), (FILES, 1), (ROWS, 1), (ROWS, 2)  # how many workers drain it; none: it is served
        for turn in range(TURNS):
            for number, (kind, workers) in enumerate(works):
                name = f"{turn}-{number}"
                names = set_up_games(houses[kind], campaign, Path(folder) / name, open_games, name)
                if workers:
                    drained = _drained(houses[kind], names, mails, workers)
                else:
                    drained = _served(houses[kind], names, mails)
                for figure, value in drained.items():
                    keep = min if figure.endswith("_ms") else max
                    best[figure] = keep(best.get(figure, value), value)
                tell(turn * len(works) + number + 1, TURNS * len(works))
        for kind, house in houses.items():
            best[f"wake_{kind}_ms"] = ms(_wake(house))
    return _told(best, open_games * len(mails))


def _served(house: House, names: list[str], mails: Any) -> Best:
    """Through mail servers, letters sent: all in this process."""
    kind = ROWS if house.cabinet.shared else FILES
    with EmbeddedServers(house.settings) as servers:
        measured = run(house, servers, names, mails, lambda done, of: None)
    number = len(measured.work)
    busy = sum(measured.busy.values()) / number
    return {f"served_{kind}_per_s": number / (measured.ended - measured.began), f"busy_{kind}_ms": ms(busy)}


def _drained(house: House, names: list[str], mails: Any, workers: int) -> Best:
    """Mails that are stored, no servers, nothing sent; each worker is a process, and all are waited for."""
    kind = ROWS if house.cabinet.shared else FILES
    for side, lines in mails:
        for name in names:
            store(house, [("", 0, mail_to(house, name, side, lines))])
    house.cabinet.close()
    house.database.close()
    used, began = _processor_time(), time.perf_counter()
    children = [_forked(lambda: Service(House(house.settings)).deal_with_all()) for _ in range(workers)]
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * workers
    took, busy = time.perf_counter() - began, _processor_time() - used
    number = len(names) * len(mails)
    return {f"drained_{kind}_{workers}_per_s": number / took, f"drained_{kind}_{workers}_busy_ms": ms(busy / number)}


def _forked(work: Callable[[], object]) -> int:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return child


def _processor_time() -> float:
    """Of workers that have ended; a database server's own is no part of it."""
    import resource  # not to be had everywhere

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _wake(house: House) -> float:
    """What the clock looks at when it wakes and nothing is due, in many open games."""
    now, service = house.clock(), Service(house)
    with house.database.begin() as session:
        like = session.exec(select(GameRow).limit(1)).one().model_dump()
        rows = [{**like, "id": f"wake-{n}", "moderator_token": f"{n:032x}", "duel_id": None} for n in range(MANY)]
        session.execute(insert(GameRow), rows)
        later = {"kind": "move", "asked": now, "due": now + timedelta(days=2), "wake": now + timedelta(days=1)}
        session.execute(insert(Due), [{**later, "game_id": row["id"], "side": "x", "key": "1/x/1"} for row in rows])
        session.execute(text("ANALYZE"))  # as a server does by itself soon after so many have come
    times = []
    for _ in range(20):
        began = time.perf_counter()
        service.tick(now)
        next_wake(service.house)
        times.append(time.perf_counter() - began)
    return min(times)


def _told(best: Best, mails: int) -> dict[str, Any]:
    best["postgres_ratio"] = best[f"served_{ROWS}_per_s"] / best[f"served_{FILES}_per_s"]
    best["two_workers_ratio"] = best[f"drained_{ROWS}_2_per_s"] / best[f"drained_{ROWS}_1_per_s"]
    each, works = f"best of {TURNS} turns with {mails} order mails", dict[str, str]()
    for kind in (FILES, ROWS):
        works[f"served_{kind}_per_s"] = f"SMTP to letters sent, one process; {each}"
        works[f"busy_{kind}_ms"] = "of that, computing for a mail, gate to queued letters"
    works["postgres_ratio"] = "one worker on PostgreSQL against one on files"
    for name in (f"drained_{FILES}_1", f"drained_{ROWS}_1", f"drained_{ROWS}_2"):
        works[f"{name}_per_s"] = f"stored mails, no servers, nothing sent; {each}"
        works[f"{name}_busy_ms"] = "of that, processor time of the workers for a mail"
    works["two_workers_ratio"] = "two workers against one"
    works |= {f"wake_{kind}_ms": f"the clock wakes, nothing is due in {MANY:,} games" for kind in (FILES, ROWS)}
    return GOALS.held_against({name: (round(best[name], 2), work) for name, work in works.items()})
