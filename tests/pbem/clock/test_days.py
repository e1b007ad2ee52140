"""The day that somebody means when he says that he is away."""

from __future__ import annotations

from datetime import date

import pytest

from pbem.clock.days import UnclearDay, day_meant

MONDAY = date(2026, 1, 5)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("until 2026-12-24", "2026-12-24"),
        ("until 24.12.2026", "2026-12-24"),
        ("24.12.2026", "2026-12-24"),
        ("until 24.12.", "2026-12-24"),
        ("24.12.26", "2026-12-24"),
        ("until 24/12", "2026-12-24"),
        ("until 12/24", "2026-12-24"),
        ("until 24/12/2026", "2026-12-24"),
        ("until 3.4.", "2026-04-03"),
        ("until 3/3", "2026-03-03"),
        ("until 24 December", "2026-12-24"),
        ("until the 24th of December", "2026-12-24"),
        ("until December 24, 2026", "2026-12-24"),
        ("until dec 24", "2026-12-24"),
        ("until 2 January", "2027-01-02"),
        ("until the 24th", "2026-01-24"),
        ("until the 3rd", "2026-02-03"),
        ("until Sunday", "2026-01-11"),
        ("until this Sunday", "2026-01-11"),
        ("till Sun.", "2026-01-11"),
        ("until Monday", "2026-01-12"),
        ("until Sunday 8 March", "2026-03-08"),
        ("until Sunday, March 8", "2026-03-08"),
        ("until tomorrow", "2026-01-06"),
        ("for two weeks", "2026-01-19"),
        ("for a week", "2026-01-12"),
        ("for 3 weeks", "2026-01-26"),
        ("for a fortnight", "2026-01-19"),
        ("for ten days", "2026-01-15"),
        ("5 days", "2026-01-10"),
        ("5d", "2026-01-10"),
        ("for one month", "2026-02-04"),
    ],
)
def test_a_day_is_understood(said: str, meant: str) -> None:
    assert day_meant(said, MONDAY).isoformat() == meant


@pytest.mark.parametrize(
    ("said", "may_mean"),
    [
        ("until 3/4", ["2026-04-03", "2026-03-04"]),
        ("until 3/4/2026", ["2026-04-03", "2026-03-04"]),
        ("until next Sunday", ["2026-01-11", "2026-01-18"]),
        ("until 30 Ju", []),
        ("until 1 Ma", []),
        ("until 31.2.2026", []),
        ("until Saturday 8 March", []),
        ("next week", []),
        ("until further notice", []),
        ("until 24", []),
        ("", []),
        ("for many weeks", []),
        ("until 99999999999", []),
    ],
)
def test_what_may_mean_two_days_or_none_is_not_guessed(said: str, may_mean: list[str]) -> None:
    with pytest.raises(UnclearDay) as unclear:
        day_meant(said, MONDAY)
    assert [day.isoformat() for day in unclear.value.meant] == may_mean
    assert all(day in str(unclear.value) for day in may_mean)
