"""How it stands between a side and the game: what is asked, by when, as its reader's clock and calendar show it."""

from datetime import datetime, timedelta

from engine.asks import Ask
from engine.campaign import Campaign
from pbem.clock.time_zones import in_zone
from pbem.house import Room
from pbem.letters import Enclosure, Letter
from pbem.letters.calendar_text import KIND, CalendarEvent, calendar_text
from pbem.store import CalendarEntry, Due, Player, Seat, utc


def ask_of(campaign: Campaign, side: str) -> Ask | None:
    """What the side must answer now."""
    return next((a for a in campaign.asks if a.side == side and campaign.drawer.sealed(a.key) is None), None)


def state_word(campaign: Campaign, side: str) -> str:
    """missing: asked and silent; draft: lines wait in the drawer; accepted: nothing is owed; final: it is over."""
    if campaign.over:
        return "final"
    if campaign.drawer.waiting.get(side):
        return "draft"
    return "missing" if ask_of(campaign, side) is not None else "accepted"


def name_of(room: Room, seat: Seat) -> str:
    """Who sits on a chair."""
    player = room.player(seat)
    return (player.name or player.address.partition("@")[0]) if player is not None else f"the {seat.bot} bot"


def due_of(room: Room, side: str) -> Due | None:
    """What a side owes, and by when."""
    return next((due for due in room.dues() if due.side == side), None)


def deadline_of(room: Room, side: str) -> datetime | None:
    """By when a side must answer, if there is a time for it."""
    due = due_of(room, side)
    return utc(due.due) if due is not None and due.due is not None else None


def due_words(room: Room, side: str, player: Player) -> str:
    """The same as the reader's own clock shows it; empty if there is none."""
    due = deadline_of(room, side)
    return in_his_time(due, player) if due is not None else ""


def in_his_time(moment: datetime, player: Player) -> str:
    """A time as the reader's own clock shows it."""
    local = in_zone(moment, player.zone)
    return f"{local:%A} {local.day} {local:%B %Y, %H:%M} ({local.tzinfo})"


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


FILE = "deadline.ics"  # enclosed with every letter that names a deadline, taken back once nothing is owed


def enclose_deadline(room: Room, letter: Letter, seat: Seat, player: Player, *, owes: bool = True) -> None:
    """His deadline as it is now, or that there is none any more; `owes` is not so for who has left the chair."""
    if letter.enclosures and letter.enclosures[-1].name == FILE:
        letter.enclosures.pop()  # said again, for more has become known of this letter
    owed, about = _owed(room, seat) if owes else (None, "")
    entry = _entry(room, seat, player) if _has_clock(room, owed) else None
    if entry is not None and entry.off:
        owed = None
    if owed is None and (entry is None or entry.due is None):
        return
    entry = entry or _new_entry(room, seat, player)
    told = utc(entry.due) if entry.due is not None else None
    if told != owed:
        entry.sequence += 1
        entry.due = owed
    at = owed or told
    assert at is not None
    event = CalendarEvent(
        uid=f"deadline.{room.game.id}.{seat.id}.{player.id}@{room.house.settings.address.partition('@')[2]}",
        sequence=entry.sequence,
        made=room.now,
        at=at,
        title=f"Orders due: {room.game.title} [{room.game.id}]",
        about=about or "Nothing is asked of you any more.",
        organizer=room.house.settings.address,
        cancelled=owed is None,
    )
    letter.enclosures.append(Enclosure(FILE, KIND, calendar_text(event)))


def switch_calendar(room: Room, seat: Seat, player: Player, *, on: bool) -> None:
    """By the player's word; what stands in his calendar is taken back with the answer."""
    entry = _entry(room, seat, player) or _new_entry(room, seat, player)
    entry.off = not on


def _entry(room: Room, seat: Seat, player: Player) -> CalendarEntry | None:
    """Also one that this mail has just brought, and that is not written yet."""
    brought = (row for row in room.session.new if isinstance(row, CalendarEntry))
    whose = seat.id, player.id
    return next((row for row in (*room.calendars(), *brought) if (row.seat_id, row.player_id) == whose), None)


def _new_entry(room: Room, seat: Seat, player: Player) -> CalendarEntry:
    assert seat.id is not None
    assert player.id is not None
    entry = CalendarEntry(seat_id=seat.id, player_id=player.id, sequence=-1)
    room.session.add(entry)
    return entry


def _owed(room: Room, seat: Seat) -> tuple[datetime | None, str]:
    """By when he must answer, and what."""
    if room.game.state != "playing" or room.campaign.over:
        return None, ""
    ask, due = ask_of(room.campaign, seat.side), deadline_of(room, seat.side)
    if ask is None or due is None:
        return None, ""
    return due.replace(microsecond=0), f"{ask.prompt[:1].upper()}{ask.prompt[1:]}."


def _has_clock(room: Room, owed: datetime | None) -> bool:
    """Nobody is asked for what cannot be there: letters of a game without deadlines cost nothing."""
    if owed is not None or room.game.state != "playing" or room.game.settings.get("deadline"):
        return True
    return room.campaign.window is not None
