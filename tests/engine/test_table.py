"""The table: what is worked out from a position is kept just as long as it is true."""

from __future__ import annotations

import pytest

from engine import facts as f
from engine.position import apply
from engine.table import Table
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
    f.Marked(subject="G1", mark="dug in", value=1),
    f.TookHex(hex="0103", side="red"),
    f.Counted(track="points", value=3),
]


@pytest.fixture
def table() -> Table:
    position = GAME.new_position()
    for fact in opening(GAME):
        apply(position, fact)
    return Table(GAME, position)


def times_worked_out(table: Table, fact: f.Fact, *, still: bool) -> int:
    times: list[int] = []
    for happened in (None, None, fact):
        if happened is not None:
            apply(table.position, happened)
        table.keep("zone", lambda: times.append(1), still=still)
    return len(times)


@pytest.mark.parametrize("fact", [*CHANGES_A_UNIT, *LEAVES_UNITS_ALONE], ids=lambda fact: type(fact).__name__)
def test_what_was_worked_out_is_kept_until_the_next_fact(table: Table, fact: f.Fact) -> None:
    assert times_worked_out(table, fact, still=False) == 2


@pytest.mark.parametrize("fact", CHANGES_A_UNIT, ids=lambda fact: type(fact).__name__)
def test_what_rests_on_the_units_is_worked_out_anew_when_one_changes(table: Table, fact: f.Fact) -> None:
    assert times_worked_out(table, fact, still=True) == 2


@pytest.mark.parametrize("fact", LEAVES_UNITS_ALONE, ids=lambda fact: type(fact).__name__)
def test_what_rests_on_the_units_outlives_marks_hexes_and_counts(table: Table, fact: f.Fact) -> None:
    assert times_worked_out(table, fact, still=True) == 1


def test_one_key_is_two_things_to_the_two_memories(table: Table) -> None:
    assert table.keep("zone", lambda: "of the moment") == "of the moment"
    assert table.keep("zone", lambda: "of the units", still=True) == "of the units"
