"""A deadline as its reader's own clock shows it: at length, in a subject, and how long it is until then."""

from datetime import datetime, timedelta

from pbem.clock.time_zones import in_zone
from pbem.store import Player


def by_then(moment: datetime, player: Player) -> str:
    """`By Friday 20 November, 20:00`."""
    local = in_zone(moment, player.zone)
    return f"By {local:%A} {local.day} {local:%B}, {local:%H:%M}"


def in_a_subject(moment: datetime, player: Player) -> str:
    """`Fri 20 Nov 20:00`."""
    local = in_zone(moment, player.zone)
    return f"{local:%a} {local.day} {local:%b} {local:%H:%M}"


def soon(moment: datetime, player: Player, now: datetime) -> str:
    """The same for what is near: `tomorrow 20:00`."""
    local, today = in_zone(moment, player.zone), in_zone(now, player.zone).date()
    day = {today: "today", today + timedelta(days=1): "tomorrow"}.get(local.date())
    return f"{day} {local:%H:%M}" if day else in_a_subject(moment, player)


def left_until(moment: datetime, player: Player, now: datetime) -> str:
    """`in 2 days 5 hours, your time (Europe/Kyiv)`."""
    zone = f"your time ({player.zone})"
    minutes = int((moment - now).total_seconds()) // 60
    if minutes <= 0:
        return f"gone by, {zone}"
    days, hours, rest = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [(days, "day"), (hours, "hour")] if days else [(hours, "hour"), (rest, "minute")]
    told = " ".join(f"{number} {name}{'' if number == 1 else 's'}" for number, name in parts if number)
    return f"in {told or 'less than a minute'}, {zone}"
