"""The same mail in a house on files and in one on PostgreSQL, in turns; what two workers come to; the clock's wake."""

import multiprocessing
import tempfile
import time
from contextlib import ExitStack, closing
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import insert, text
from sqlmodel import col, select

from pbem.embedded import EmbeddedServers
from pbem.house import House
from pbem.house.moving import whole
from pbem.inbox.storing import store
from pbem.service import Service
from pbem.service.serving import leave_what_stays
from pbem.service.ticking import next_wake
from pbem.store import Due, GameRow, MailIn, Seat
from pbem.workshop.bench.goals import TABLE, Goals, figure
from pbem.workshop.bench.letter_figures import mail_to
from pbem.workshop.bench.mail_figures import HALT, Mails, run, set_up_games, two_mails
from pbem.workshop.bench.played import Progress, be_quiet, ms, untold
from pbem.workshop.bench.played import best as best_of
from pbem.workshop.demonstrating.daemon import settings_for

TURNS = 3
MANY = 10_000
FILES, ROWS = "files", "postgres"

Best = dict[str, float]


class NotEmpty(ValueError):
    def __str__(self) -> str:
        return "there is a house in that database: name an empty one, brought to our version by `pbem house upgrade`"


def bench_houses(
    database: str, *, open_games: int = 60, seed: int = 1944, progress: Progress = untold
) -> dict[str, Any]:
    """The figures; what is measured stays in the database. Raises NotEmpty."""
    be_quiet()
    campaign, mails = two_mails(seed)
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
                names = set_up_games(houses[kind], campaign, Path(folder) / f"{turn}-{number}", open_games)
                done = _drained(houses[kind], names, mails, workers) if workers else _served(houses[kind], names, mails)
                for name, value in done.items():
                    keep = min if name.endswith("_ms") else max
                    best[name] = keep(best.get(name, value), value)
                progress(turn * len(works) + number + 1, TURNS * len(works))
        for kind, house in houses.items():
            best[f"wake_{kind}_ms"] = ms(_wake(house))
    return _told(best, open_games * len(mails))


def _served(house: House, names: list[str], mails: Mails) -> Best:
    """Through mail servers, letters sent: all in this process."""
    kind = ROWS if house.cabinet.shared else FILES
    with EmbeddedServers(house.settings) as servers:
        measured = run(house, servers, names, mails)
    number = len(measured.work)
    busy = sum(measured.busy.values()) / number
    return {f"served_{kind}_per_s": number / (measured.ended - measured.began), f"busy_{kind}_ms": ms(busy)}


def _drained(house: House, names: list[str], mails: Mails, workers: int) -> Best:
    """Mails that are stored, no servers, nothing sent; each worker is a process, and all are waited for.

    A worker lives long: the first mail of each, which loads and fills what is kept, is dealt with before time is taken.
    """
    kind = ROWS if house.cabinet.shared else FILES
    for side, lines in mails:
        for name in names:
            store(house, [("", 0, mail_to(house, name, side, lines))])
    with house.database.reading() as session:
        stored = select(MailIn.id).where(MailIn.state == "stored", col(MailIn.game_id).in_(names))
        first = session.exec(stored.order_by(col(MailIn.received), col(MailIn.uid)).limit(workers)).all()
    house.cabinet.close()
    house.database.close()
    leave_what_stays()  # forked workers have it so from their beginning
    forking = multiprocessing.get_context("fork")
    warm, used = forking.Barrier(workers + 1), forking.SimpleQueue()

    def drain(id_: str) -> None:
        service = Service(House(house.settings))
        assert service.deal_with(id_)
        warm.wait(HALT)
        before = time.process_time()
        service.deal_with_all()
        used.put(time.process_time() - before)

    crew = [forking.Process(target=drain, args=(id_,)) for id_ in first]
    for worker in crew:
        worker.start()
    warm.wait(HALT)
    began = time.perf_counter()
    for worker in crew:
        worker.join()
    took, number = time.perf_counter() - began, len(names) * len(mails) - workers
    assert [worker.exitcode for worker in crew] == [0] * workers
    busy = sum(used.get() for _ in crew) / number
    return {f"drained_{kind}_{workers}_per_s": number / took, f"drained_{kind}_{workers}_busy_ms": ms(busy)}


def _wake(house: House) -> float:
    """What the clock looks at when it wakes and nothing is due, in many open games."""
    now, service = house.clock(), Service(house)
    with house.database.begin() as session:
        like = session.exec(select(GameRow).limit(1)).one().model_dump()
        rows = [{**like, "id": f"wake-{n}", "moderator_token": f"{n:032x}", "duel_id": None} for n in range(MANY)]
        session.execute(insert(GameRow), rows)
        later = {"kind": "move", "asked": now, "due": now + timedelta(days=2), "wake": now + timedelta(days=1)}
        sides = [(row["id"], side) for row in rows for side in "xy"]
        session.execute(insert(Seat), [{"game_id": game, "side": side, "joined": True} for game, side in sides])
        session.execute(insert(Due), [{**later, "game_id": row["id"], "side": "x", "key": "1/x/1"} for row in rows])
        session.execute(text("ANALYZE"))  # as a server does by itself soon after so many have come

    def woken() -> None:
        service.tick(now)
        next_wake(service.house)

    return best_of(woken, 20)


def _told(best: Best, mails: int) -> dict[str, Any]:
    best["postgres_ratio"] = best[f"served_{ROWS}_per_s"] / best[f"served_{FILES}_per_s"]
    best["two_workers_ratio"] = best[f"drained_{ROWS}_2_per_s"] / best[f"drained_{ROWS}_1_per_s"]
    told = {"turns": TURNS, "mails": mails, "many": MANY}
    figures = (figure(name, round(best[name], 2), **told) for name in TABLE["both_houses"])
    return Goals(**TABLE["houses"]).held_against(figures)
