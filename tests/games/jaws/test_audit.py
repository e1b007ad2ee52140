"""The audit finds what breakdown, extension and Shermans must never leave behind."""

import pytest

import games
from engine.facts import Fact, Marked, Noted, Placed, StageBegan
from engine.position import apply
from engine.table import Table
from games.jaws.rules.audit import faults

WHOLE = [Placed(unit="62GRD", at="4441"), Placed(unit="X-62GRD", at="4442")]
BROKEN = [Placed(unit="105/72", at="breakdown"), Placed(unit="105/72-A", at="4440"), Placed(unit="105/72-B", at="4440")]
TANKS = [Placed(unit="11GCD", at="4341"), Placed(unit="11GM4", at="4341")]


def wrong(*happened: Fact) -> list[str]:
    """What the audit says of an empty map on which this has happened."""
    game = games.rulebook("jaws").game("konev", {})
    position = game.new_position()
    for unit in game.setting.roster:
        apply(position, Placed(unit=unit.id, at="unused"))
    for fact in (*happened, StageBegan(stage="soviet.movement", turn=1, side="soviet")):
        apply(position, fact)
    return faults(Table(game, position))


def test_a_division_in_two_hexes_a_regiment_in_two_parts_and_tanks_with_theirs_are_as_they_should_be() -> None:
    assert wrong(*WHOLE, *BROKEN, *TANKS) == []


@pytest.mark.case("jaws", "4.7")
@pytest.mark.parametrize(
    ("then", "said"),
    [
        (Placed(unit="62GRD", at="eliminated"), "X-62GRD is on the map without 62GRD"),
        (Placed(unit="62GRD", at="4444"), "X-62GRD does not lie beside 62GRD"),
        (Placed(unit="62GRD", at="4441", lost=5), "62GRD is a cadre, and extended"),
        (Marked(subject="62GRD", mark="oos", value=1), "62GRD and X-62GRD are not out of supply alike"),
    ],
)
def test_an_extension_lies_beside_its_division_and_is_fed_with_it(then: Fact, said: str) -> None:
    assert wrong(*WHOLE, then) == [said]


@pytest.mark.case("jaws", "8.6.3")
def test_who_is_out_of_the_game_keeps_nothing_but_a_strength() -> None:
    gone = [Placed(unit="Alarm1", at="abandoned"), Noted(subject="Alarm1", mark="strength", value=5)]
    assert wrong(*gone) == []
    marked = Marked(subject="Alarm1", mark="alarm", value=1)
    assert wrong(*gone, marked) == ["Alarm1 is out of the game and marked 'alarm'"]


@pytest.mark.case("jaws", "4.6-3")
@pytest.mark.parametrize(
    ("then", "said"),
    [
        ([Placed(unit="105/72", at="4440")], ["105/72 is in 4440, and 105/72-A, 105/72-B on the map"]),
        (
            [Placed(unit="105/72-A", at="unused"), Placed(unit="105/72-B", at="unused")],
            ["105/72 is in breakdown, and no part on the map"],
        ),
        (
            [Marked(subject="105/72-A", mark="dot"), Marked(subject="105/72-B", mark="dot")],
            ["two parts of 105/72 have its black dot"],
        ),
    ],
)
def test_a_unit_is_on_the_map_whole_or_in_parts(then: list[Fact], said: list[str]) -> None:
    assert wrong(*BROKEN, *then) == said


@pytest.mark.case("jaws", "4.6-3")
def test_the_parts_have_no_more_steps_than_the_unit() -> None:
    both = [Placed(unit="RG593", at="breakdown"), Placed(unit="RG593-A", at="4440"), Placed(unit="RG593-B", at="4440")]
    assert wrong(*both) == ["the parts of RG593 have more steps than it"]
    assert wrong(*both, Placed(unit="RG593-B", at="4440", lost=1), Placed(unit="RG593-A", at="4440", lost=1)) == []


@pytest.mark.case("jaws", "4.5.4")
def test_shermans_stand_with_their_division_or_one_of_its_parts() -> None:
    assert wrong(*TANKS, Placed(unit="11GM4", at="4441")) == ["11GM4 stands apart from its unit"]
    parts = [Placed(unit="11GCD", at="breakdown"), Placed(unit="11GCD-A", at="4444"), Placed(unit="11GCD-B", at="4341")]
    assert wrong(*TANKS, *parts) == []


SHARED = [Placed(unit="62GRD", at="4441"), Placed(unit="105/72", at="4441")]


@pytest.mark.case("jaws", "16.5.3-p6")
def test_a_hex_is_shared_only_after_a_breakout_and_only_by_gruppe_stemmermann() -> None:
    declared = Marked(subject="game", mark="breakout", value="1")
    member = Marked(subject="105/72", mark="stemmermann", value=1)
    assert wrong(*SHARED, member) == ["both sides stand in one hex"]
    assert wrong(*SHARED, declared) == ["105/72 shares 4441 with Soviets"]
    assert wrong(*SHARED, declared, member) == []


@pytest.mark.case("jaws", "16.5")
def test_nothing_that_the_breakout_phase_notes_outlasts_it() -> None:
    assert wrong(Placed(unit="105/72", at="4441"), Noted(subject="105/72", mark="wave", value=1)) == [
        "105/72 is marked 'wave' in soviet.movement"
    ]


def test_who_got_out_keeps_what_he_lost_and_where_he_belongs() -> None:
    out = [Placed(unit="105/72", at="escaped", lost=2), Marked(subject="105/72", mark="stemmermann", value=1)]
    assert wrong(*out) == []
