"""Time zones: a player's own clock, whatever he calls it."""

from datetime import datetime
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from rapidfuzz import process

from pbem.store.database import utc


@cache
def zone(name: str) -> ZoneInfo:
    """The zone of that name; UTC for one that is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return ZoneInfo("UTC")


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
    for known in sorted(available_timezones()):
        if wanted in (known.casefold(), known.casefold().rpartition("/")[2]):
            return known
    near = process.extract(wanted, sorted(available_timezones()), limit=3, score_cutoff=70)
    raise NoSuchZone(name, tuple(found for found, *_ in near))
