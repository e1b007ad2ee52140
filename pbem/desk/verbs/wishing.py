"""A player's time and wishes: his clock, guessed from his mail's own, being away; calendar, reminders, boards."""

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

from pbem.clock.clock_rules import counted, read_rules
from pbem.clock.days import UnclearDay, day_meant, in_words
from pbem.clock.dues import WINDOW, set_dues, wind
from pbem.clock.time_zones import NoSuchZone, due_at, end_of_day, find_zone, in_zone, likely_zones, zone
from pbem.desk.composing import say_words, to_rival
from pbem.desk.enclosing import LINK, ON, board_wish, why_no_link
from pbem.desk.standing_of import due_of, in_his_time, switch_calendar
from pbem.desk.visit import NotDone, Visit
from pbem.house.wishes import OFF, boards, reminders, wish, wish_of
from pbem.inbox.incoming import Incoming
from pbem.store import utc

ZONE = "zone"
NOBODYS = "UTC"  # whose clock nobody has named
WRONG = timedelta(days=2)  # a clock so far off says nothing about where it stands


def propose_zone(visit: Visit) -> None:
    """Says whose clock the mail seems to have, if his letters tell another's and he was never asked."""
    sent = mail_clock(visit.mail) if visit.player.zone == NOBODYS else None
    offset = sent.utcoffset() if sent is not None else None
    if not offset or sent is None or wish_of(visit.session, visit.player, ZONE):
        return
    if not (near := likely_zones(offset, sent)):
        return
    wish(visit.session, visit.player, ZONE, "asked")
    hours, minutes = divmod(abs(round(offset.total_seconds())) // 60, 60)
    length = f"{hours}:{minutes:02d} hours" if minutes else counted(hours, "hour")
    off = f"{length} {'ahead of' if offset > timedelta(0) else 'behind'}"
    say_words(visit.room, visit.letter, "your_clock", off=off, near=near)


def mail_clock(mail: Incoming) -> datetime | None:
    """When it was sent by the sender's own clock; None if that cannot be told, or is wrong."""
    try:
        sent = parsedate_to_datetime(str(mail.message["Date"] if mail.message is not None else ""))
    except (TypeError, ValueError, IndexError):
        return None
    known = sent.tzinfo is not None and abs(sent - mail.received) <= WRONG  # -0000 says that the zone is not known
    return sent if known else None


ON_OFF = {"on": True, "yes": True, "off": False, "no": False, "stop": False}


def zone_(visit: Visit, rest: str) -> None:
    """`zone ZONE`: times in the writer's letters are those of his own clock."""
    if rest:
        choose_zone(visit, rest)
    other = f"Times in your letters are those of {visit.player.zone}. Write `zone Europe/Berlin` for another."
    visit.letter.say("Your clock", "Deadlines that run already stay where they are." if rest else other)


def choose_zone(visit: Visit, name: str) -> None:
    """By the player's word, here or when he joins."""
    try:
        visit.player.zone = find_zone(name)
        wish(visit.session, visit.player, ZONE, "said")
    except NoSuchZone as problem:
        said = str(problem)
        visit.letter.say("Your time zone", said if said.endswith("?") else f"{said}.")
    visit.letter.say("Your clock", f"Times in your letters are those of {visit.player.zone}.")


def calendar(visit: Visit, rest: str) -> None:
    """`calendar off`: letters bring no entry for the calendar any more."""
    wanted = _on_or_off("calendar", rest)
    switch_calendar(visit.room, visit.seat, visit.player, on=wanted)
    told = "bring your deadlines for your calendar, as a file deadline.ics" if wanted else "bring no calendar entry"
    visit.letter.say("Calendar", f"Your letters in this game {told}.")


def remind(visit: Visit, rest: str) -> None:
    """`reminders off`: no letter before a deadline."""
    wanted = _on_or_off("reminders", rest)
    wish(visit.session, visit.player, reminders(visit.seat), "" if wanted else OFF)
    told = "You are reminded before a deadline" if wanted else "You are not reminded; deadlines stay as they are"
    visit.letter.say("Reminders", f"{told}.")


def _on_or_off(verb: str, rest: str) -> bool:
    wanted = ON_OFF.get(rest.strip().casefold())
    if wanted is None:
        raise NotDone(f"Write `{verb} off`, or `{verb} on`.")
    return wanted


_SAID = {
    ON: "Order boards come with the letters that ask for your orders.",
    OFF: "No order board comes with your letters from now on; `board on` brings them back.",
    LINK: "Your letters have a link to the order board from now on. Whoever has the link sees your view of the map.",
}


def board(visit: Visit, rest: str) -> None:
    """`board on`, `board off`, `board link`."""
    wanted = rest.strip().casefold()
    if wanted not in _SAID:
        now = board_wish(visit.room, visit.seat)
        raise NotDone(f"Write `board on`, `board off` or `board link`; now it is `{now}`.")
    wish(visit.session, visit.player, boards(visit.seat), wanted)
    why = why_no_link(visit.room, visit.seat) if wanted == LINK else ""
    visit.letter.say("Board", f"Kept, but there is no link yet: {why}." if why else _SAID[wanted])


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
        day = day_meant(said, in_zone(visit.room.now, visit.player.zone).date())
    except UnclearDay as unclear:
        which = ["Write the one you mean."] if unclear.meant else [USAGE]
        raise NotDone(*([str(unclear)] if said else []), *which) from None
    until = end_of_day(datetime(day.year, day.month, day.day, tzinfo=zone(visit.player.zone)))
    limit = read_rules(visit.game.settings).absence_days
    if until <= visit.room.now or until > visit.room.now + timedelta(days=limit + 1):
        raise NotDone(f"It must be a day to come, and at most {limit} days away. Nothing was changed.")
    visit.seat.away_until = until
    if visit.game.state == "playing":
        set_dues(visit.room)
    visit.letter.say("Absent", f"You are absent until the end of {in_words(day)}.")
    visit.write_to_all("Absent", f"{visit.side} is absent until {in_words(day)}.")
    who = visit.player.name or visit.player.address
    visit.others += to_rival(visit.room, "Absent", f"{who} is absent until {in_words(day)}.")


def wait(visit: Visit, rest: str) -> None:
    """`wait`: the time for what is asked of the writer begins anew, as often as the game allows."""
    owed = due_of(visit.room, visit.side)
    if visit.game.state != "playing" or owed is None or owed.due is None:
        raise NotDone("Nothing of yours has a deadline now.")
    if owed.kind == WINDOW:
        raise NotDone("This question is open for the same time whatever you do, so that it tells nobody anything.")
    rules, stage = read_rules(visit.game.settings), owed.key.split("/")[1] if "/" in owed.key else ""
    length = rules.span(owed.kind, stage, stage.rpartition(".")[2])
    until = due_at(visit.mail.received, length, rules, visit.player.zone)
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
