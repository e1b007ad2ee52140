"""Workers on one PostgreSQL: each mail once and in its order, one leader, and whoever is stopped is fenced off."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import select

from engine.campaign import verify
from games import find_game
from pbem.house import House
from pbem.house import crash_points as steps
from pbem.house.room import Room
from pbem.inbox.storing import store
from pbem.outbox.sending import send_due
from pbem.service import Service
from pbem.service.heartbeat import Heartbeat
from pbem.store import Outage, Player
from pbem.store.database_troubles import HouseTrouble
from tests.pbem import houses
from tests.pbem.desk.office import Office
from tests.pbem.houses import log_of

ALL_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() "
    "AND pid <> pg_backend_pid()"
)


@pytest.fixture
def office(kind_of_house: str, tmp_path: Path) -> Office:
    if not houses.SERVER:
        pytest.skip("FIELDPOST_TEST_POSTGRES names no server")
    if kind_of_house == houses.FILES:
        pytest.skip("a house on files has one worker")
    office = Office(tmp_path / "1")
    office.begin({"deadline": "48h"})
    return office


@pytest.fixture
def colleague(office: Office, tmp_path: Path) -> Iterator[House]:
    """Another worker, with a home of its own."""
    settings = office.house.settings.model_copy(update={"home": tmp_path / "2"})
    house = House(settings, clock=lambda: office.now)
    yield house
    house.close()


def at_once(*works: object) -> None:
    threads = [threading.Thread(target=work) for work in works]  # type: ignore[arg-type]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_two_workers_deal_with_each_mail_once_and_in_its_order(office: Office, colleague: House) -> None:
    for number in range(8):
        office.post("soviet", f"press word {number}")
    office.post("soviet", "end")
    at_once(office.service.deal_with_all, Service(colleague).deal_with_all)
    assert {(row.state, row.tries) for row in office.mails()} == {("done", 1)}
    told = [row for row in office.letters() if row.key.startswith("notice/")]
    by_mail = {row.id: number for number, row in enumerate(office.mails())}
    assert [by_mail[row.key.split("/")[1]] for row in told] == sorted(by_mail[row.key.split("/")[1]] for row in told)
    answers = Counter(row.key for row in office.letters() if row.key.startswith("answer/"))
    assert set(answers.values()) == {1}
    assert len(answers) == len(office.mails())
    assert verify(log_of(office.house, office.name), find_game).ok


def test_who_meets_another_asks_anew_what_is_left(office: Office, colleague: House) -> None:
    """Else he would take up, one by one, what the other has done."""
    names = "ford", "mill", "weir", "lock"
    for name in names[1:]:
        office.name = name
        office.begin({"deadline": "48h"})
    for name in names:
        office.name = name
        office.post("soviet", "end")
    claimed: list[str] = []
    claim = office.house.cabinet.claim

    def noted(what: str) -> AbstractContextManager[bool]:
        claimed.append(what)
        if len(claimed) == 2:  # he has dealt with one, and the other has done all but the last since
            for _, mail in zip(range(2), (row.id for row in office.mails() if row.state == "stored"), strict=False):
                assert Service(colleague).deal_with(mail)
        return claim(what)

    office.house.cabinet.claim = noted  # type: ignore[method-assign]
    assert office.service.deal_with_all() == 2
    assert claimed == ["mail/ford", "mail/mill", "mail/lock"]


def test_what_another_has_claimed_is_left_to_him(office: Office, colleague: House) -> None:
    mail = office.post("soviet", "end")
    with colleague.cabinet.claim(f"mail/{office.name}") as claimed:
        assert claimed
        assert office.service.deal_with_all() == 0
    assert office.service.deal_with_all() == 1
    assert [row.state for row in office.mails() if row.id == mail] == ["done"]


def test_a_worker_that_stands_still_is_fenced_off(office: Office, colleague: House) -> None:
    """Its lock goes with its connection, and what it decided meanwhile never was."""

    def late() -> None:
        with office.house.transaction() as session:
            session.execute(text("SET LOCAL idle_in_transaction_session_timeout = '300ms'"))
            room = Room.of(office.house, session, office.name)
            room.campaign.stand("soviet", "when loss: retreat")
            time.sleep(0.8)

    before = office.house.campaign(office.game()).count
    with pytest.raises(HouseTrouble):
        late()
    with colleague.transaction() as session:
        room = Room.of(colleague, session, office.name)
        assert not room.campaign.drawer.standing.get("soviet")
        assert room.campaign.count == before


def test_a_connection_that_is_lost_is_trouble_and_no_mails_fault(office: Office, colleague: House) -> None:
    mail = office.post("soviet", "end")
    with colleague.database.begin() as session:
        session.execute(text(ALL_OTHERS))
    with pytest.raises(HouseTrouble):
        office.service.deal_with_all()
    assert office.service.deal_with_all() == 1
    assert [(row.state, row.tries) for row in office.mails() if row.id == mail] == [("done", 1)]


def test_one_game_has_one_writer(office: Office, colleague: House) -> None:
    order: list[str] = []
    held = threading.Event()

    def first() -> None:
        with office.house.transaction() as session:
            Room.of(office.house, session, office.name).campaign.stand("soviet", "when loss: retreat")
            held.set()
            time.sleep(0.3)
            order.append("first")

    def second() -> None:
        held.wait()
        with colleague.transaction() as session:
            room = Room.of(colleague, session, office.name)
            order.append("second")
            assert room.campaign.drawer.standing["soviet"]

    at_once(first, second)
    assert order == ["first", "second"]


def test_one_leads_until_it_is_gone(office: Office, colleague: House) -> None:
    assert office.house.cabinet.leads("box", seconds=60)
    assert office.house.cabinet.leads("box", seconds=60)
    assert not colleague.cabinet.leads("box", seconds=60)
    assert colleague.cabinet.leads("another box", seconds=60)
    office.house.cabinet.close()
    colleague.cabinet.step_down()
    assert colleague.cabinet.leads("box", seconds=60)


def test_one_that_does_not_ask_for_too_long_leads_no_more(office: Office, colleague: House) -> None:
    assert office.house.cabinet.leads("box", seconds=1)
    time.sleep(1.5)
    assert colleague.cabinet.leads("box", seconds=60)
    with pytest.raises(HouseTrouble):
        office.house.cabinet.leads("box", seconds=1)
    assert not office.house.cabinet.leads("box", seconds=1)


def test_two_leaders_store_a_mail_once(office: Office, colleague: House) -> None:
    raw, before = office.raw("soviet", "end"), len(office.mails())
    at_once(*(lambda house=house: store(house, [("box", 7, raw)]) for house in (office.house, colleague)))
    assert len(office.mails()) == before + 1


def test_mail_that_waits_comes_before_the_clock(office: Office, colleague: House) -> None:
    office.now += timedelta(hours=60)
    office.post("soviet", "end")
    before = office.house.campaign(office.game()).count
    with colleague.cabinet.claim(f"mail/{office.name}"):
        office.service.tick()
    assert office.house.campaign(office.game()).count == before
    office.service.tick()
    assert office.house.campaign(office.game()).lines()[before]["by"] == "soviet"


def test_a_bell_is_heard_by_the_others(office: Office, colleague: House) -> None:
    assert not colleague.cabinet.rung()
    store(office.house, [("box", 7, office.raw("soviet", "end"))])
    time.sleep(0.2)
    assert colleague.cabinet.rung()
    assert not colleague.cabinet.rung()


def test_another_machines_clocks_are_not_compared_with_ones_own(office: Office, colleague: House) -> None:
    Heartbeat(office.house, monotonic=lambda: 10.0).beat(office.now, fetched=True, sending=True)
    office.now += timedelta(minutes=1)
    Heartbeat(colleague, monotonic=lambda: 1_000_000.0).beat(office.now, fetched=True, sending=True)
    with colleague.database.reading() as session:
        assert session.get(Outage, 1) is None


def test_a_record_counts_both_of_two_games_judged_at_once(office: Office, colleague: House) -> None:
    office.name = "mill"
    office.begin({"deadline": "48h"})
    mails = [office.post("soviet", "end")]
    office.name = "ford"
    mails += [office.post("soviet", "end")]
    both = threading.Barrier(2, timeout=20)
    hear_no_more = steps.listen(lambda step: both.wait() and None if step == steps.LINE_MADE else None)
    try:
        at_once(lambda: office.service.deal_with(mails[0]), lambda: Service(colleague).deal_with(mails[1]))
    finally:
        hear_no_more()
    with colleague.database.reading() as session:
        anna = session.exec(select(Player).where(Player.address == office.people["soviet"])).one()
    assert anna.answered == 2
    assert {row.state for row in office.mails()} == {"done"}


def test_an_outage_waits_for_the_games_in_hand(office: Office, colleague: House) -> None:
    heart = Heartbeat(colleague)
    heart.beat(office.now, fetched=True, sending=True)
    office.now += timedelta(hours=5)
    mail, in_hand, order = office.post("soviet", "end"), threading.Event(), list[str]()

    def dealt(step: str) -> None:
        if step == steps.BEFORE_COMMIT:
            in_hand.set()
            time.sleep(0.4)
            order.append("mail")

    def outage() -> None:
        in_hand.wait()
        heart.beat(office.now, fetched=True, sending=True)
        order.append("outage")

    hear_no_more = steps.listen(dealt)
    try:
        at_once(lambda: office.service.deal_with(mail), outage)
    finally:
        hear_no_more()
    assert order == ["mail", "outage"]
    with colleague.database.reading() as session:
        assert len(session.exec(select(Outage)).all()) == 1


def test_two_that_lead_for_a_moment_note_an_outage_once(
    office: Office, colleague: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    hearts = [Heartbeat(office.house), Heartbeat(colleague)]
    hearts[0].beat(office.now, fetched=True, sending=True)
    office.now += timedelta(hours=5)
    note = Heartbeat._note
    monkeypatch.setattr(Heartbeat, "_note", lambda *said: (time.sleep(0.3), note(*said))[1])
    at_once(*(lambda heart=heart: heart.beat(office.now, fetched=True, sending=True) for heart in hearts))
    with colleague.database.reading() as session:
        assert len(session.exec(select(Outage)).all()) == 1


def test_two_workers_send_each_letter_once(office: Office, colleague: House) -> None:
    sent: list[bytes] = []

    class Slow:
        async def send(self, sender: str, to: str, raw: bytes) -> None:
            await asyncio.sleep(0.05)
            sent.append(raw)

    office.mail("soviet", "end")
    at_once(*(lambda house=house: asyncio.run(send_due(house, Slow())) for house in (office.house, colleague)))
    assert len(sent) == len(set(sent)) == len(office.letters("sent")) == len(office.letters())
