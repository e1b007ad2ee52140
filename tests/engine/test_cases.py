"""Case files: every statement does what it says, and every mistake is found at its line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.cases import BadCase, CaseFailed
from engine.cases.case_file import read_text
from engine.cases.figures import with_figures
from engine.cases.run_case import play_case
from tests.engine.skirmish import RULEBOOK, Figures, skirmish

FIGHT = """
# A defender that is hit may retreat
case 2.3, 2.4
turn 2, red combat
place R1 0303; B1 0304 lost 1
dice 5
"""


def run(text: str) -> None:
    play_case(read_text(text, "a.case"), RULEBOOK)


def fails(text: str) -> CaseFailed:
    with pytest.raises(CaseFailed) as caught:
        run(text)
    return caught.value


def test_a_whole_fight_comes_out_as_written():
    run(
        FIGHT
        + """
        expect ask red combat
        expect forecast red "attack 0304 with R1" column 1-1
        expect forecast red "attack 0304 with R1" chance D 1/2
        expect forecast red "end" refused 2.0
        expect options red includes "attack 0304 with R1"
        expect options red excludes "attack 0305"
        expect dice used 0
        red> attack 0304 with R1; advance R1
        expect ask blue loss 0304
        expect no ask red
        expect column 1-1
        expect result D
        expect can blue "retreat B1 0305"
        expect cannot blue "attack 0304 with B1" 2.3
        blue> retreat B1 0305
        expect B1 at 0305
        expect R1 at 0304
        expect B1 lost 1
        expect R1 alive
        expect @0304 mark fought 2
        expect R1 no mark tired
        expect count losses 0
        expect dice used 1
        expect turn 2
        expect stage red.combat
        expect no ended
        red> end
        expect stage blue move
        """
    )


def test_a_standing_order_answers_in_place_of_its_side():
    run(
        FIGHT
        + "stand blue> when loss: lose B1\nred> attack 0304 with R1; advance R1\n"
        + "expect B1 dead\nexpect R1 at 0304"
    )


def test_a_case_is_played_carefully_unless_it_says_otherwise():
    run(FIGHT + "red> attack 0304 with R1\nexpect ask blue loss 0304")
    run(FIGHT + "pace brisk\nred> attack 0304 with R1\nexpect no ask blue\nexpect B1 dead")
    assert fails(FIGHT + "pace slow\nexpect turn 2").line == 7


def test_units_not_placed_are_not_there():
    run(FIGHT.replace("dice 5", "") + "expect R2 at unused\nexpect B2 in unused")


def test_a_refusal_is_expected_by_its_case():
    run(
        FIGHT.replace("dice 5", "")
        + 'red> attack 0401 with R1\nrefused 2.1 "cannot be attacked"\nexpect ask red combat'
    )
    run(FIGHT.replace("dice 5", "") + "red> atack 0401 with R1\nrefused unclear")
    run(FIGHT.replace("dice 5", "") + "blue> end\nrefused returned")


def test_every_bad_line_of_a_mail_must_be_expected():
    two = FIGHT.replace("dice 5", "") + "red> atack 0401\nred> flee\nrefused unclear atack\n"
    assert fails(two + "expect turn 2").line == 10
    run(two + "refused unclear flee\n")


def test_a_refusal_nobody_expects_is_a_failure():
    failure = fails(FIGHT.replace("dice 5", "") + "red> attack 0401 with R1\nexpect R1 alive")
    assert failure.line == 8
    assert "2.1" in failure.what


def test_a_refused_mail_that_was_carried_out_is_a_failure():
    assert "nothing came back" in fails(FIGHT.replace("dice 5", "") + "red> end\nrefused 2.1").what


def test_a_hexside_bears_marks():
    fight = FIGHT.replace("dice 5", "")
    run(fight + "mark @0304/0303 blown 2\nexpect @0303/0304 mark blown 2\nexpect @0302/0303 no mark blown")
    assert "share no hexside" in fails(fight + "mark @0303/0505 blown\nexpect turn 2").what


def test_a_mark_that_names_a_hex_keeps_its_nought():
    run(FIGHT.replace("dice 5", "") + "mark R1 goal 0101\nexpect R1 mark goal 0101\nexpect no chose R1 anything")


def test_the_scenario_s_own_opening_can_be_played():
    run("case 1.1\nopening\nexpect R1 at 0202\nexpect turn 1\nexpect stage red.move")
    run("case 1.1\nopening\nturn 3, blue combat\nblue> end\nexpect ended draw\nexpect no ask")


def test_options_of_the_scenario_are_chosen_by_their_words():
    text = "case 3.0\nscenario meadow\noption weather yes\nturn 2, red move\nplace R1 0202\ndice 6\n"
    run(text + 'expect told "weather die is 6"\nexpect not told "snow"')


def test_a_case_may_put_its_own_figures_in_place_of_a_table_s():
    fight = FIGHT + "red> attack 0304 with R1\nexpect result "
    run("figure combat.hits 6\n" + fight + "A")
    run(fight + "D")


def test_a_figure_may_be_put_into_one_row_of_a_list_or_into_each_cell_of_a_row():
    tables = {"track": [{"gain": 1, "dice": (1, 1, 1)}, {"gain": 2, "dice": (2, 2, 2)}]}
    game = replace(skirmish(), data=Figures(tables))

    def put(said: str) -> list[dict[str, object]]:
        case = read_text(f"figure {said}\n{FIGHT}expect R1 alive", "a.case")
        return list(with_figures(game, case.figures).data.tables["track"])

    assert [row["gain"] for row in put("track.gain 7")] == [7, 7]
    assert [row["gain"] for row in put("track.2.gain 7")] == [1, 7]
    assert [row["dice"] for row in put("track.1.dice 4,5,6")] == [(4, 5, 6), (2, 2, 2)]
    assert [row["dice"] for row in put("track.1.dice 4")] == [(4, 4, 4), (2, 2, 2)]


def test_a_case_may_print_its_own_values_and_steps_on_counters():
    hit = FIGHT + "red> attack 0304 with R1; advance R1\nblue> lose B1\nexpect B1 "
    run(hit + "dead")
    run("counter R1, B1 4 3 2\n" + hit + "lost 2")


def test_marks_tracks_boxes_and_pools_are_laid_out():
    run(
        """
        case 1.1
        turn 1, red move
        place R1 0202 dug=3 tired; R2 0303
        box B1 "next month"
        mark @0404 bridge; blue morale low
        count losses 7
        took 0404 blue
        pool chits a b
        pool hand c only red
        red> move R2 0404
        refused 1.3
        expect R1 mark dug 3
        expect R1 mark tired
        expect B1 in "next month"
        expect @0404 mark bridge
        expect blue mark morale low
        expect count losses 7
        expect owner 0404 blue
        expect pool chits b a
        expect pool hand c
        """
    )


def test_what_a_side_does_not_know_is_laid_out_and_expected():
    run(
        """
        case 1.1
        turn 1, red move
        place R1 0202 lost 1 dug=3; R2 0303; B1 0404
        unseen blue R2
        unsure blue R1
        expect view blue R2 at unseen
        expect view red R2 at 0303
        expect view blue R1 at 0202
        expect view blue R1 strength unknown
        expect view blue R1 lost 0
        expect view blue R1 mark dug 3
        expect view red R1 lost 1
        expect view red R1 strength known
        expect view red B1 no mark dug
        """
    )


def test_cards_dealt_lie_in_a_pile_that_has_been_shuffled():
    run(
        """
        case 1.1
        turn 1, red move
        place R1 0202; R2 0303
        pool dispatches ford
        deal dispatches thaw mud
        red> move R2 0404
        refused 1.3
        expect pool dispatches ford mud thaw
        expect count "dispatches shuffle" 1
        """
    )


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("case 1.1\nturn 1, red move\nplace R1 0202\n", 1, "expects nothing"),
        ("turn 1, red move\nexpect turn 1", 1, "names no case"),
        ("case 1.1\nexpect turn 1", 1, "when it is played"),
        ("case 1.1\nturn 1, red move\nput R1 0202\nexpect turn 1", 3, "no statement"),
        ("case 1.1\nturn one, red move\nexpect turn 1", 2, "turn NUMBER"),
        ("case 1.1\nturn 1, red move\nplace R7 0202\nexpect turn 1", 3, "no unit called 'R7'"),
        ("case 1.1\nturn 1, red move\nplace R1 0909\nexpect turn 1", 3, "no hex or place"),
        ("case 1.1\nturn 1, red move\nexpect R1 dancing", 3, "UNIT at HEX"),
        ("case 1.1\nturn 1, red move\nexpect count losses", 3, "wants more"),
        ("case 1.1\nturn 1, red move\ngreen> end\nexpect turn 1", 3, "no side called 'green'"),
        ("case 1.1\nscenario hill\nturn 1, red move\nexpect turn 1", 1, "no scenario 'hill'"),
        ("case 1.1\noption fog yes\nturn 1, red move\nexpect turn 1", 2, "no option 'fog'"),
        ("case 1.1\nfigure combat.misses 2\nturn 1, red move\nexpect turn 1", 2, "'misses' is not in the tables"),
        ("case 1.1\nfigure combat.hits\nturn 1, red move\nexpect turn 1", 2, "figure TABLE.ROW"),
        ("case 1.1\ncounter R1 2-1\nturn 1, red move\nexpect turn 1", 2, "write: counter R1 attack"),
        ("case 1.1\ncounter R1\nturn 1, red move\nexpect turn 1", 2, "write: counter R1 attack"),
        ("case 1.1\ncounter R7 2\nturn 1, red move\nexpect turn 1", 2, "no unit called 'R7'"),
        ("case 1.1\nturn 1, red move\nexpect turn 1\nplace R1 0202", 4, "before the first order"),
        ("case 1.1\nturn 1, red move\ndice six\nexpect turn 1", 3, "dice FACE"),
        ("case 1.1\nturn 1, red move\nstand blue> lose\nexpect turn 1", 3, "not a standing order"),
    ],
)
def test_a_mistake_in_a_case_file_is_named_with_its_line(text: str, line: int, words: str):
    failure = fails(text)
    assert isinstance(failure, BadCase)
    assert (failure.file, failure.line) == ("a.case", line)
    assert words in failure.what


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("expect R1 at 0304", "should be 0304, and is 0303"),
        ("expect B1 lost 0", "should be 0, and is 1"),
        ("expect B1 dead", "should be dead, and is alive"),
        ("expect R1 mark tired", "should have the mark"),
        ("expect @0304 no mark fought", "should be None, and is 2"),
        ("expect count losses 2", "should be 2, and is 0"),
        ("expect turn 3", "should be 3, and is 2"),
        ("expect ask blue advance", "should be advance, and is loss"),
        ("expect ask blue loss 0101", "about 0101"),
        ("expect no ask", "blue is asked for loss"),
        ("expect ended draw", "goes on"),
        ("expect dice used 0", "should be 0, and is 1"),
        ('expect told "snow"', "should have been told"),
        ('expect chose R1 "method 2"', "should have been chosen; chosen was: nothing"),
        ("expect result A", "should be A, and is D"),
        ('expect can red "end"', "nothing is asked of red"),
        ('expect cannot blue "retreat B1 0305"', "and is legal"),
        ('expect options blue includes "end"', "should include"),
        ('expect forecast blue "attack 0303 with B1" column 9-1', "should be 9-1, and is 1-1"),
    ],
)
def test_an_expectation_that_is_not_met_says_what_is_so(statement: str, words: str):
    failure = fails(FIGHT + "red> attack 0304 with R1\n" + statement)
    assert not isinstance(failure, BadCase)
    assert failure.line == 8
    assert words in failure.what


def test_dice_that_were_not_cast_are_a_failure_unless_the_case_says_otherwise():
    assert "[5] were not cast" in fails(FIGHT + "red> end\nexpect turn 2").what
    run(FIGHT.replace("dice 5", "dice 5 ...") + "red> end\nexpect turn 2")


def test_a_die_that_the_case_does_not_list_is_a_failure():
    assert "no die left" in fails(FIGHT.replace("dice 5", "") + "red> attack 0304 with R1\nexpect turn 2").what
