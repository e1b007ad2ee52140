"""A player's own clock, whatever he calls it, and when something is due by it, whatever the clocks do in between."""

import tomllib
from datetime import UTC, datetime, time, timedelta
from functools import cache
from itertools import islice
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from rapidfuzz import process

from pbem.clock.clock_rules import ClockRules, Span
from pbem.store import utc

MOST_OFFERED = 4
PEOPLED = tuple(tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))["peopled"])


def likely_zones(offset: timedelta, at: datetime) -> tuple[str, ...]:
    """Zones whose clock was so far from UTC at that moment, summer time and all; those of most people first."""
    others = (name for name in _known() if "/" in name and not name.startswith("Etc/"))

    def shows_it(name: str) -> bool:
        return at.astimezone(zone(name)).utcoffset() == offset

    return tuple(islice(filter(shows_it, PEOPLED), MOST_OFFERED)) or tuple(islice(filter(shows_it, others), 1))


@cache
def _known() -> tuple[str, ...]:
    """Every zone by name: to find them out is to walk through hundreds of files."""
    return tuple(sorted(available_timezones()))


@cache
def zone(name: str) -> ZoneInfo:
    """The zone of that name; UTC for one that is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


def in_utc(moment: datetime) -> str:
    """A moment in words, by nobody's own clock."""
    at = utc(moment)
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M} UTC"


def in_zone(moment: datetime, name: str) -> datetime:
    return utc(moment).astimezone(zone(name))


class NoSuchZone(LookupError):
    """No time zone has this name."""

    def __init__(self, name: str, near: tuple[str, ...]) -> None:
        meant = f"; did you mean {' or '.join(near)}?" if near else ", such as Europe/Berlin"
        super().__init__(f"{name!r} is not the name of a time zone{meant}")
        self.name, self.near = name, near


def find_zone(name: str) -> str:
    """The zone's name as it is spelled; a city alone will do. Raises NoSuchZone."""
    wanted = name.strip().casefold().replace(" ", "_")
    for known in _known():
        if wanted in (known.casefold(), known.casefold().rpartition("/")[2]):
            return known
    near = process.extract(wanted, _known(), limit=3, score_cutoff=70)
    raise NoSuchZone(name, tuple(found for found, *_ in near))


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
    day = in_zone(asked, zone_name).date()
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
