"""Time: being away, and asking for more of it."""

from datetime import datetime, timedelta

from pbem.clock.clock_rules import read_rules
from pbem.clock.days import UnclearDay, day_meant, in_words
from pbem.clock.dues import WINDOW, set_dues, wind
from pbem.clock.time_zones import due_at, end_of_day, in_zone, zone
from pbem.desk.duels.told import to_rival
from pbem.desk.standing_of import due_of, in_his_time
from pbem.desk.visit import NotDone, Visit
from pbem.store import utc

USAGE = "Write `absent until 2026-07-31`, `absent until Sunday`, `absent for two weeks`, or `absent no`."
BACK = ("no", "off", "back", "end")


def absent(visit: Visit, rest: str) -> None:
    """`absent until DATE`: no deadline of the writer's falls before it; within the game's limits."""
    said = rest.strip().casefold()
    if said in BACK:
        visit.seat.away_until = None
        visit.letter.say("Absent", "Welcome back. The deadlines you have been given stay as they are.")
        return
    try:
        until = _until(visit, said)
    except UnclearDay as unclear:
        which = ["Write the one you mean."] if unclear.meant else [USAGE]
        raise NotDone(*([str(unclear)] if said else []), *which) from None
    limit = read_rules(visit.game.settings).absence_days
    if until <= visit.room.now or until > visit.room.now + timedelta(days=limit + 1):
        raise NotDone(f"It must be a day to come, and at most {limit} days away. Nothing was changed.")
    visit.seat.away_until = until
    if visit.game.state == "playing":
        set_dues(visit.room)
    day = in_zone(until - timedelta(seconds=1), visit.player.zone)
    visit.letter.say("Absent", f"You are absent until the end of {in_words(day)}.")
    for seat, player in visit.opponents():
        visit.write_to(seat, player, "Absent", f"{visit.side} is absent until {in_words(day)}.")
    visit.others += to_rival(
        visit.room, "Absent", f"{visit.player.name or visit.player.address} is absent until {in_words(day)}."
    )


def _until(visit: Visit, said: str) -> datetime:
    """The end of the day that is meant, on the writer's own calendar. Raises UnclearDay."""
    day = day_meant(said, in_zone(visit.room.now, visit.player.zone).date())
    return end_of_day(datetime(day.year, day.month, day.day, tzinfo=zone(visit.player.zone)))


def wait(visit: Visit, rest: str) -> None:
    """`wait`: the time for what is asked of the writer begins anew, as often as the game allows."""
    owed = due_of(visit.room, visit.side)
    if visit.game.state != "playing" or owed is None or owed.due is None:
        raise NotDone("Nothing of yours has a deadline now.")
    if owed.kind == WINDOW:
        raise NotDone("This question is open for the same time whatever you do, so that it tells nobody anything.")
    rules = read_rules(visit.game.settings)
    until = due_at(visit.mail.received, rules.span(*_kinds(owed.key, owed.kind)), rules, visit.player.zone)
    if until is None or until <= utc(owed.due):
        raise NotDone(f"You have until {in_his_time(owed.due, visit.player)} already.")
    if visit.seat.extensions >= rules.extensions:
        raise NotDone(f"You have been given more time {rules.extensions} times, which is all there is.")
    visit.seat.extensions += 1
    visit.seat.waiting = True
    owed.due, owed.reminded = until, 0
    wind(owed, rules)
    left = rules.extensions - visit.seat.extensions
    visit.letter.say("Wait", f"You have until {in_his_time(until, visit.player)}. You may ask so {left} times more.")


def _kinds(key: str, kind: str) -> tuple[str, ...]:
    stage = key.split("/")[1] if "/" in key else ""
    return kind, stage, stage.rpartition(".")[2]
