"""When something is due: counted on the player's own clock and calendar, whatever the clocks do in between."""

from datetime import UTC, datetime, time, timedelta

from pbem.clock.clock_rules import ClockRules, Span
from pbem.clock.time_zones import zone
from pbem.store.database import utc

LEAST = timedelta(hours=6)  # a daily deadline leaves at least so long
MIDNIGHT = time(0)


def due_at(asked: datetime, length: Span, rules: ClockRules, zone_name: str) -> datetime | None:
    """The moment (in UTC) by which an answer is due; None if there is no deadline."""
    if length is None:
        return None
    if isinstance(length, time):
        return _daily(asked, length, rules, zone_name)
    return _after(asked, length, rules, zone_name)


def _daily(asked: datetime, at: time, rules: ClockRules, zone_name: str) -> datetime:
    """The next time the clock shows that hour, not on a day off and not too soon."""
    local = utc(asked).astimezone(zone(zone_name))
    day = local.date()
    while True:
        moment = datetime.combine(day, at, zone(zone_name)).astimezone(UTC)
        if moment >= utc(asked) + LEAST and day.weekday() not in rules.days_off:
            return moment
        day += timedelta(days=1)


def _after(asked: datetime, length: timedelta, rules: ClockRules, zone_name: str) -> datetime:
    """So many hours later; those of days off do not count."""
    now, left = utc(asked), length
    while rules.days_off:
        local = now.astimezone(zone(zone_name))
        midnight = datetime.combine(local.date() + timedelta(days=1), MIDNIGHT, zone(zone_name)).astimezone(UTC)
        if local.weekday() not in rules.days_off:
            if now + left <= midnight:
                break
            left -= midnight - now
        now = midnight
    return now + left


def end_of_day(day: datetime) -> datetime:
    """The midnight that ends a local day, in UTC."""
    return datetime.combine(day.date() + timedelta(days=1), MIDNIGHT, day.tzinfo).astimezone(UTC)
