"""The deadline in a reader's calendar: enclosed with every letter that names one, taken back once nothing is owed."""

from datetime import datetime

from pbem.desk.standing_of import ask_of, deadline_of
from pbem.house import Room
from pbem.letters import Enclosure, Letter
from pbem.letters.calendar_text import KIND, CalendarEvent, calendar_text
from pbem.store import CalendarEntry, Player, Seat, utc

FILE = "deadline.ics"


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
