"""A hidden question by mail: neither that it was answered, nor how, nor how soon, can be told by its clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from engine.campaign import verify
from games import find_game
from pbem.clock.dues import set_dues
from pbem.house.room import Room
from pbem.store.database import utc
from tests.patience import patience
from tests.pbem.desk.office import Office, text_of
from tests.pbem.houses import log_of

HOURS = 12


def at_the_draw(home: Path, held: str, *, ask: bool = True) -> Office:
    """Turn 2 of a game by mail: a chit has been drawn, and the Axis hold one."""
    office = Office(home, rulebook="manstein")
    office.begin({"deadline": {"default": "48h", "window": f"{HOURS}h"}}, scenario="race")
    with office.house.transaction() as session:
        room = Room.of(office.house, session, office.name)
        waiting = patience("the second turn")
        while room.campaign.position.turn < 2:
            next(waiting)
            asked = next(a for a in room.campaign.asks if room.campaign.drawer.sealed(a.key) is None)
            over = asked.name in ("mode", "movement", "combat", "command", "negotiation")
            room.campaign.submit(asked.side, "end" if over else asked.default().line(), at=room.at)
        for seat in room.seats():
            seat.reported = room.campaign.count - 1
            session.add(seat)
        set_dues(room)
    if ask:
        office.mail("axis", "when drawn: ask")
    office.mail("soviet", "select Vrnz, Vrnz, Step, SW, Sth, Reinf")
    office.mail("axis", f"select 1PzA, 6A, 8A, Manstein hold {held}")
    return office


def wait_until(office: Office, moment: datetime) -> None:
    office.wait((moment - office.now) / timedelta(hours=1))


def to_the_soviets(office: Office, since: datetime) -> list[timedelta]:
    """When they were written to, counted from a moment."""
    to = office.people["soviet"]
    return [utc(row.queued) - since for row in office.letters() if row.to == to and utc(row.queued) > since]


@pytest.mark.parametrize("held", ["6A", "Manstein"])
@pytest.mark.parametrize("answer", ["", "pass", "enter 6A", "interrupt"])
@pytest.mark.parametrize("after", [1, HOURS - 1])
def test_the_opponent_hears_at_the_same_time_whatever_is_held_and_answered(
    tmp_path: Path, held: str, answer: str, after: int
) -> None:
    office = at_the_draw(tmp_path, held)
    asked = office.now
    office.wait(after)
    if answer:
        office.mail("axis", answer)
    wait_until(office, asked + timedelta(hours=HOURS, seconds=-1))
    assert to_the_soviets(office, asked) == []
    wait_until(office, asked + timedelta(hours=HOURS))
    assert to_the_soviets(office, asked) == [timedelta(hours=HOURS)]
    assert verify(log_of(office.house, office.name), find_game).ok


def test_an_answer_is_taken_down_and_carried_out_when_the_time_is_up(tmp_path: Path) -> None:
    office = at_the_draw(tmp_path, "Manstein")
    answer = text_of(office.mail("axis", "interrupt")[0])
    assert "taken down; opened when its time comes" in answer
    assert "Your orders: accepted" in answer
    assert office.house.campaign(office.game()).window is not None
    told = " ".join(text_of(row) for row in office.wait(HOURS) if row.to == office.people["axis"])
    assert "Manstein interrupts" in told
    assert "ANSWERED FOR YOU\n  interrupt\n" in told


def test_the_later_answer_counts_and_a_withdrawn_one_does_not(tmp_path: Path) -> None:
    office = at_the_draw(tmp_path, "Manstein")
    office.mail("axis", "pass")
    office.mail("axis", "interrupt")
    office.mail("axis", "withdraw")
    told = " ".join(text_of(row) for row in office.wait(HOURS))
    assert "Manstein interrupts" not in told


def test_a_faulty_answer_is_refused_at_once_and_the_time_runs_on(tmp_path: Path) -> None:
    office = at_the_draw(tmp_path, "6A")
    asked = office.now
    assert "You hold no Manstein chit" in text_of(office.mail("axis", "interrupt")[0])
    assert "whatever you do" in " ".join(text_of(office.mail("axis", "wait")[0]).split())
    office.wait(HOURS)
    assert len(to_the_soviets(office, asked)) == 1


def test_whoever_has_not_said_ask_makes_nobody_wait(tmp_path: Path) -> None:
    office = at_the_draw(tmp_path, "Manstein", ask=False)
    assert office.house.campaign(office.game()).window is None


def test_a_stop_in_between_loses_neither_the_answer_nor_the_hour(tmp_path: Path) -> None:
    office = at_the_draw(tmp_path, "Manstein")
    asked = office.now
    office.mail("axis", "interrupt")
    office.house.close()
    office.open()
    told = " ".join(text_of(row) for row in office.wait(HOURS - 1 / 6))
    assert "Manstein interrupts" in told
    assert to_the_soviets(office, asked) == [timedelta(hours=HOURS)]


def test_the_opponent_is_told_when_the_game_goes_on(tmp_path: Path) -> None:
    office = at_the_draw(tmp_path, "6A")
    kyiv = office.now + timedelta(hours=HOURS + 2)
    told = " ".join(text_of(office.mail("soviet", "status")[0]).split())
    assert f"The game goes on at {kyiv:%A} {kyiv.day} January 2026, {kyiv:%H:%M}" in told


def test_a_player_hears_of_an_answer_that_the_moderator_gave_for_him_and_his_opponent_does_not(tmp_path: Path) -> None:
    office = at_the_draw(tmp_path, "Manstein")
    written = office.mail("moderator", "moderator act axis\ninterrupt")
    told = {row.to: text_of(row) for row in written}
    assert "interrupt -- taken down" in told[office.people["axis"]]
    assert office.people["soviet"] not in told
    assert office.house.campaign(office.game()).window is not None
