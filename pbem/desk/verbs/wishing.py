"""What a player may want otherwise: his clock, guessed from his mail's own, his calendar, his reminders, his boards."""

from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime

from pbem.clock.time_zones import NoSuchZone, find_zone, likely_zones
from pbem.desk.boards import LINK, ON, board_wish, why_no_link
from pbem.desk.calendar_entry import switch_calendar
from pbem.desk.visit import NotDone, Visit
from pbem.house.wishes import OFF, boards, reminders, wish, wish_of
from pbem.inbox.incoming import Incoming

ZONE = "zone"
NOBODYS = "UTC"  # whose clock nobody has named
WRONG = timedelta(days=2)  # a clock so far off says nothing about where it stands


def propose_zone(visit: Visit) -> None:
    """Says whose clock the mail seems to have, if his letters tell another's and he was never asked."""
    sent = mail_clock(visit.mail) if visit.player.zone == NOBODYS else None
    offset = sent.utcoffset() if sent is not None else None
    if not offset or sent is None or wish_of(visit.session, visit.player, ZONE):
        return
    near = likely_zones(offset, sent)
    if not near:
        return
    wish(visit.session, visit.player, ZONE, "asked")
    others = f" Others with the same clock now: {', '.join(near[1:])}." if near[1:] else ""
    visit.letter.say(
        "Your clock",
        f"Your mail's clock is {in_words(offset)} UTC; times in your letters are told in UTC."
        f" Write `zone {near[0]}`, or the name of your own zone, and they are told in yours.{others}"
        " You are asked this once.",
    )


def mail_clock(mail: Incoming) -> datetime | None:
    """When it was sent by the sender's own clock; None if that cannot be told, or is wrong."""
    if mail.message is None or not mail.message.get("Date"):
        return None
    try:
        sent = parsedate_to_datetime(str(mail.message["Date"]))
    except (TypeError, ValueError, IndexError):
        return None
    if sent.tzinfo is None or abs(sent - mail.received) > WRONG:  # -0000 says that the zone is not known
        return None
    return sent


def in_words(offset: timedelta) -> str:
    hours, minutes = divmod(abs(round(offset.total_seconds())) // 60, 60)
    length = f"{hours}:{minutes:02d} hours" if minutes else f"{hours} hour{'' if hours == 1 else 's'}"
    return f"{length} {'ahead of' if offset > timedelta(0) else 'behind'}"


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
