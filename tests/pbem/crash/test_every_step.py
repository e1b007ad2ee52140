"""Killed at every durable step of whatever it does, on files and on PostgreSQL, it goes on as if it never had been.

What happens is prepared once, done once undisturbed, and then done again for each of its steps by a process that dies
there; the next one finds the house as that left it. Everywhere but in `.ci/run` a few of these deaths are enough.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlmodel import col, select

from engine.campaign import verify
from engine.canonical import canonical
from games import find_game
from pbem.desk import lifecycle
from pbem.house import House
from pbem.house.settings import Mailbox, Relay, Settings
from pbem.inbox import storing
from pbem.inbox.inbox import Fetched
from pbem.moderator import Act, ruling, setting_up, timing
from pbem.outbox.verp import envelope_sender
from pbem.service import Service
from pbem.service.serving import Daemon
from pbem.store import Due, GameRow, MailIn, MailOut, Player, Pulse, Seat
from tests.pbem import houses
from tests.pbem.crash.mortal import KILLED, alone, chosen, steps_of
from tests.pbem.desk.office import JOIN, Office, settings_at
from tests.pbem.houses import copied, log_of
from tests.stored import THOROUGH

NUMBER = re.compile(r"^outage/\d+/")  # a number that was taken and given back is not used again
BOX, UID, CAUSE = "box;1", 7, "c" * 32
TRIED: Counter[str] = Counter()  # deeds, by house
SOUND: set[bytes] = set()  # logs that have been verified


@dataclass(frozen=True)
class Deed:
    """Something that happens to a game: what came before, and then a mail, or time, or the moderator's hand."""

    before: tuple[tuple[str, str], ...] = (("soviet", JOIN[0]), ("german", JOIN[1]))
    mail: tuple[str, str] | None = None
    hours: float = 0.0
    unserved: bool = False  # nobody was there meanwhile
    by_hand: Callable[[Act], None] | None = None
    german: str = "bert@ford.example"


ORDERS = "when loss: retreat\nmove RD141 to 1107\nend\nattack 0604 with RD277\nend\npress a fine day"
BEGUN = Deed().before
WITH_A_BOT = (("soviet", JOIN[0]),)
DEEDS = {
    "join": Deed((("soviet", JOIN[0]),), ("german", JOIN[1])),
    "mail": Deed(mail=("soviet", ORDERS)),
    "refused mail": Deed((*BEGUN, ("soviet", ORDERS)), ("german", "fly away\nend")),
    "last mail": Deed((*BEGUN, ("soviet", ORDERS)), ("german", "resign for good")),
    "clock": Deed((*BEGUN, ("soviet", "move RD141 to 1107")), hours=60),
    "reminder": Deed(hours=40),
    "outage": Deed(hours=30, unserved=True),
    "bot": Deed(WITH_A_BOT, ("soviet", "end\nend\nend"), german="bot:random"),
    "bot by hand": Deed(
        WITH_A_BOT, by_hand=lambda act: ruling.act_for(act, "ford", "soviet", "end"), german="bot:random"
    ),
    "moderator by mail": Deed((*BEGUN, ("soviet", ORDERS)), ("moderator", "moderator rewind 0")),
    "rewind by hand": Deed((*BEGUN, ("soviet", ORDERS)), by_hand=lambda act: ruling.rewind(act, "ford", 0)),
    "pause by hand": Deed(by_hand=lambda act: timing.pause(act, "ford")),
    "new game by hand": Deed(
        by_hand=lambda act: setting_up.new(
            act, "korsun_spi", ["--soviet", "clara@weir.example", "--german", "bot:random"], "proving", name="weir"
        )
    ),
}


class Letterbox:
    """A mailbox that keeps its marks in a file."""

    trouble = ""

    def __init__(self, marks: Path, raws: list[bytes]) -> None:
        self.marks, self.raws = marks, raws

    def fetch(self, known: Callable[[str, list[int]], Collection[int]]) -> list[Fetched]:
        if not self.raws or self.marks.exists() or known(BOX, [UID]):
            return []
        return [(BOX, UID, self.raws[0])]

    def dealt_with(self, box: str, *uids: int) -> None:
        self.marks.touch()

    def interrupt(self) -> None: ...


class Street:
    """Where letters arrive; what has arrived is not asked back."""

    trouble = ""

    def __init__(self, arrived: Path) -> None:
        self.arrived = arrived

    async def send(self, sender: str, to: str, raw: bytes) -> None:
        with self.arrived.open("ab") as file:
            file.write(sender.encode() + b"\n")

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Life:
    """What a process does from its start until it has nothing left to do."""

    settings: Settings
    now: datetime
    raws: list[bytes]
    by_hand: Callable[[Act], None] | None = None

    @property
    def folder(self) -> Path:
        return self.settings.home.parent

    def house(self) -> House:
        return House(self.settings, clock=lambda: self.now)

    def work(self) -> None:
        """What may be cut short at any moment."""
        house = self.house()
        if self.by_hand is not None:
            self.act(house)
        else:
            self.serve(house)
        house.close()

    def serve(self, house: House) -> None:
        box = Mailbox(host="mail.example", user="post", password=SecretStr("word"))
        daemon = Daemon(house, box, Relay(host="mail.example"))
        daemon.inbox.close()
        daemon.inbox = Letterbox(self.folder / "marks", self.raws)  # type: ignore[assignment]
        daemon.transport = Street(self.folder / "arrived")
        with asyncio.Runner() as runner:
            daemon._take_up()
            daemon.once(runner)

    def act(self, house: House) -> None:
        """As the command line does it."""
        assert self.by_hand is not None
        with house.transaction() as session:
            self.by_hand(Act(house, session, cause=CAUSE))
        Service(house).play_bots_asked()

    def go_on(self) -> dict[str, Any]:
        """After a death: whoever acts by hand looks whether it is done; all else goes on by itself."""
        house = self.house()
        alone(house)
        if self.by_hand is not None and not _is_done(house):
            self.act(house)
        self.serve(house)
        found = account(house)
        self.all_have_arrived(house)
        house.close()
        return found

    def all_have_arrived(self, house: House) -> None:
        file = self.folder / "arrived"
        letters = Counter(file.read_text("ascii").splitlines() if file.exists() else [])
        assert letters.total() <= len(letters) + 1  # SMTP cannot be asked: what a death leaves open goes twice
        with house.database.reading() as session:
            sent = session.exec(select(MailOut.id).where(col(MailOut.tries) > 0)).all()
        assert set(letters) == {envelope_sender(house.settings.address, id_) for id_ in sent}


def _is_done(house: House) -> bool:
    with house.database.reading() as session:
        told = session.exec(select(MailOut.id).where(col(MailOut.key).contains(CAUSE))).first()
        return told is not None or session.get(GameRow, "weir") is not None


def account(house: House) -> dict[str, Any]:
    """All that must be the same whether anybody died or not."""
    with house.database.reading() as session:
        rows = {
            "letters": sorted(
                (NUMBER.sub("outage/", row.key), row.to, row.subject, row.state) for row in all_of(session, MailOut)
            ),
            "mails": sorted((row.id, row.state, row.line, row.line_hash) for row in all_of(session, MailIn)),
            "dues": sorted(
                (row.game_id, row.side, row.key, str(row.due), str(row.wake)) for row in all_of(session, Due)
            ),
            "seats": sorted((row.game_id, row.side, row.reported, row.joined) for row in all_of(session, Seat)),
            "people": sorted((row.address, row.answered, row.late, row.missed) for row in all_of(session, Player)),
        }
        games = all_of(session, GameRow)
        answers = Counter(key.split("/")[1] for key, *_ in rows["letters"] if key.startswith("answer/"))
        assert answers == Counter(id_ for id_, *_ in rows["mails"])  # one each
        for game in games:
            rows[game.id] = [game.state]
            if house.cabinet.has_log(session, game.id):
                campaign = house.campaign(game, session)
                rows[game.id] += [campaign.position.hash(), canonical(campaign.drawer.to_json())]
    for game in games:
        if game.id == "ford" and game.state != "joined":  # a new one's secret is its own
            rows["log"] = verified(house)
    return rows


def verified(house: House) -> bytes:
    """The log, every line of it; one with the same bytes is verified once."""
    log = houses.bytes_of(house, "ford")
    if log not in SOUND:
        assert verify(log_of(house, "ford"), find_game).ok
        SOUND.add(log)
    return log


def all_of(session: Any, table: Any) -> Any:
    return session.exec(select(table)).all()


@pytest.fixture(scope="module", autouse=True)
def _enough() -> Iterator[None]:
    """Where all are tried, on both houses."""
    yield
    if THOROUGH and len(KILLED) == 2 and min(TRIED.values()) == len(DEEDS):
        assert KILLED.total() >= 200, KILLED


@pytest.fixture(autouse=True)
def _alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lifecycle, "final_files", lambda room: [])  # replay and book take longer than all the rest
    monkeypatch.setattr(storing, "new_id", lambda: "a" * 32)


@pytest.mark.parametrize("name", DEEDS)
def test_a_death_at_any_step_changes_nothing(name: str, kind_of_house: str, tmp_path: Path) -> None:
    deed = DEEDS[name]
    prepared = tmp_path / "prepared" / "home"
    now, raws = prepare(deed, prepared)

    def life(folder: Path) -> Life:
        return Life(settings_at(copied(prepared, folder / "home")), now, raws, deed.by_hand)

    whole = life(tmp_path / "whole")
    steps = steps_of(whole.work, whole.settings.home)
    wanted = whole.go_on()
    for at in chosen(steps, [*DEEDS].index(name)):
        one = life(tmp_path / f"{at}")
        died = steps_of(one.work, one.settings.home, at)
        assert died == steps[: at + 1]
        assert one.go_on() == wanted, f"killed at step {at}, {died[-1]}"
        KILLED[kind_of_house] += 1
    TRIED[kind_of_house] += 1


def prepare(deed: Deed, home: Path) -> tuple[datetime, list[bytes]]:
    """A house in which all is ready for it; gives the time, and the mail that waits in the mailbox."""
    office = Office(home)
    office.invite({"deadline": "48h"}, chairs={"german": deed.german})
    for side, text in deed.before:
        office.mail(side, text)
    beat(office)
    raws = [office.raw(*deed.mail)] if deed.mail is not None else []
    office.now += timedelta(hours=deed.hours)
    if not deed.unserved:
        beat(office)
    with office.house.database.begin() as session:
        for row in session.exec(select(MailOut)).all():
            row.state = "sent"
    office.house.close()
    return office.now, raws


def beat(office: Office) -> None:
    """The service is well, so that no time that goes by is an outage."""
    now = office.now
    with office.house.database.begin() as session:
        session.merge(Pulse(id=1, ran=now, monotonic=time.monotonic(), fetched=now, sent=now, up=now))
