"""Many games at once on a cluster of workers of which one is killed again and again; each must come out like the first.

Workers share the PostgreSQL, by the path of its socket, and the program's files. Where the machine allows it each has a
network of its own with nothing in it; homes are their own anyway.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, Any

from sqlmodel import Session, col, func, select

from engine.campaign import verify_lines
from engine.canonical import canonical
from games import find_game
from pbem.house import House
from pbem.house.owner_only import private_folder
from pbem.outbox.verp import envelope_sender
from pbem.service import Service
from pbem.store import Due, GameRow, MailIn, MailOut, Seat
from tests.pbem.desk.office import JOIN, PEOPLE, Office

ROOT, WORKER = Path(__file__).parents[3], Path(__file__).with_name("worker.py")
ORDERS = "when loss: retreat\nmove RD141 to 1107\nend\nattack 0604 with RD277\nend\npress a fine day"
# By the bot that sits on the second chair, if one does: the mails of a game, in their order.
MAILS = {
    "": (
        ("soviet", JOIN[0]), ("german", JOIN[1]), ("soviet", ORDERS), ("german", "fly away\nend"),
        ("german", "absent for 3 days\nmove 97 to 0504\nend"), ("soviet", "end\nend"),
    ),
    "bot:random": (("soviet", JOIN[0]), ("soviet", "end\nend\nend"), ("soviet", "press good luck")),
}  # fmt: skip
PATIENCE = 900.0  # seconds without a mail that is dealt with
BEGAN = datetime.now(UTC) - timedelta(hours=3)  # by the clock of the workers


@dataclass
class Played:
    games: int
    mails: int = 0
    kills: int = 0
    seconds: float = 0.0
    own_networks: bool = False
    doubled: int = 0  # letters that went out twice, under the same Message-ID
    letters: int = 0
    faults: list[str] = field(default_factory=list)


class Worker:
    """A process with a home of its own, which lets others die for it."""

    def __init__(self, settings: Any, alone: list[str]) -> None:
        self.home = settings.home
        given = {"PBEM_HOME": str(self.home), "PBEM_DATABASE": settings.database, "PBEM_ADDRESS": settings.address}
        given |= {"PBEM_MODERATOR": settings.moderator, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
        with (self.home / "journal").open("ab") as journal:
            self.process = subprocess.Popen(
                [*alone, sys.executable, str(WORKER)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=journal, text=True,
                env={name: value for name, value in os.environ.items() if not name.startswith("PBEM_")} | given,
            )  # fmt: skip
        assert self._said() == "ready"
        self.start()

    def start(self) -> None:
        _pipe(self.process.stdin).write("start\n")
        _pipe(self.process.stdin).flush()
        self.child = int(self._said())

    def kill(self) -> None:
        os.kill(self.child, signal.SIGKILL)
        self.start()

    def stop(self) -> None:
        with suppress(ProcessLookupError):  # it has ended by itself, and its journal says why
            os.kill(self.child, signal.SIGTERM)
        _pipe(self.process.stdin).close()
        self.process.wait(60)
        _pipe(self.process.stdout).close()

    def _said(self) -> str:
        return _pipe(self.process.stdout).readline().strip()


def _pipe(end: IO[str] | None) -> IO[str]:
    assert end is not None
    return end


def play(home: Path, url: str, games: int, workers: int = 2, every: int = 40, seed: int = 1944) -> Played:
    """Invites and stores all mails first, one game of each kind undisturbed; then workers deal with the rest.

    One of them dies for every so many mails and letters, so that a fast machine kills as often as a slow one.
    """
    alone = ["unshare", "-n"] if shutil.which("unshare") and _may("unshare", "-n", "true") else []
    found, chance = Played(games, own_networks=bool(alone)), random.Random(seed)
    office = Office(home, database=url)
    kinds = list(MAILS)
    firsts = [_stored(office, f"first-{number}", kind) for number, kind in enumerate(kinds)]
    Service(office.house).deal_with_all()
    names = [_stored(office, f"game-{number}", kinds[number % len(kinds)]) for number in range(games)]
    with ExitStack() as stack:
        crew = []
        for number in range(1, workers + 1):
            own = private_folder(home.with_name(f"worker-{number}"))
            crew.append(Worker(office.house.settings.model_copy(update={"home": own}), alone))
            stack.callback(crew[-1].stop)
        began = time.monotonic()
        left, at_death, quiet = -1, _dealt_with(office.house), began
        while (now := _left(office.house)) != 0:
            if now != left:
                left, quiet = now, time.monotonic()
            assert time.monotonic() - quiet < PATIENCE, f"nothing happens any more, {left} are left"
            if (dealt_with := _dealt_with(office.house)) >= at_death + every:
                chance.choice(crew).kill()
                at_death, found.kills = dealt_with, found.kills + 1
            time.sleep(0.05)
    found.seconds = time.monotonic() - began
    with office.house.database.reading() as session:
        found.mails = session.exec(select(func.count()).select_from(MailIn)).one()
    wanted = [_account(office.house, first) for first in firsts]
    for number, name in enumerate(names):
        found.faults += _faults(office.house, name, wanted[number % len(kinds)])
    _count_letters(office.house, [worker.home / "sent" for worker in crew], found)
    office.house.close()
    return found


def _may(*words: str) -> bool:
    return subprocess.run(words, check=False, capture_output=True).returncode == 0


def _stored(office: Office, name: str, german: str) -> str:
    """A game that is invited, and all its mails stored as if they had come, in their order."""
    office.name, office.now = name, BEGAN
    office.people = {side: f"{side}@{name}.example" for side in PEOPLE}  # nobody writes more than anybody may
    office.invite({"deadline": "48h"}, chairs={"german": german} if german else {})
    for side, text in MAILS[german]:
        office.post(side, text)
    return name


def _left(house: House) -> int:
    """Mails that are not dealt with, bots that are asked, letters that are not sent."""
    with house.database.reading() as session:
        mails = select(func.count()).select_from(MailIn).where(MailIn.state == "stored")
        letters = select(func.count()).select_from(MailOut).where(MailOut.state == "queued")
        return session.exec(mails).one() + session.exec(letters).one() + len(Service(house).bots_asked())


def _dealt_with(house: House) -> int:
    """Mails that are dealt with and letters that are sent: never fewer than before."""
    with house.database.reading() as session:
        mails = select(func.count()).select_from(MailIn).where(MailIn.state != "stored")
        letters = select(func.count()).select_from(MailOut).where(MailOut.state != "queued")
        return session.exec(mails).one() + session.exec(letters).one()


def _account(house: House, name: str) -> dict[str, Any]:
    """All that must be the same in games of a kind."""
    with house.database.reading() as session:
        game = session.get_one(GameRow, name)
        campaign = house.campaign(game, session)
        mails = session.exec(select(MailIn).where(MailIn.game_id == name).order_by(col(MailIn.received))).all()
        numbers = {mail.id: str(number) for number, mail in enumerate(mails)}
        return {
            "state": game.state,
            "position": campaign.position.hash(),
            "lines": campaign.count,
            "drawer": canonical(campaign.drawer.to_json()),
            "mails": [(mail.state, mail.line) for mail in mails],
            "letters": _letters(session, name, numbers),
            "dues": sorted(session.exec(select(Due.side, Due.key).where(Due.game_id == name)).all()),
            "told": sorted(session.exec(select(Seat.side, Seat.reported).where(Seat.game_id == name)).all()),
        }


def _letters(session: Session, name: str, numbers: dict[str, str]) -> list[str]:
    keys = session.exec(select(MailOut.key).where(MailOut.game_id == name)).all()
    return sorted("/".join(numbers.get(part, part).replace(name, "GAME") for part in key.split("/")) for key in keys)


def _faults(house: House, name: str, wanted: dict[str, Any]) -> list[str]:
    found = _account(house, name)
    others = [what for what in wanted if found[what] != wanted[what]]
    faults = [f"{name}: {what}: {found[what]!r} is not {wanted[what]!r}" for what in others]
    with house.database.reading() as session:
        campaign = house.campaign(session.get_one(GameRow, name), session)
        checked = verify_lines(campaign.lines(), campaign.secret, find_game)
    return faults + [f"{name}: {fault}" for fault in checked.faults]


def _count_letters(house: House, files: list[Path], found: Played) -> None:
    """Each went out, and again only where somebody was killed over it."""
    sent = Counter(line for file in files if file.exists() for line in file.read_text("ascii").splitlines())
    with house.database.reading() as session:
        rows = session.exec(select(MailOut.id)).all()
    found.letters, found.doubled = len(rows), sent.total() - len(sent)
    lost = {envelope_sender(house.settings.address, row) for row in rows} - set(sent)
    found.faults += [f"{letter} never went out" for letter in sorted(lost)]
    if found.doubled > found.kills:
        found.faults.append(f"{found.doubled} letters went out twice")
