"""The clock of a duel: one time for a whole turn, for both from the end of the one before."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from pbem.moderator.timing import extend, pause, resume
from pbem.store import Due
from pbem.store.database import utc
from tests.engine.outpost import RULEBOOK
from tests.patience import patience
from tests.pbem.desk.duellists import ANNA, BERT, GAMES, Duellists
from tests.pbem.shelf import only

DAY = 24


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Duellists]:
    only(monkeypatch, RULEBOOK)
    office = Duellists(tmp_path)
    office.begin_duel()
    yield office
    office.house.close()


def due(office: Duellists, who: str) -> datetime | None:
    with office.house.database.begin() as session:
        row = session.exec(select(Due).where(Due.game_id == GAMES[who])).first()
    return utc(row.due) if row is not None and row.due is not None else None


def flat(text: str) -> str:
    return " ".join(text.split())


def test_both_have_fourteen_days_for_a_turn_whatever_is_asked_in_it(office: Duellists) -> None:
    begun = office.now
    assert [due(office, who) for who in GAMES] == [begun + timedelta(days=14)] * 2
    office.write(ANNA, "move c/2 to 0303")
    office.wait(DAY)
    office.write(ANNA, "move c/2 to 0302")
    assert due(office, ANNA) == begun + timedelta(days=14)


def test_who_is_ahead_has_no_deadline_until_the_other_has_ended_the_turn(office: Duellists) -> None:
    begun = office.now
    office.write(ANNA, "end")
    assert due(office, ANNA) is None
    assert due(office, BERT) == begun + timedelta(days=14)
    office.wait(5 * DAY)
    office.write(BERT, "end")
    compared = office.now
    assert [due(office, who) for who in GAMES] == [compared + timedelta(days=14)] * 2
    told = office.told(ANNA, of="duel/1/turn/1/")[0]
    assert f"{(compared + timedelta(days=14)).day} january" in told.casefold()


def test_reminders_come_a_day_and_six_hours_before_and_say_what_is_due(office: Duellists) -> None:
    office.write(ANNA, "end")
    office.wait(13 * DAY + 1)
    office.wait(18)
    reminders = [row for row in office.letters() if row.key.startswith("reminder/")]
    assert [row.to for row in reminders] == [BERT, BERT]
    assert "Turn 1 of your duel is due by" in flat(office.told(BERT, of="reminder/")[0])


def test_who_has_not_ended_the_turn_by_then_has_lost_and_the_other_plays_on(office: Duellists) -> None:
    office.write(ANNA, "end")
    office.wait(13.9 * DAY)
    assert not office.duel().ended
    office.wait(0.2 * DAY)
    assert office.duel().ended == "Anna has won the duel: Bert did not end turn 1 in time."
    assert office.duel().winner == GAMES[ANNA]
    for who in GAMES:
        (told,) = office.told(who, of="duel/1/ended/")
        assert "Anna has won the duel" in flat(told)
    campaign = office.campaign(BERT)
    assert (campaign.last["act"], campaign.last["by"]) == ("correct", "clock")
    assert campaign.position.ended == "garrison did not end turn 1 in time"
    assert not campaign.revealed
    assert office.row(ANNA).state == "playing"
    assert due(office, ANNA) is None
    office.wait(100 * DAY)
    assert office.row(ANNA).state == "playing"
    waiting = patience("the end of the game", 50)
    while office.row(ANNA).state == "playing":
        next(waiting)
        office.write(ANNA, "end")
    assert office.campaign(BERT).revealed
    assert office.duel().winner == GAMES[ANNA]


def test_mail_that_came_before_the_deadline_counts(office: Duellists) -> None:
    office.write(ANNA, "end")
    office.now += timedelta(days=13)
    office.at(BERT).post("garrison", "end")
    office.wait(3 * DAY)
    assert not office.duel().ended
    assert office.duel().compared == 1


def test_if_neither_has_ended_the_turn_nobody_has_won(office: Duellists) -> None:
    office.wait(15 * DAY)
    assert office.duel().ended == "Neither of you ended turn 1 in time. That ends the duel, and nobody has won it."
    assert office.duel().winner == ""
    for who in GAMES:
        (told,) = office.told(who, of="duel/1/ended/")
        assert "Neither of you ended turn 1 in time." in flat(told)
        assert office.row(who).state == "playing"
        assert due(office, who) is None


def test_grace_is_told_of_and_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, RULEBOOK)
    office = Duellists(tmp_path)
    office.begin_duel(deadline="3d", grace="12h")
    office.write(ANNA, "end")
    office.wait(3 * DAY + 1)
    assert "then the duel is lost" in flat(office.told(BERT, of="reminder/")[-1])
    office.write(BERT, "end")
    assert office.duel().compared == 1
    office.house.close()


def test_wait_absence_and_the_moderator_give_more_time(office: Duellists) -> None:
    office.wait(5 * DAY)
    before = due(office, ANNA)
    assert before is not None
    assert "You may ask so 2 times more." in office.said(ANNA, "wait")
    assert due(office, ANNA) == office.now + timedelta(days=14)
    office.wait(12 * DAY)  # Bert's time is up, Anna's is not
    assert office.duel().winner == GAMES[ANNA]


def test_an_absence_keeps_the_deadline_away_and_is_told_to_the_other(office: Duellists) -> None:
    office.wait(7 * DAY)
    office.write(ANNA, "absent for 14 days")
    gone = due(office, ANNA)
    assert gone is not None
    assert gone > office.now + timedelta(days=13)
    assert "Anna is absent until" in flat(office.told(BERT)[-1])


def test_the_moderator_may_give_one_of_them_more_time_or_stop_his_clock(office: Duellists) -> None:
    first = due(office, ANNA)
    assert first is not None
    office.do(extend, "fort-1", "garrison", "5d")
    assert due(office, ANNA) == first + timedelta(days=5)
    office.do(pause, "fort-2")
    office.write(ANNA, "end")
    office.wait(30 * DAY)
    assert not office.duel().ended
    office.do(resume, "fort-2")
    office.write(BERT, "end")
    assert office.duel().compared == 1


def test_a_duel_held_for_the_moderator_waits_for_him(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, RULEBOOK)
    office = Duellists(tmp_path)
    office.begin_duel(at_deadline="hold")
    office.write(ANNA, "end")
    office.wait(15 * DAY)
    assert not office.duel().ended
    assert [row.to for row in office.letters() if row.key.startswith("held/")] == ["vera@field.example", BERT]
    office.house.close()


def test_a_duel_without_a_deadline_waits_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only(monkeypatch, RULEBOOK)
    office = Duellists(tmp_path)
    office.begin_duel(deadline="none")
    assert "There is no deadline." in flat(office.told(ANNA, of="invitation/")[0])
    office.write(ANNA, "end")
    office.wait(300 * DAY)
    assert not office.duel().ended
    office.house.close()
