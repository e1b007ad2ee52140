"""Odds, and forecasts over strengths that are not known."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest

from engine.forecast import MOST, Forecast, even_chances, over
from engine.rules.odds import ratio_beyond, ratio_column, shifted, shifted_beyond, told_beyond

COLUMNS = ("1-3", "1-2", "1-1", "2-1", "3-1")


@pytest.mark.parametrize(
    ("attack", "defence", "column", "beyond"),
    [
        (3, 1, "3-1", 0),
        (7, 2, "3-1", 0),
        (4, 1, "3-1", 1),
        (10, 2, "3-1", 2),
        (5, 5, "1-1", 0),
        (2, 6, "1-3", 0),
        (2, 7, "1-3", -1),  # rounds for the defender: 1-4
        (1, 5, "1-3", -2),
        (3, 0, "3-1", 0),
        (0, 3, "1-3", 0),
    ],
)
def test_odds_off_the_table_tell_by_how_far(attack: int, defence: int, column: str, beyond: int) -> None:
    assert COLUMNS[ratio_column(attack, defence, COLUMNS)] == column
    assert ratio_beyond(attack, defence, COLUMNS) == beyond


@pytest.mark.parametrize(("column", "shifts", "lands", "beyond"), [(4, 2, 4, 2), (1, -3, 0, -2), (2, 2, 4, 0)])
def test_shifts_off_the_table_tell_by_how_far(column: int, shifts: int, lands: int, beyond: int) -> None:
    assert (shifted(column, shifts, COLUMNS), shifted_beyond(column, shifts, COLUMNS)) == (lands, beyond)


def test_what_is_beyond_the_table_is_a_line_of_the_working() -> None:
    assert [line.amount for by in (2, -1, 0) for line in told_beyond(by, "9.4")] == [
        "2 columns beyond the table",
        "1 column short of the table",
    ]


def worked_out(steps: Mapping[str, int]) -> Forecast:
    column = f"{9 - sum(steps.values())}-1"
    return Forecast("attack", column, (), even_chances(["hit"] if sum(steps.values()) < 4 else ["miss"]))


def test_every_set_of_strengths_is_as_likely_as_another() -> None:
    found = over({"A": range(1, 3), "B": [2], "C": range(1, 3)}, worked_out, "3.2")
    assert found.column == "3-1 to 5-1"
    assert found.chances == (("miss", Fraction(1)),)
    found = over({"A": range(1, 3), "B": range(1, 3)}, worked_out, "3.2")
    assert dict(found.chances) == {"hit": Fraction(3, 4), "miss": Fraction(1, 4)}
    assert [line.amount for line in found.working] == [
        "1 to 2 steps", "1 to 2 steps", "1/4 of what is possible", "1/2 of what is possible", "1/4 of what is possible",
    ]  # fmt: skip


def test_what_is_not_known_is_told_in_what_it_is_counted_in() -> None:
    found = over({"A": range(1, 3), "B": range(2, 5)}, worked_out, "3.2", {"A": "points", "B": "men"}.__getitem__)
    assert [line.amount for line in found.working][:2] == ["1 to 2 points", "2 to 4 men"]


def test_too_many_strengths_are_looked_at_from_all_weak_to_all_strong() -> None:
    seen: list[tuple[int, ...]] = []

    def count(steps: Mapping[str, int]) -> Forecast:
        seen.append(tuple(steps.values()))
        return worked_out({"A": steps["0"]})

    units = {str(n): range(1, 4) if n else range(1, 3) for n in range(9)}
    assert over(units, count, "3.2").column == "7-1 to 8-1"
    assert MOST < 3**8 * 2
    assert (seen[0], seen[-1], len(seen)) == ((1,) * 9, (2, *(3,) * 8), 3)
