"""A worker that is stopped and wakes up when another has done its work: what it wanted to write is refused."""

from __future__ import annotations

import os
import signal
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from engine.campaign import verify
from games import find_game
from pbem.house import House
from pbem.house import crash_points as steps
from pbem.inbox.storing import store
from pbem.service import Service
from pbem.store import database
from pbem.store.database_troubles import HouseTrouble
from tests.pbem import houses
from tests.pbem.desk.office import Office
from tests.pbem.houses import log_of

HASTY = {"options": "-c idle_in_transaction_session_timeout=700ms -c lock_timeout=30s"}
FENCED, UNHARMED = 3, 0
PATIENCE = 30.0


@pytest.fixture
def office(kind_of_house: str, tmp_path: Path) -> Office:
    if kind_of_house == houses.FILES:
        pytest.skip("a house on files has one worker")
    office = Office(tmp_path / "1")
    office.begin({"deadline": "48h"})
    return office


def stopped(office: Office, work: Callable[[House], object], at: str) -> int:
    """Another worker, standing still at a step of its work; gives its process."""
    office.house.close()
    settings = office.house.settings.model_copy(update={"home": office.home.with_name("2")})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside threads: this one takes none along
        child = os.fork()
    if child == 0:
        try:
            database.AT_A_SERVER = HASTY
            steps.listen(lambda step: os.kill(os.getpid(), signal.SIGSTOP) if step == at else None)
            work(House(settings, clock=lambda: office.now))
        except HouseTrouble:
            os._exit(FENCED)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(UNHARMED)
    _, status = os.waitpid(child, os.WUNTRACED)
    assert os.WIFSTOPPED(status)
    office.open()
    return child


def until(done: Callable[[], object]) -> None:
    """What another holds is let go after a while."""
    end = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


def woken(child: int) -> int:
    os.kill(child, signal.SIGCONT)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def nothing_is_doubled(office: Office, lines: int) -> None:
    campaign = office.house.campaign(office.game())
    assert campaign.count == lines
    assert verify(log_of(office.house, office.name), find_game).ok
    assert {(row.state, row.line is None) for row in office.mails()[-1:]} <= {("done", False), ("done", True)}
    answers = Counter(row.key for row in office.letters() if row.key.startswith("answer/"))
    assert sorted(answers) == sorted(f"answer/{row.id}" for row in office.mails())


@pytest.mark.parametrize("at", [steps.LINE_MADE, steps.BEFORE_COMMIT])
def test_one_stopped_over_a_mail(office: Office, at: str) -> None:
    office.post("soviet", "end")
    lines = office.house.campaign(office.game()).count
    child = stopped(office, lambda house: Service(house).deal_with_all(), at)
    until(office.service.deal_with_all)
    assert woken(child) == FENCED
    nothing_is_doubled(office, lines + 1)


def test_one_stopped_over_the_clock(office: Office) -> None:
    office.now += timedelta(hours=60)
    lines = office.house.campaign(office.game()).count
    child = stopped(office, lambda house: Service(house).tick(), steps.BEFORE_COMMIT)
    office.service.tick()  # waits for the game
    assert woken(child) == FENCED
    nothing_is_doubled(office, lines + 1)


def test_one_that_led_and_wakes_up_beside_another_does_no_harm(office: Office) -> None:
    raw, lines = office.raw("soviet", "end"), office.house.campaign(office.game()).count

    def lead(house: House) -> None:
        assert house.cabinet.leads("box", seconds=1)
        store(house, [("box;1", 7, raw)])
        Service(house).tick()

    child = stopped(office, lead, steps.AFTER_STORE)
    until(lambda: office.house.cabinet.leads("box", seconds=60))
    store(office.house, [("box;1", 7, raw)])  # it was not marked
    office.service.tick()
    assert woken(child) == UNHARMED
    nothing_is_doubled(office, lines + 1)
