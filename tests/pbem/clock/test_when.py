"""When something is due: counted on the player's own clock, right across clock changes and days off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.clock.clock_rules import BadClock, read_rules
from pbem.clock.time_zones import NoSuchZone, due_at, end_of_day, find_zone, in_zone

MONDAY = datetime(2026, 1, 5, 12, tzinfo=UTC)


def due(settings: dict[str, object], asked: datetime, zone: str, *kinds: str) -> str:
    """The deadline as the player's clock shows it."""
    rules = read_rules(settings)
    found = due_at(asked, rules.span(*kinds), rules, zone)
    return f"{in_zone(found, zone):%a %d %b %H:%M}" if found is not None else "never"


@pytest.mark.parametrize(
    ("settings", "zone", "is_due"),
    [
        ({}, "UTC", "never"),
        ({"deadline": "48h"}, "UTC", "Wed 07 Jan 12:00"),
        ({"deadline": "2d"}, "Europe/Kyiv", "Wed 07 Jan 14:00"),
        ({"deadline": "90m"}, "UTC", "Mon 05 Jan 13:30"),
        ({"deadline": "daily at 21:00"}, "UTC", "Mon 05 Jan 21:00"),
        ({"deadline": "daily at 21:00"}, "Asia/Tokyo", "Tue 06 Jan 21:00"),
        ({"deadline": "daily at 17:00"}, "UTC", "Tue 06 Jan 17:00"),
        ({"deadline": {"default": "none"}}, "UTC", "never"),
    ],
)
def test_a_deadline_is_told_on_the_players_own_clock(settings: dict[str, object], zone: str, is_due: str) -> None:
    assert due(settings, MONDAY, zone) == is_due


def test_each_kind_of_phase_has_its_own_time_and_a_reply_the_shortest() -> None:
    settings = {"deadline": {"default": "48h", "combat": "24h", "reply": "12h"}}
    assert due(settings, MONDAY, "UTC", "soviet.combat", "combat") == "Tue 06 Jan 12:00"
    assert due(settings, MONDAY, "UTC", "reply", "soviet.combat", "combat") == "Tue 06 Jan 00:00"
    assert due(settings, MONDAY, "UTC", "soviet.initial", "initial") == "Wed 07 Jan 12:00"


def test_hours_of_days_off_do_not_count() -> None:
    friday = datetime(2026, 1, 9, 12, tzinfo=UTC)
    settings = {"deadline": "48h", "weekdays_off": ["sat", "sun"]}
    assert due(settings, friday, "UTC") == "Tue 13 Jan 12:00"
    saturday = datetime(2026, 1, 10, 12, tzinfo=UTC)
    assert due(settings, saturday, "UTC") == "Wed 14 Jan 00:00"


def test_a_daily_deadline_skips_days_off() -> None:
    friday = datetime(2026, 1, 9, 20, tzinfo=UTC)
    assert due({"deadline": "daily at 21:00", "weekdays_off": ["sat", "sun"]}, friday, "UTC") == "Mon 12 Jan 21:00"


@pytest.mark.parametrize(
    ("asked", "is_due"),
    [
        (datetime(2026, 3, 28, 12, tzinfo=UTC), "Sat 28 Mar 21:00"),
        (datetime(2026, 3, 28, 20, tzinfo=UTC), "Sun 29 Mar 21:00"),  # the clocks go forward in between
        (datetime(2026, 10, 24, 20, tzinfo=UTC), "Sun 25 Oct 21:00"),  # and back
    ],
)
def test_nine_in_the_evening_is_nine_in_the_evening_whatever_the_clocks_do(asked: datetime, is_due: str) -> None:
    assert due({"deadline": "daily at 21:00"}, asked, "Europe/Berlin") == is_due


def test_a_number_of_hours_is_that_number_of_hours_whatever_the_clocks_do() -> None:
    saturday = datetime(2026, 3, 28, 12, tzinfo=UTC)
    assert due({"deadline": "24h"}, saturday, "Europe/Berlin") == "Sun 29 Mar 14:00"


def test_a_time_that_the_clocks_skip_is_the_moment_after() -> None:
    saturday = datetime(2026, 3, 28, 12, tzinfo=UTC)
    assert due({"deadline": "daily at 02:30"}, saturday, "Europe/Berlin") == "Sun 29 Mar 03:30"


@given(
    hours=st.integers(1, 400),
    start=st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)),
    zone=st.sampled_from(["UTC", "Europe/Kyiv", "America/St_Johns", "Asia/Tokyo", "Australia/Lord_Howe"]),
    off=st.sets(st.sampled_from(["mon", "wed", "sat", "sun"])),
)
def test_a_deadline_never_falls_on_a_day_off_nor_before_its_time(
    hours: int, start: datetime, zone: str, off: set[str]
) -> None:
    rules = read_rules({"deadline": f"{hours}h", "weekdays_off": sorted(off)})
    asked = start.replace(tzinfo=UTC)
    found = due_at(asked, rules.span(), rules, zone)
    assert found is not None
    assert found >= asked + timedelta(hours=hours)
    local = in_zone(found - timedelta(microseconds=1), zone)
    assert local.weekday() not in rules.days_off


@pytest.mark.parametrize(
    "settings",
    [
        {"deadline": "soon"},
        {"deadline": 48},
        {"deadline": "daily at 25:00"},
        {"weekdays_off": ["funday"]},
        {"weekdays_off": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]},
        {"on_deadline": "explode"},
        {"grace": "-1h"},
        {"extensions": "many"},
        {"reminders": "24h"},
    ],
)
def test_a_clock_that_cannot_be_read_is_refused_with_how_to_write_it(settings: dict[str, object]) -> None:
    with pytest.raises(BadClock, match="write"):
        read_rules(settings)


@pytest.mark.parametrize(
    ("name", "found"), [("europe/berlin", "Europe/Berlin"), ("New York", "America/New_York"), ("utc", "UTC")]
)
def test_a_zone_is_found_however_it_is_written(name: str, found: str) -> None:
    assert find_zone(name).endswith(found)


def test_an_unknown_zone_is_answered_with_one_like_it() -> None:
    with pytest.raises(NoSuchZone, match="Europe/Berlin"):
        find_zone("Europe/Berln")


def test_a_day_ends_at_the_players_own_midnight() -> None:
    day = in_zone(MONDAY, "Asia/Tokyo")
    assert end_of_day(day) == datetime(2026, 1, 5, 15, tzinfo=UTC)
