"""A stop at any moment of an act: its line is there with all its letters, or it never happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from engine.campaign import verify
from games import find_game
from pbem.house.crash_points import AFTER_STORE, BEFORE_COMMIT, LINE_MADE, OUTAGE_NOTED, listen
from pbem.house.crash_points import STEPS as ALL
from pbem.moderator import ruling
from pbem.service import Service
from tests.pbem.houses import log_of
from tests.pbem.moderator.moderated import GAME, Moderated
from tests.pbem.security.office import ANNA, BRUNO, MODERATOR

STEPS = [step for step in ALL if step not in (AFTER_STORE, OUTAGE_NOTED)]


class Stopped(BaseException):
    """The machine went off."""


@contextmanager
def stopping_at(step: str) -> Iterator[None]:
    def stop(reached: str) -> None:
        if reached == step:
            raise Stopped

    silence: Callable[[], None] = listen(stop)
    try:
        with suppress(Stopped):
            yield
    finally:
        silence()


def start_again(office: Moderated) -> None:
    office.service = Service(office.house)
    office.service.recover()
    office.service.deal_with_all()


@pytest.mark.parametrize("step", STEPS)
def test_an_act_by_hand_is_whole_or_never_was(office: Moderated, step: str) -> None:
    before = len(office.out())
    with stopping_at(step):
        office.do(ruling.act_for, GAME, "soviet", "end")
    start_again(office)
    happened = office.campaign().count == 2
    assert happened is (step not in (LINE_MADE, BEFORE_COMMIT))
    letters = office.out()[before:]
    assert sorted(row.to for row in letters) == ([ANNA, BRUNO] if happened else [])
    assert {row.state for row in office.out()} == {"queued"}
    assert verify(log_of(office.house, GAME), find_game).ok


@pytest.mark.parametrize("step", STEPS)
def test_an_act_by_mail_is_done_exactly_once(office: Moderated, step: str) -> None:
    before = {row.id for row in office.out()}
    with stopping_at(step):
        office.by_mail("moderator act soviet\nend")
    start_again(office)
    assert office.campaign().count == 2
    letters = [row for row in office.out() if row.id not in before]
    assert sorted(row.to for row in letters) == [ANNA, BRUNO, MODERATOR]
    assert {row.state for row in office.out()} == {"queued"}
    assert office.row().state == "done"
    assert verify(log_of(office.house, GAME), find_game).ok
