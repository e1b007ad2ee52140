"""The terms of a game: set when it is new, and changed before it begins or while it is played."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from engine.campaign import verify
from engine.drawer import BRISK, CAREFUL
from games import find_game
from pbem.clock.clock_rules import BadClock
from pbem.house.crash_points import AFTER_COMMIT, BEFORE_COMMIT, listen
from pbem.moderator.act import CannotModerate, WrongState
from pbem.moderator.arranging import close
from pbem.moderator.listing import show
from pbem.moderator.setting_up import new
from pbem.moderator.timing import terms
from pbem.store.database import utc
from tests.pbem.houses import log_of
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


def due(office: Moderated, side: str = "soviet") -> datetime:
    found = office.due_of(side).due
    assert found is not None
    return utc(found)


def said(letters: dict[str, str], to: str) -> str:
    return " ".join(letters[to].split())


def test_longer_deadlines_hold_for_what_is_asked_already_and_shorter_ones_from_the_next_question(
    office: Moderated,
) -> None:
    before, asked = due(office), utc(office.due_of("soviet").asked)
    office.do(terms, GAME, deadline=["24h"])
    assert due(office) == before
    letters = office.written(terms, GAME, deadline=["4d", "reply=12h"], off=["sun"])
    assert due(office) - asked > timedelta(days=4) - timedelta(minutes=1)
    assert "You have 96 hours for your orders" in said(letters, ANNA)
    assert "For a question that comes up in between: 12 hours" in said(letters, BRUNO)
    assert "Days that do not count: sun" in said(letters, BRUNO)
    line = office.campaign().last
    assert line["terms"] == {"deadline": {"default": "4d", "reply": "12h"}, "weekdays_off": ["sun"]}
    assert "Line 2: the terms were changed: deadline 4d and reply=12h, weekdays off sun." in said(letters, ANNA)
    assert verify(log_of(office.house, GAME), find_game).ok
    office.mail(ANNA, office.seat(GAME, "soviet"), "end\nend\nend\nend")
    assert due(office, "german") - office.clock.now > timedelta(days=3, hours=23)


def test_a_deadline_can_be_introduced_and_abolished_while_a_question_waits(office: Moderated) -> None:
    office.do(terms, GAME, deadline=["none"])
    assert office.due_of("soviet").due is None
    letters = office.written(terms, GAME, deadline=["24h"], grace="6h", reminder=["2h"])
    assert abs(due(office) - office.clock.now - timedelta(hours=24)) < timedelta(minutes=1)
    assert "Reminders come 2h before." in said(letters, ANNA)
    shown = f"BY {due(office):%A} {due(office).day} {due(office):%B, %H:%M}".upper()
    assert shown in said(letters, ANNA)
    office.clock.now += timedelta(hours=23)
    office.service.tick()
    assert office.out()[-1].subject.startswith("Reminder: your move, 60 minutes left, by ")


def test_error_policy_and_pictures_can_be_changed_and_are_told(office: Moderated) -> None:
    letters = office.written(terms, GAME, errors="skip", pictures="all")
    assert "A faulty line in a mail is skipped" in said(letters, BRUNO)
    assert "Letters come with pictures." in said(letters, BRUNO)
    assert office.row_of().settings["errors"] == "skip"
    assert office.row_of().settings["pictures"] == "all"
    office.do(terms, GAME, pictures="none")
    faulty = office.mail(ANNA, office.seat(GAME, "soviet"), "mvoe AB3 to 0706\nmove RD99 to 0707")
    assert office.campaign().last["act"] == "orders"
    assert len(faulty) == 2


def test_what_concerns_the_moderator_alone_is_told_as_that(office: Moderated) -> None:
    letters = office.written(terms, GAME, no_show=5)
    assert "Nothing changes for you" in said(letters, ANNA)
    letters = office.written(terms, GAME, at_no_show="pause")
    assert "The game is paused when a side has left 5 deadlines running to the clock." in said(letters, ANNA)


def test_terms_that_cannot_be_read_change_nothing(office: Moderated) -> None:
    count = office.campaign().count
    with pytest.raises(BadClock, match="cannot be 'soon'"):
        office.do(terms, GAME, deadline=["soon"])
    assert office.campaign().count == count
    assert office.row_of().settings["deadline"] == {"default": "48h"}


def test_a_stop_after_the_line_leaves_the_terms_as_the_line_says(
    office: Moderated, monkeypatch: pytest.MonkeyPatch
) -> None:
    def dies(step: str) -> None:
        if step == AFTER_COMMIT:
            raise KeyboardInterrupt

    stop = listen(dies)
    with pytest.raises(KeyboardInterrupt):
        office.do(terms, GAME, deadline=["5d"], errors="skip")
    stop()
    office.service.recover()
    assert office.campaign().last["act"] == "terms"
    assert office.row_of().settings["deadline"] == {"default": "5d"}
    assert office.row_of().settings["errors"] == "skip"
    assert due(office) - office.clock.now > timedelta(days=4, hours=23)
    assert [row.state for row in office.out()][-2:] == ["queued", "queued"]


def test_a_stop_before_the_line_leaves_the_terms_as_they_were(office: Moderated) -> None:
    before = due(office)

    def dies(step: str) -> None:
        if step == BEFORE_COMMIT:
            raise KeyboardInterrupt

    stop = listen(dies)
    with pytest.raises(KeyboardInterrupt):
        office.do(terms, GAME, deadline=["5d"])
    stop()
    office.service.recover()
    assert office.row_of().settings["deadline"] == {"default": "48h"}
    assert due(office) == before


def test_a_pace_that_is_no_change_makes_no_line(office: Moderated) -> None:
    for pace in (None, BRISK):
        with pytest.raises(CannotModerate, match="say what changes: the pace of mill is brisk"):
            office.do(terms, GAME, pace=pace)
    office.do(close, GAME)
    with pytest.raises(WrongState, match="its terms are what they were"):
        office.do(terms, GAME, pace=CAREFUL)


def test_by_mail_the_moderator_says_it_with_the_same_words(office: Moderated) -> None:
    assert "From now on in mill: pace careful." in office.by_mail("moderator terms --pace careful")
    assert "NOTHING WAS DONE" in office.by_mail("moderator terms --pace hasty")
    assert office.campaign().drawer.pace == CAREFUL


def test_a_game_that_has_not_begun_begins_at_the_pace_it_was_given_last(office: Moderated) -> None:
    office.do(new, "korsun_spi", CHAIRS, scenario="proving", name="weir", pace=CAREFUL, pictures="none")
    invited = [text for text in (str(row.raw) for row in office.out()) if "[weir]" in text and "Subject" in text]
    assert sum("The pace is careful" in text for text in invited) == 2
    letters = office.written(terms, "weir", pace=BRISK)
    assert all("The pace is brisk" in text for text in letters.values())
    for side, address in (("soviet", ANNA), ("german", BRUNO)):
        office.mail(address, office.seat("weir", side), "join")
    assert office.campaign("weir").drawer.pace == BRISK


def test_the_settings_file_names_the_pace_of_new_games(office: Moderated) -> None:
    office.house.settings.pace = "careful"
    office.do(new, "korsun_spi", CHAIRS, scenario="proving", name="weir", pictures="none")
    assert office.row_of("weir").settings["pace"] == CAREFUL
    office.do(new, "korsun_spi", CHAIRS, scenario="proving", name="dam", pace=BRISK, pictures="none")
    assert office.row_of("dam").settings["pace"] == BRISK
