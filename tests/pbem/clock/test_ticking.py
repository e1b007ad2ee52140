"""The clock at work: each reminder once, all mail before the deadline, and then a line of its own."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from engine.campaign import verify
from games import find_game
from pbem.service.ticking import next_wake
from pbem.store import Player
from tests.pbem.desk.office import NOON, PEOPLE, Office, text_of
from tests.pbem.houses import log_of


@pytest.fixture
def office(tmp_path: Path) -> Office:
    office = Office(tmp_path)
    office.begin({"deadline": "48h", "grace": "6h"})
    return office


def kinds(office: Office, hours: float) -> list[str]:
    return [row.key.partition("/")[0] for row in office.wait(hours)]


def test_the_ladder_of_reminders_is_climbed_once(office: Office) -> None:
    climbed = [kind for _ in range(60) for kind in kinds(office, 1)]
    assert climbed.count("reminder") == 3  # a day before, six hours before, and at the deadline
    assert climbed.count("report") == 2


def test_a_service_that_slept_reminds_once_and_not_for_every_rung(office: Office) -> None:
    assert kinds(office, 45) == ["reminder"]
    assert kinds(office, 0) == []


def test_mail_that_came_before_the_deadline_is_dealt_with_first(office: Office) -> None:
    office.now = NOON + timedelta(hours=53)
    office.post("soviet", "move RD141 to 1107\nend\nend\nend")
    office.wait(24)
    lines = office.house.campaign(office.game()).lines()
    assert [line["act"] for line in lines[1:]] == ["orders"]


def test_what_the_clock_answers_is_a_line_that_verifies(office: Office) -> None:
    office.wait(55)
    lines = office.house.campaign(office.game()).lines()
    assert (lines[1]["act"], lines[1]["by"]) == ("deadline", "clock")
    assert verify(log_of(office.house, "ford"), find_game).ok


def test_the_late_player_reads_what_the_clock_answered_for_him_and_his_opponent_does_not(office: Office) -> None:
    told = {row.to: text_of(row) for row in office.wait(55)}
    assert "ANSWERED FOR YOU\n  end\n" in told[PEOPLE["soviet"]]
    assert "ANSWERED FOR YOU" not in told[PEOPLE["german"]]


def test_the_moderator_can_see_who_answers_and_who_does_not(office: Office) -> None:
    office.mail("soviet", "end")
    office.wait(80)
    with office.house.database.begin() as session:
        anna = session.exec(select(Player).where(Player.address == PEOPLE["soviet"])).one()
    assert (anna.answered, anna.late, anna.missed) == (1, 0, 1)
    assert anna.seconds > 0


def test_a_late_answer_within_the_grace_counts_as_late(office: Office) -> None:
    office.wait(50)
    office.mail("soviet", "end\nend\nend")
    with office.house.database.begin() as session:
        anna = session.exec(select(Player).where(Player.address == PEOPLE["soviet"])).one()
    assert (anna.answered, anna.late, anna.missed) == (0, 1, 0)


def test_the_service_knows_when_to_wake(office: Office) -> None:
    asked = office.now
    assert next_wake(office.house) == asked + timedelta(hours=24)
    office.wait(25)
    assert next_wake(office.house) == asked + timedelta(hours=42)
    office.mail("soviet", "resign for good")
    assert next_wake(office.house) is None


def test_orders_within_a_phase_do_not_move_its_deadline(office: Office) -> None:
    before = next_wake(office.house)
    office.mail("soviet", "move RD141 to 1107")
    assert next_wake(office.house) == before
