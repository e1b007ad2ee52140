"""The table: what is worked out from a position is kept just as long as it is true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine import facts as f
from engine.position import apply
from engine.table import (
    Table,
    kept,
    kept_for_good,
    kept_under,
    kept_while_marked,
    kept_while_side_still,
    kept_while_still,
)
from tests.engine.toy import opening, toy

GAME = toy()
CHANGES_A_UNIT = [
    f.Placed(unit="G1", at="0606"),
    f.Moved(unit="G1", path=("0102", "0103")),
    f.StepLost(unit="G1", steps=1),
    f.StepGained(unit="G1", steps=1),
    f.Eliminated(unit="G1", at="0102"),
]
LEAVES_UNITS_ALONE = [
    f.Marked(subject="G1", mark="tired", value=1),
    f.TookHex(hex="0103", side="red"),
    f.Counted(track="points", value=3),
]


@pytest.fixture
def table() -> Table:
    position = GAME.new_position()
    for fact in opening(GAME):
        apply(position, fact)
    return Table(GAME, position)


TIMES: list[str] = []


@kept
def of_the_moment(table: Table) -> None:
    TIMES.append("moment")


@kept_while_still("dug in")
def of_the_units(table: Table) -> None:
    TIMES.append("units")


@kept_while_side_still()
def of_a_side(table: Table, side: str) -> str:
    TIMES.append(side)
    return side


@kept_while_marked
def of_a_mark(table: Table, mark: str) -> str:
    TIMES.append(mark)
    return mark


def times_worked_out(table: Table, fact: f.Fact, function: Callable[..., object], *given: str) -> int:
    TIMES.clear()
    for happened in (None, None, fact):
        if happened is not None:
            apply(table.position, happened)
        function(table, *given)
    return len(TIMES)


def names(fact: f.Fact) -> str:
    return type(fact).__name__


@pytest.mark.parametrize("fact", [*CHANGES_A_UNIT, *LEAVES_UNITS_ALONE], ids=names)
def test_what_was_worked_out_is_kept_until_the_next_fact(table: Table, fact: f.Fact) -> None:
    assert times_worked_out(table, fact, of_the_moment) == 2


@pytest.mark.parametrize("fact", CHANGES_A_UNIT, ids=names)
def test_what_rests_on_the_units_is_worked_out_anew_when_one_changes(table: Table, fact: f.Fact) -> None:
    assert times_worked_out(table, fact, of_the_units) == 2


@pytest.mark.parametrize("fact", LEAVES_UNITS_ALONE, ids=names)
def test_what_rests_on_the_units_outlives_marks_hexes_and_counts(table: Table, fact: f.Fact) -> None:
    assert times_worked_out(table, fact, of_the_units) == 1


NAMED = [
    f.Marked(subject="G1", mark="dug in", value=1),
    f.Noted(subject="G1", mark="dug in", value=1),
    f.Wiped(marks=("dug in",)),
    f.Eliminated(unit="G1", at="0102"),
    f.Turned(unit="G1", into="G2", at="0102"),
]


@pytest.mark.parametrize("fact", NAMED, ids=names)
def test_a_mark_that_the_rule_names_is_followed(table: Table, fact: f.Fact) -> None:
    apply(table.position, f.Marked(subject="G1", mark="dug in", value=2))
    assert times_worked_out(table, fact, of_the_units) == 2


@pytest.mark.parametrize("fact", CHANGES_A_UNIT, ids=names)
def test_what_rests_on_one_side_outlives_what_the_other_does(table: Table, fact: f.Fact) -> None:
    assert times_worked_out(table, fact, of_a_side, "red") == 2
    assert times_worked_out(table, fact, of_a_side, "blue") == 1


def test_what_is_kept_of_two_sides_stays_apart(table: Table) -> None:
    assert [of_a_side(table, side) for side in ("red", "blue", "red")] == ["red", "blue", "red"]


@pytest.mark.parametrize(
    ("fact", "times"),
    [
        (f.Marked(subject="@0102/0103", mark="blown"), 2),
        (f.Wiped(marks=("blown",)), 2),
        (f.Marked(subject="G1", mark="tired"), 1),
        (f.Moved(unit="G1", path=("0102", "0103")), 1),
    ],
)
def test_what_rests_on_a_mark_outlives_all_else(table: Table, fact: f.Fact, times: int) -> None:
    assert times_worked_out(table, fact, of_a_mark, "blown") == times


@kept_under(lambda table, unit: table.position.lost.get(unit))
def of_its_losses(table: Table, unit: str) -> str:
    TIMES.append(unit)
    return unit


def test_what_rests_on_one_thing_is_kept_until_that_changes(table: Table) -> None:
    TIMES.clear()
    for fact in (f.Moved(unit="G1", path=("0102", "0103")), f.StepLost(unit="G2"), f.StepLost(unit="G1")):
        assert of_its_losses(table, "G1") == of_its_losses(table, "G1") == "G1"
        apply(table.position, fact)
    assert TIMES == ["G1"]
    of_its_losses(table, "G1")
    assert TIMES == ["G1", "G1"]


@kept_for_good
def of_the_game(table: Table) -> None:
    TIMES.append("game")


def test_what_rests_on_the_pieces_is_kept_for_all_tables_of_a_game_and_for_no_other_game(table: Table) -> None:
    TIMES.clear()
    for _ in range(2):
        of_the_game(table)
        of_the_game(table.suppose([f.Moved(unit="G1", path=("0102", "0103"))]))
    assert TIMES == ["game"]
    of_the_game(Table(replace(GAME, setting=GAME.setting), table.position))
    assert TIMES == ["game", "game"]
