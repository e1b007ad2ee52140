"""Pauses and extensions: nobody loses time by a pause, and an extension is told to all."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.clock.clock_rules import BadClock
from pbem.moderator import CannotModerate, timing
from pbem.moderator.act import WrongState
from pbem.store.database import utc
from tests.pbem.moderator.moderated import GAME, Moderated
from tests.pbem.security.office import ANNA, BRUNO


def left(office: Moderated, side: str = "soviet") -> timedelta:
    due = office.due_of(side).due
    assert due is not None
    return utc(due) - office.clock.now


def test_a_pause_costs_nobody_any_time(office: Moderated) -> None:
    before = left(office)
    assert "PAUSED" in office.written(timing.pause, GAME, "an illness")[ANNA]
    office.clock.now += timedelta(days=9)
    letters = office.written(timing.resume, GAME)
    assert abs(left(office) - before) < timedelta(minutes=1)
    assert "Your answer is due by" in letters[ANNA]
    assert "Your answer is due by" not in letters[BRUNO]


def test_no_deadline_passes_and_no_orders_are_taken_while_a_game_is_paused(office: Moderated) -> None:
    office.do(timing.pause, GAME)
    head = office.head(GAME)
    office.clock.now += timedelta(days=9)
    office.service.tick()
    office.mail(ANNA, office.seat(GAME, "soviet"), "end")
    assert office.head(GAME) == head


def test_a_game_is_paused_once_and_resumed_once(office: Moderated) -> None:
    with pytest.raises(WrongState, match="mill is playing"):
        office.do(timing.resume, GAME)
    office.do(timing.pause, GAME)
    with pytest.raises(WrongState, match="mill is paused"):
        office.do(timing.pause, GAME)


def test_more_time_is_told_to_both_and_reminders_begin_anew(office: Moderated) -> None:
    before = left(office)
    letters = office.written(timing.extend, GAME, "soviet", "24h")
    assert abs(left(office) - before - timedelta(hours=24)) < timedelta(minutes=1)
    assert "You have until" in letters[ANNA]
    assert "Soviet has until" in letters[BRUNO]
    assert office.due_of("soviet").reminded == 0


def test_time_is_given_from_now_when_the_deadline_has_passed(office: Moderated) -> None:
    office.clock.now += timedelta(days=5)
    office.do(timing.extend, GAME, "soviet", "2d")
    assert abs(left(office) - timedelta(days=2)) < timedelta(minutes=1)


def test_only_a_side_that_owes_something_can_be_given_time(office: Moderated) -> None:
    with pytest.raises(CannotModerate, match="nothing is asked of german"):
        office.do(timing.extend, GAME, "german", "24h")
    with pytest.raises(BadClock, match="cannot be 'soon'"):
        office.do(timing.extend, GAME, "soviet", "soon")
