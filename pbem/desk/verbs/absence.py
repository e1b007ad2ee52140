"""Time: being away, and asking for more of it."""

import re
from datetime import datetime, timedelta

from pbem.clock.clock_rules import read_rules
from pbem.clock.dues import WINDOW, set_dues
from pbem.clock.time_zones import in_zone, zone
from pbem.clock.when import due_at, end_of_day
from pbem.desk.standing_of import due_of, in_his_time, kept_due
from pbem.desk.visit import Visit
from pbem.store.database import utc

_DATE = re.compile(r"(?:until\s+)?(\d{4})-(\d{1,2})-(\d{1,2})", re.I)
_DAYS = re.compile(r"(?:for\s+)?(\d{1,3})\s*(?:d|days?)", re.I)
USAGE = "Write `absent until 2026-07-31`, `absent for 5 days`, or `absent no` when you are back."
BACK = ("no", "off", "back", "end")


def absent(visit: Visit, rest: str) -> None:
    """`absent until DATE`: no deadline of the writer's falls before it; within the game's limits."""
    said = rest.strip().casefold()
    if said in BACK:
        visit.seat.away_until = None
        visit.letter.say("Absent", "Welcome back. The deadlines you have been given stay as they are.")
        return
    until = _until(visit, said)
    if until is None:
        visit.letter.say("Absent", USAGE)
        return
    limit = read_rules(visit.game.settings).absence_days
    if until <= visit.now or until > visit.now + timedelta(days=limit + 1):
        visit.letter.say("Absent", f"It must be a day to come, and at most {limit} days away. Nothing was changed.")
        return
    visit.seat.away_until = until
    visit.room.planned = None
    if visit.game.state == "playing" and not visit.room.planning:
        set_dues(visit.room)
    day = in_zone(until - timedelta(seconds=1), visit.player.zone)
    visit.letter.say("Absent", f"You are absent until the end of {day:%A} {day.day} {day:%B %Y}.")
    for seat, player in visit.opponents():
        visit.write_to(seat, player, "Absent", f"{visit.side} is absent until {day:%A} {day.day} {day:%B %Y}.")


def _until(visit: Visit, said: str) -> datetime | None:
    """The end of the day that is meant, on the writer's own calendar."""
    days = _DAYS.fullmatch(said)
    if days:
        return end_of_day(in_zone(visit.now + timedelta(days=int(days[1])), visit.player.zone))
    date = _DATE.fullmatch(said)
    try:
        if date is None:
            return None
        year, month, day = map(int, date.groups())
        return end_of_day(datetime(year, month, day, tzinfo=zone(visit.player.zone)))
    except ValueError:
        return None


def wait(visit: Visit, rest: str) -> None:
    """`wait`: the time for what is asked of the writer begins anew, as often as the game allows."""
    owed, kept = due_of(visit.room, visit.side), kept_due(visit.room, visit.side)
    if visit.game.state != "playing" or owed is None or owed.due is None:
        visit.letter.say("Wait", "Nothing of yours has a deadline now.")
        return
    if owed.kind == WINDOW:
        visit.letter.say(
            "Wait", "This question is open for the same time whatever you do, so that it tells nobody anything."
        )
        return
    rules = read_rules(visit.game.settings)
    until = due_at(visit.mail.received, rules.span(*_kinds(owed.key, owed.kind)), rules, visit.player.zone)
    if until is None or until <= utc(owed.due) or kept is None:
        visit.letter.say("Wait", f"You have until {in_his_time(owed.due, visit.player)} already.")
        return
    if visit.seat.extensions >= rules.extensions:
        visit.letter.say("Wait", f"You have been given more time {rules.extensions} times, which is all there is.")
        return
    visit.seat.extensions += 1
    visit.seat.waiting = True
    kept.due, kept.reminded = until, 0
    left = rules.extensions - visit.seat.extensions
    visit.letter.say("Wait", f"You have until {in_his_time(until, visit.player)}. You may ask so {left} times more.")


def _kinds(key: str, kind: str) -> tuple[str, ...]:
    stage = key.split("/")[1] if "/" in key else ""
    return kind, stage, stage.rpartition(".")[2]
