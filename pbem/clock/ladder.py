"""The ladder of reminders before a deadline, and what stands above them."""

from datetime import datetime, timedelta

from pbem.clock.clock_rules import ClockRules
from pbem.store import Due
from pbem.store.database import utc

GRACE_TOLD, HELD = 100, 101  # rungs of the ladder above all reminders


def ladder(row: Due, rules: ClockRules) -> tuple[timedelta, ...]:
    """The reminders that fall between the question and its deadline."""
    assert row.due is not None
    span = utc(row.due) - utc(row.asked)
    return tuple(reminder for reminder in rules.reminders if reminder < span)


def rungs_gone(row: Due, rules: ClockRules, now: datetime) -> int:
    """How many of them have gone by."""
    assert row.due is not None
    return sum(1 for reminder in ladder(row, rules) if utc(row.due) - reminder <= now)


def climb_anew(row: Due, rules: ClockRules, now: datetime) -> None:
    """The deadline is another one: reminders still to come are given, those gone by are not made up for."""
    if row.due is not None and now < utc(row.due):
        row.reminded = rungs_gone(row, rules, now)
