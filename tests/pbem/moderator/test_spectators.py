"""Onlookers get what is open to all, and not before its time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.moderator import CannotModerate, arranging, ruling
from pbem.service.spectators import report_to_spectators
from tests.pbem.moderator.moderated import GAME, Moderated, text_of

CLARA = "clara@players.example"


def to_clara(office: Moderated) -> list[str]:
    return [text_of(row.raw) for row in office.out() if row.to == CLARA]


def test_an_onlooker_is_told_once_what_he_looks_on_at(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA)
    assert "you get its public reports, as they are made" in " ".join(to_clara(office)[0].split())
    with pytest.raises(CannotModerate, match="looks on at mill already"):
        office.do(arranging.announce_spectator, GAME, CLARA)


def test_reports_come_with_the_delay_and_each_line_once(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA, 24)
    office.do(ruling.act_for, GAME, "soviet", "end")
    assert report_to_spectators(office.house) == 0
    office.clock.now += timedelta(hours=25)
    assert report_to_spectators(office.house) == 1
    assert report_to_spectators(office.house) == 0
    assert len(to_clara(office)) == 2
    assert "A public report" in to_clara(office)[1]


def test_nothing_hidden_from_a_side_reaches_an_onlooker(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA)
    unit = next(iter(office.campaign().position.on_map("german")))
    office.do(ruling.correct, GAME, f"german only: mark {unit} blessed")
    report_to_spectators(office.house)
    assert len(to_clara(office)) == 2
    assert all("blessed" not in letter for letter in to_clara(office))


def test_an_onlooker_cannot_write_for_anybody(office: Moderated) -> None:
    office.do(arranging.announce_spectator, GAME, CLARA)
    head = office.head(GAME)
    office.mail(CLARA, office.seat(GAME, "soviet"), "end")
    assert office.head(GAME) == head
