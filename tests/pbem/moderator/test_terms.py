"""The terms of a game: its pace, set when it is new, and changed before it begins or while it is played."""

from __future__ import annotations

import pytest

from engine.drawer import BRISK, CAREFUL
from pbem.moderator.arranging import close
from pbem.moderator.cannot_moderate import CannotModerate, WrongState
from pbem.moderator.listing import show
from pbem.moderator.ruling import terms
from pbem.moderator.setting_up import new
from tests.pbem.moderator.moderated import GAME, Moderated
from tests.pbem.security.office import ANNA, BRUNO

CHAIRS = ["--soviet", ANNA, "--german", BRUNO]


def test_a_changed_pace_is_a_line_and_both_are_told(office: Moderated) -> None:
    before = office.campaign().count
    letters = office.written(terms, GAME, pace=CAREFUL)
    assert set(letters) == {ANNA, BRUNO}
    assert all("The pace is careful" in text for text in letters.values())
    assert office.campaign().drawer.pace == CAREFUL
    assert (office.campaign().count, office.campaign().last["act"]) == (before + 1, "terms")
    assert any("pace careful" in line for line in office.do(show, GAME))


def test_a_pace_that_is_no_change_makes_no_line(office: Moderated) -> None:
    for pace in (None, BRISK):
        with pytest.raises(CannotModerate, match="say what changes: the pace of mill is brisk"):
            office.do(terms, GAME, pace=pace)
    office.do(close, GAME)
    with pytest.raises(WrongState, match="its terms are what they were"):
        office.do(terms, GAME, pace=CAREFUL)


def test_by_mail_the_moderator_says_it_with_the_same_words(office: Moderated) -> None:
    assert "The pace of mill is careful from now on." in office.by_mail("moderator terms --pace careful")
    assert "NOTHING WAS DONE" in office.by_mail("moderator terms --pace hasty")
    assert office.campaign().drawer.pace == CAREFUL


def test_a_game_that_has_not_begun_begins_at_the_pace_it_was_given_last(office: Moderated) -> None:
    office.do(new, "korsun_spi", CHAIRS, scenario="proving", name="weir", pace=CAREFUL, pictures=False)
    invited = [text for text in (str(row.raw) for row in office.out()) if "[weir]" in text and "Subject" in text]
    assert sum("The pace is careful" in text for text in invited) == 2
    letters = office.written(terms, "weir", pace=BRISK)
    assert all("The pace is brisk" in text for text in letters.values())
    for side, address in (("soviet", ANNA), ("german", BRUNO)):
        office.mail(address, office.seat("weir", side), "join")
    assert office.campaign("weir").drawer.pace == BRISK


def test_the_settings_file_names_the_pace_of_new_games(office: Moderated) -> None:
    office.house.settings.pace = "careful"
    office.do(new, "korsun_spi", CHAIRS, scenario="proving", name="weir", pictures=False)
    assert office.row_of("weir").settings["pace"] == CAREFUL
    office.do(new, "korsun_spi", CHAIRS, scenario="proving", name="dam", pace=BRISK, pictures=False)
    assert office.row_of("dam").settings["pace"] == BRISK
