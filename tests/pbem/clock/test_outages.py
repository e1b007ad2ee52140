"""Nobody loses a turn because the post office was shut: deadlines move by the time without mail service, once."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

import games
from pbem.house.crash_points import OUTAGE_NOTED, listen
from pbem.moderator import Act, ruling, timing
from pbem.service import heartbeat
from pbem.store import Database, Invitation, Outage, Player, Pulse, Seat
from pbem.store.database import utc
from tests.pbem.clock.served import Served
from tests.pbem.clock.test_windows import at_the_draw
from tests.pbem.desk.office import MODERATOR, NOON, PEOPLE, text_of

ANNA, BERT = PEOPLE["soviet"], PEOPLE["german"]
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)


@pytest.fixture
def office(tmp_path: Path) -> Served:
    """Anna has 48 hours, less what has gone by."""
    office = Served(tmp_path)
    office.begin({"deadline": "48h"})
    office.serve(1)
    return office


def outages(office: Served) -> list[timedelta]:
    with office.house.database.begin() as session:
        return [utc(one.until) - utc(one.since) for one in session.exec(select(Outage)).all()]


def test_a_service_that_did_not_run_gives_its_players_the_time_back(office: Served) -> None:
    left = office.left()
    letters = office.stand(60)  # the deadline fell into it
    assert office.left() == left
    assert office.acts() == []
    told = {row.to: text_of(row) for row in letters}
    assert set(told) == {ANNA, MODERATOR}
    assert "YOUR DEADLINE HAS MOVED" in told[ANNA]
    assert "There was no mail service from Monday 5 January 2026, 15:20" in " ".join(told[ANNA].split())
    assert "you have until Saturday 10 January 2026, 02:20 (Europe/Kyiv)" in " ".join(told[ANNA].split())
    said = " ".join(told[MODERATOR].split())
    assert "the service did not run" in said
    assert f"ford: soviet ({ANNA}) has until Saturday 10 January 2026, 00:20 UTC, 60 hours later." in said
    assert not any(row.key.startswith("outage") for row in office.serve(3))


def test_reminders_follow_the_deadline_that_moved(office: Served) -> None:
    office.serve(25)  # a day before it he was reminded
    office.stand(30)
    written = [row.subject for row in office.serve(16)]
    assert written == ["Reminder: your move, 6 hours left, by today 20:20 [ford]"]
    assert [row.key.partition("/")[0] for row in office.serve(7)] == ["report", "report"]


@pytest.mark.parametrize("broken", ["box", "lorry"])
def test_no_deadline_is_missed_while_mail_cannot_be_fetched_or_sent(office: Served, broken: str) -> None:
    office.serve(46)
    left = office.left()
    getattr(office, broken).works = False
    office.mail("german", "status", minutes=0)  # something to send
    written = office.serve(5)
    assert office.acts() == []
    assert not any(row.key.startswith(("outage", "report")) for row in written)
    getattr(office, broken).works = True
    told = office.serve(1 / 60)
    assert sorted(row.to for row in told if row.key.startswith("outage")) == [ANNA, MODERATOR]
    assert timedelta(0) <= left - office.left() <= MINUTE
    what = "fetched" if broken == "box" else "sent"
    assert f"mail could not be {what}" in " ".join(text_of(next(row for row in told if row.to == MODERATOR)).split())
    office.serve(2)
    assert office.acts() == ["deadline"]


def test_orders_that_lay_in_the_mailbox_during_the_outage_are_in_time(office: Served) -> None:
    office.serve(46)
    office.box.works = False
    office.box.waiting.append(office.raw("soviet", "end\nend\nend"))
    office.serve(6)
    office.box.works = True
    office.round()
    assert office.acts() == ["orders"]
    with office.house.database.begin() as session:
        anna = session.exec(select(Player).where(Player.address == ANNA)).one()
    assert (anna.answered, anna.late, anna.missed) == (1, 0, 0)


def test_a_short_break_moves_nothing(office: Served) -> None:
    due = office.due().due
    assert office.stand(50 / 60) == []
    assert office.due().due == due


def test_what_counts_as_an_outage_is_a_setting(office: Served) -> None:
    due = office.due().due
    office.house.settings.times.outage_minutes = 180
    office.daemon.heart = heartbeat.Heartbeat(office.house, monotonic=lambda: office.monotonic)
    office.pass_time(2 * HOUR)
    office.round()
    assert office.due().due == due
    office.pass_time(4 * HOUR)
    office.round()
    assert outages(office) == [4 * HOUR]


def test_whoever_looks_into_his_mailbox_seldom_is_not_out_of_order(office: Served) -> None:
    office.daemon.heart = heartbeat.Heartbeat(office.house, poll=3600, monotonic=lambda: office.monotonic)
    office.pass_time(2 * HOUR)
    office.round()
    assert outages(office) == []


def test_the_first_start_is_no_outage(tmp_path: Path) -> None:
    office = Served(tmp_path)
    office.begin({"deadline": "48h"})
    office.pass_time(20 * HOUR)
    assert office.round() == []
    assert outages(office) == []


def test_a_clock_that_jumps_ahead_takes_nobodys_time(office: Served) -> None:
    left = office.left()
    office.now += 90 * HOUR  # and the other clock has not moved
    letters = office.round()
    assert office.left() == left
    said = " ".join(text_of(next(row for row in letters if row.to == MODERATOR)).split())
    assert "the machine slept, or its clock was put forward" in said


def test_a_clock_that_is_put_back_takes_nobodys_time_either(office: Served) -> None:
    due = office.due().due
    office.now -= 5 * HOUR
    assert office.round() == []
    assert office.due().due == due  # as Anna was told
    assert office.serve(2) == []


def test_a_clock_that_was_ahead_and_is_put_right_leaves_deadlines_as_they_were(office: Served) -> None:
    left = office.left()
    office.now += 3 * 365 * 24 * HOUR
    office.round()
    office.now -= 3 * 365 * 24 * HOUR
    letters = office.round()
    assert office.left() == left
    told = {row.to: " ".join(text_of(row).split()) for row in letters}
    assert set(told) == {ANNA, MODERATOR}
    assert "The clock of the service was wrong, and has been put right" in told[ANNA]
    assert office.serve(2) == []


def test_what_was_asked_by_a_clock_that_was_ahead_is_due_when_it_should_be(office: Served) -> None:
    office.now += 900 * HOUR
    office.round()
    office.mail("soviet", "end\nend\nend", minutes=0)
    left = office.left("german")
    office.now -= 900 * HOUR
    office.round()
    assert office.left("german") == left


def test_only_the_part_of_the_outage_in_which_a_question_was_open_counts(office: Served) -> None:
    office.box.works = False
    office.serve(4)
    with office.house.transaction() as session:
        ruling.act_for(Act(office.house, session), "ford", "soviet", "end\nend\nend")
    asked = office.left("german")
    office.serve(3)
    office.box.works = True
    office.round()
    assert office.left("german") == asked  # his three hours and no more


def test_outages_that_overlap_are_one(office: Served) -> None:
    left = office.left()
    office.box.works = False
    office.serve(3)
    office.lorry.works = False
    office.serve(2)
    office.stand(5)
    assert office.left() == left
    assert outages(office) == [10 * HOUR]


def test_a_paused_game_is_left_alone_and_nothing_is_given_twice(office: Served) -> None:
    left = office.left()
    pause(office, timing.pause)
    assert office.stand(9) == []
    pause(office, timing.resume)
    assert office.left() == left


def test_a_game_paused_and_resumed_within_an_outage_loses_and_gains_nothing(office: Served) -> None:
    left = office.left()
    for verb in (timing.pause, timing.resume):
        office.pass_time(2 * HOUR)
        pause(office, verb)
    office.stand(2)
    assert office.left() == left


def pause(office: Served, verb: object) -> None:
    with office.house.transaction() as session:
        verb(Act(office.house, session), "ford")  # type: ignore[operator]


def test_a_stop_between_the_move_and_the_letters_loses_none_and_moves_nothing_twice(office: Served) -> None:
    left = office.left()

    def dies(step: str) -> None:
        if step == OUTAGE_NOTED:
            raise KeyboardInterrupt

    stop = listen(dies)
    with pytest.raises(KeyboardInterrupt):
        office.stand(7)
    stop()
    assert office.left() == left
    letters = office.stand(0)
    assert sorted(row.to for row in letters) == [ANNA, MODERATOR]
    assert office.left() == left
    assert office.stand(0) == []


def test_a_stop_within_the_move_leaves_everything_as_it_was(office: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    left = office.left()
    real = heartbeat.move_dues

    def dies(*args: object) -> None:
        real(*args)  # type: ignore[arg-type]
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(heartbeat, "move_dues", dies)
        with pytest.raises(KeyboardInterrupt):
            office.stand(7)
    assert outages(office) == []
    office.stand(0)
    assert office.left() == left
    assert outages(office) == [7 * HOUR]


def test_what_the_moderator_decides_about_stays_with_him(tmp_path: Path) -> None:
    office = Served(tmp_path)
    office.begin({"deadline": "48h", "on_deadline": "hold"})
    office.serve(49)
    due = office.due().due
    assert office.stand(9) == []
    assert office.due().due == due


def test_two_games_are_one_letter_to_their_moderator(office: Served) -> None:
    office.name = "weir"
    office.begin({"deadline": "24h"})
    letters = office.stand(9)
    assert sorted(row.to for row in letters) == [ANNA, ANNA, MODERATOR]
    said = text_of(next(row for row in letters if row.to == MODERATOR))
    assert said.count("9 hours later") == 2


def test_an_invitation_stands_longer_by_the_outage(tmp_path: Path) -> None:
    office = Served(tmp_path)
    office.invite({"deadline": "48h"})
    office.round()
    office.stand(30)
    with office.house.database.begin() as session:
        assert {utc(one.asked) - NOON for one in session.exec(select(Invitation)).all()} == {30 * HOUR}


def test_a_hidden_question_stays_open_longer_and_both_are_told_alike(tmp_path: Path) -> None:
    at_the_draw(tmp_path, "6A").house.close()
    office = Served(tmp_path, rulebook="manstein")
    office.now = NOON + timedelta(minutes=60)
    office.round()
    left = office.left("axis")
    told = {row.to: text_of(row) for row in office.stand(20)}
    assert office.left("axis") == left
    assert set(told) == {*office.people.values(), MODERATOR}
    assert all("THE GAME GOES ON LATER" in told[address] for address in office.people.values())


@pytest.mark.parametrize("rulebook", games.titles())
def test_in_every_game_whoever_is_asked_is_told_and_reads_what_he_owes(rulebook: str, tmp_path: Path) -> None:
    office = Served(tmp_path, rulebook=rulebook)
    office.begin({"deadline": "48h"})
    office.round()
    asked = {ask.side: ask.prompt for ask in office.house.campaign(office.game()).asks}
    letters = {row.to: " ".join(text_of(row).split()) for row in office.stand(5)}
    assert set(letters) == {MODERATOR, *(office.people[side] for side in asked)}
    for side, prompt in asked.items():
        assert prompt[1:] in letters[office.people[side]]


def test_a_database_of_an_earlier_version_gets_what_it_lacks(tmp_path: Path) -> None:
    place = tmp_path / "old.sqlite"
    with sqlite3.connect(place) as old:
        old.execute("CREATE TABLE game (id VARCHAR PRIMARY KEY, rulebook VARCHAR NOT NULL, state VARCHAR NOT NULL)")
        old.execute("CREATE TABLE seat (id INTEGER PRIMARY KEY, game_id VARCHAR NOT NULL, side VARCHAR NOT NULL)")
        old.execute("INSERT INTO game VALUES ('mill', 'toy', 'playing')")
        old.execute("INSERT INTO seat VALUES (1, 'mill', 'soviet')")
    old.close()
    database = Database(f"sqlite:///{place}")
    with database.begin() as session:
        seat = session.exec(select(Seat)).one()
        assert (seat.unheard, seat.unheard_since, seat.reported, seat.bot) == (0, None, -1, "")
        assert session.get(Pulse, 1) is None
    database.close()
