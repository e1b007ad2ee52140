"""Orders for a player, going back, corrections: each a line in the log, told to all."""

from __future__ import annotations

import pytest

from engine.campaign import verify
from engine.refusals import NotNow
from games import find_game
from pbem.moderator import CannotModerate, ruling
from pbem.moderator.act import NoSuchChair, UnknownGame, WrongState
from pbem.moderator.ruling import BadStatement
from pbem.moderator.timing import terms
from tests.pbem.houses import log_of
from tests.pbem.moderator.moderated import GAME, Moderated
from tests.pbem.security.office import ANNA, BRUNO


def verifies(office: Moderated) -> None:
    verdict = verify(log_of(office.house, GAME), find_game)
    assert verdict.faults == []


def somebody(office: Moderated, side: str = "german") -> str:
    """A unit on the map that could lose a step and live."""
    position = office.campaign().position
    return next(unit for unit in position.on_map(side) if position.steps_left(unit) > 1)


def test_the_moderator_may_give_orders_for_a_player_who_is_told_what_they_were(office: Moderated) -> None:
    letters = office.written(ruling.act_for, GAME, "soviet", "end")
    assert "THE MODERATOR GAVE ORDERS FOR YOU" in letters[ANNA]
    assert "end -- done" in letters[ANNA]
    assert "They were given for Soviet." in letters[BRUNO]
    line = office.campaign().lines()[-1]
    assert line["by"] == "moderator"
    verifies(office)


def test_orders_that_the_rules_refuse_come_back_to_the_moderator_and_nobody_else_hears_of_them(
    office: Moderated,
) -> None:
    before = office.head(GAME)
    with office.acting() as act:
        ruling.act_for(act, GAME, "soviet", "move nobody to nowhere")
    assert act.refused
    assert "No line was written." in act.told
    assert office.head(GAME) == before
    assert all(row.key.startswith(("invitation/", "answer/", "report/")) for row in office.out())


def test_letters_of_an_act_are_queued_and_never_left_held(office: Moderated) -> None:
    office.do(ruling.act_for, GAME, "soviet", "end")
    assert {row.state for row in office.out()} == {"queued"}


def test_going_back_is_a_line_of_its_own_and_all_are_told(office: Moderated) -> None:
    office.do(ruling.act_for, GAME, "soviet", "end")
    count = office.campaign().count
    letters = office.written(ruling.rewind, GAME, 0)
    assert office.campaign().count == count + 1
    assert set(letters) == {ANNA, BRUNO}
    assert "as it stood after line 0" in " ".join(letters[BRUNO].split())
    verifies(office)


def test_going_back_beyond_a_change_of_terms_restores_them_and_says_so(office: Moderated) -> None:
    before = office.campaign().drawer.pace
    count = office.campaign().count
    office.do(terms, GAME, pace="careful" if before == "brisk" else "brisk")
    letters = office.written(ruling.rewind, GAME, count - 1)
    assert office.campaign().drawer.pace == before
    assert f"pace is {before}" in " ".join(letters[BRUNO].split()).casefold()
    verifies(office)


def test_a_line_that_is_not_there_cannot_be_gone_back_to(office: Moderated) -> None:
    with pytest.raises(CannotModerate, match="is not before the last line"):
        office.do(ruling.rewind, GAME, 99)


def test_a_correction_is_logged_and_shown_to_both(office: Moderated) -> None:
    unit = somebody(office)
    place = office.campaign().position.where[unit]
    letters = office.written(ruling.correct, GAME, f"place {unit} {place} lost 1", "a slip of the pen")
    assert office.campaign().position.lost[unit] == 1
    for reader in (ANNA, BRUNO):
        assert "THE MODERATOR CORRECTED THE POSITION" in letters[reader]
        assert "a slip of the pen" in letters[reader]
        assert unit in letters[reader]
    office.do(ruling.act_for, GAME, "soviet", "end")
    verifies(office)


def test_going_back_to_before_a_correction_takes_it_off_and_the_log_verifies(office: Moderated) -> None:
    unit = somebody(office)
    place = office.campaign().position.where[unit]
    office.do(ruling.correct, GAME, f"place {unit} {place} lost 1")
    corrected = office.campaign().count - 1
    office.do(ruling.act_for, GAME, "soviet", "end")
    office.do(ruling.rewind, GAME, corrected)
    assert office.campaign().position.lost.get(unit) == 1
    office.do(ruling.rewind, GAME, corrected - 1)
    assert not office.campaign().position.lost.get(unit)
    office.do(ruling.act_for, GAME, "soviet", "end")
    assert office.campaign().count
    verifies(office)


def test_what_a_correction_says_for_one_side_only_the_other_is_not_shown(office: Moderated) -> None:
    unit = somebody(office)
    letters = office.written(ruling.correct, GAME, f"german only: mark {unit} blessed")
    assert "blessed" in letters[BRUNO]
    assert "blessed" not in letters[ANNA]
    assert "Nothing that your side can see has changed." in letters[ANNA]
    verifies(office)


def test_a_thing_that_a_side_does_not_see_stays_hidden_when_it_is_corrected(office: Moderated) -> None:
    unit = somebody(office)
    office.do(ruling.correct, GAME, f"german only: mark {unit} blessed")
    letters = office.written(ruling.correct, GAME, f"unmark {unit} blessed")
    assert unit in letters[BRUNO]
    assert f"{unit} " not in letters[ANNA].partition("corrected the position")[2].partition("What is")[0]


def test_a_position_that_the_rules_could_not_stand_is_refused(office: Moderated) -> None:
    unit = somebody(office)
    with pytest.raises(CannotModerate, match="the position would be impossible"):
        office.do(ruling.correct, GAME, f"place {unit} {office.campaign().position.where[unit]} lost 9")


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("teleport A to B", "'teleport' is no statement"),
        ("place nobody-at-all 0101", "there is no unit called"),
        ("place", "write: place"),
        ("count turns many", "a number is wanted"),
        ("", "says nothing"),
    ],
)
def test_a_statement_that_makes_no_sense_is_answered_in_words(office: Moderated, statement: str, said: str) -> None:
    with pytest.raises(CannotModerate, match=said):
        office.do(ruling.correct, GAME, statement)


def test_the_line_of_a_bad_statement_is_named(office: Moderated) -> None:
    with pytest.raises(BadStatement) as told:
        office.do(ruling.correct, GAME, "# why\ncount turns many")
    assert told.value.line == 2


def test_nothing_is_corrected_in_the_middle_of_a_procedure(office: Moderated) -> None:
    unit = somebody(office)
    with office.acting() as act:
        object.__setattr__(act.room(GAME).campaign.asks[0], "top", False)
        with pytest.raises(NotNow):
            ruling.correct(act, GAME, f"mark {unit} blessed")


def test_a_game_or_a_side_that_is_not_there_is_named(office: Moderated) -> None:
    with pytest.raises(UnknownGame, match="did you mean mill"):
        office.do(ruling.act_for, "mil", "soviet", "end")
    with pytest.raises(NoSuchChair, match="has no side 'polish'"):
        office.do(ruling.act_for, GAME, "polish", "end")


def test_nothing_is_done_to_a_game_that_has_not_begun(office: Moderated) -> None:
    office.game("weir", ANNA, BRUNO, begun=False)
    with pytest.raises(WrongState, match="weir is invited"):
        office.do(ruling.act_for, "weir", "soviet", "end")
