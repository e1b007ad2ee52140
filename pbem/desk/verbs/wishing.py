"""What a player may want otherwise: his clock, his calendar, his reminders."""

from pbem.clock.time_zones import NoSuchZone, find_zone
from pbem.desk.calendar_entry import switch_calendar
from pbem.desk.visit import Visit
from pbem.desk.zone_guess import ZONE
from pbem.house.wishes import OFF, reminders, wish

ON_OFF = {"on": True, "yes": True, "off": False, "no": False, "stop": False}


def zone_(visit: Visit, rest: str) -> None:
    """`zone ZONE`: times in the writer's letters are those of his own clock."""
    if rest:
        choose_zone(visit, rest)
        visit.letter.say("Your clock", "Deadlines that run already stay where they are.")
    else:
        said = f"Times in your letters are those of {visit.player.zone}. Write `zone Europe/Berlin` for another."
        visit.letter.say("Your clock", said)


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
    wanted = _on_or_off(visit, "calendar", rest)
    if wanted is None:
        return
    switch_calendar(visit.room, visit.seat, visit.player, on=wanted)
    told = "bring your deadlines for your calendar, as a file deadline.ics" if wanted else "bring no calendar entry"
    visit.letter.say("Calendar", f"Your letters in this game {told}.")


def remind(visit: Visit, rest: str) -> None:
    """`reminders off`: no letter before a deadline."""
    wanted = _on_or_off(visit, "reminders", rest)
    if wanted is None:
        return
    wish(visit.session, visit.player, reminders(visit.seat), "" if wanted else OFF)
    told = "You are reminded before a deadline" if wanted else "You are not reminded; deadlines stay as they are"
    visit.letter.say("Reminders", f"{told}.")


def _on_or_off(visit: Visit, verb: str, rest: str) -> bool | None:
    wanted = ON_OFF.get(rest.strip().casefold())
    if wanted is None:
        visit.letter.say(verb.capitalize(), f"Write `{verb} off`, or `{verb} on`.")
    return wanted
