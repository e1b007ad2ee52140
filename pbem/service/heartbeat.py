"""The heartbeat: whether mail comes in and goes out, written down, so that a time without it is known afterwards.

The clock acts only up to the last moment at which all of it worked: a deadline is missed only if a mail sent before it
would have been here. Whom an outage concerned is told: each player his new deadline once, each moderator the list.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

import structlog
from sqlmodel import Session, col, select

from pbem.clock.clock_rules import length_in_words
from pbem.clock.dues import WINDOW
from pbem.clock.outages import move_dues, put_back
from pbem.clock.time_zones import in_utc
from pbem.desk.composing import finish, letter_to
from pbem.desk.standing_of import in_his_time
from pbem.desk.trouble import in_each
from pbem.house import House, Room
from pbem.house.game_file import touch
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.store import Due, GameRow, Outage, Player, Pulse, Seat, utc

FRESH = timedelta(seconds=15)  # so long a pulse that says the same need not be written again
A_MINUTE = timedelta(minutes=1)

_log = structlog.get_logger()


class Heartbeat:
    """Beats once a round. What it finds and what follows from it for deadlines are one transaction."""

    def __init__(self, house: House, *, poll: float = 0.0, monotonic: Callable[[], float] = time.monotonic) -> None:
        self.house, self._monotonic = house, monotonic
        # Whoever looks into his mailbox once an hour is not out of order for it.
        self.longest = max(timedelta(minutes=house.settings.times.outage_minutes), timedelta(seconds=3 * poll))
        self.because = ""  # what else is known to have been wrong
        self._kept: tuple[datetime, bool] | None = None  # what was written last: when, and whether all worked
        self._own: tuple[datetime, float] | None = None  # this worker's last beat: another's clocks are not its own

    def beat(self, now: datetime, *, fetched: bool, sending: bool) -> datetime | None:
        """How it stands at a moment before which all mail was fetched, or not; gives until when the clock may act."""
        up = fetched and sending
        if up and self._kept is not None and self._kept[1] and self._kept[0] <= now < self._kept[0] + FRESH:
            return now
        with self.house.database.begin() as session:
            pulse = session.get(Pulse, 1, with_for_update=True)  # two that lead for a moment note an outage once
            if pulse is None:
                pulse = Pulse(ran=now)
                session.add(pulse)
            else:
                self._compare(session, pulse, now, up)
            pulse.ran, pulse.monotonic = now, self._monotonic()
            pulse.fetched = now if fetched else pulse.fetched
            pulse.sent = now if sending else pulse.sent
            pulse.up = now if up else pulse.up
            until = pulse.up
        self._kept, self._own = (now, up), (now, self._monotonic())
        return utc(until) if until is not None else None

    def _compare(self, session: Session, pulse: Pulse, now: datetime, up: bool) -> None:
        back = self._put_back_by(pulse, now)
        if back > timedelta(0) and pulse.up is not None:
            pulse.up = min(now, utc(pulse.up))
        if back > self.longest:
            self.house.cabinet.hold_all(session)
            outage = self._note(session, now, now, "the clock of the machine was ahead, and has been put right")
            put_back(session, outage, back)
        elif up and pulse.up is not None and now - utc(pulse.up) > self.longest:
            self.house.cabinet.hold_all(session)
            move_dues(session, self._note(session, utc(pulse.up), now, self._why(pulse, now)))

    def _put_back_by(self, pulse: Pulse, now: datetime) -> timedelta:
        """By how much less the wall clock has gone on than the one that never jumps; after a restart that is anew."""
        last = (utc(pulse.ran), pulse.monotonic)
        if self.house.cabinet.shared:
            last = self._own or (now, self._monotonic())
        passed = timedelta(seconds=max(0.0, self._monotonic() - last[1]))
        return passed - (now - last[0])

    def _why(self, pulse: Pulse, now: datetime) -> str:
        """What was wrong, as far as it is known."""
        if self.because:
            return self.because
        stood = now - utc(pulse.ran)
        said = []
        if stood > self.longest:
            passed = timedelta(seconds=self._monotonic() - pulse.monotonic)
            asleep = timedelta(0) <= passed < stood / 2
            said.append("the machine slept, or its clock was put forward" if asleep else "the service did not run")
        for what, last in (("fetched", pulse.fetched), ("sent", pulse.sent)):
            lost = (utc(pulse.ran) if said else now) - utc(last or pulse.ran)
            if lost > A_MINUTE:
                said.append(f"mail could not be {what}")
        return " and ".join(dict.fromkeys(said)) or "mail came and went by turns only"

    def _note(self, session: Session, since: datetime, until: datetime, why: str) -> Outage:
        _log.warning("an outage is over", since=since.isoformat(), until=until.isoformat(), why=why)
        outage = Outage(since=since, until=until, why=why)
        session.add(outage)
        session.flush()
        return outage


def tell_outages(house: House) -> None:
    """All letters that outages still owe; after a stop in between each is written once nevertheless."""
    with house.database.reading() as session:
        found = session.exec(select(Outage).where(col(Outage.told).is_(False)).order_by(col(Outage.id))).all()
    for outage in found:
        moved = select(Due.game_id).where(Due.outage == outage.id)
        in_each(house, moved, "its players could not be told of an outage", partial(_tell_players, outage))
        with house.transaction() as session:
            _tell_moderators(house, session, outage)
            session.get_one(Outage, outage.id).told = True


def _tell_players(outage: Outage, room: Room) -> None:
    """Whoever owes what was moved; of a hidden question all, who have been told until when the game waits."""
    rows = [row for row in room.dues() if row.outage == outage.id]
    owing = {row.side: row for row in rows if row.kind != WINDOW}
    hidden = any(row.kind == WINDOW for row in rows)
    for seat, player in room.people():
        row = owing.get(seat.side)
        if row is None and not hidden:
            continue
        heading = "Your deadline has moved" if row is not None else "The game goes on later"
        letter = letter_to(room, "notice", seat, player, heading, _happened(outage, player), *_until(row, player))
        finish(room, letter, seat, player)
        queue(room.house, room.session, letter, f"outage/{outage.id}/{room.game.id}/{seat.side}")
    touch(room.session, room.game.id)


def _happened(outage: Outage, player: Player) -> str:
    since, until = utc(outage.since), utc(outage.until)
    if since == until:
        return "The clock of the service was wrong, and has been put right."
    return f"There was no mail service from {in_his_time(since, player)} to {in_his_time(until, player)}."


def _until(row: Due | None, player: Player) -> list[str]:
    if row is None or row.due is None:
        return ["Nobody loses any time by it."]
    return [f"You lose no time by it: you have until {in_his_time(row.due, player)}."]


def _tell_moderators(house: House, session: Session, outage: Outage) -> None:
    """One letter to each, with what was moved in his games; none where nothing was."""
    rows = (
        select(Due, GameRow, Player)
        .join(GameRow, col(GameRow.id) == col(Due.game_id))
        .join(Seat, (col(Seat.game_id) == col(Due.game_id)) & (col(Seat.side) == col(Due.side)))
        .join(Player, col(Player.id) == col(Seat.player_id))
        .where(Due.outage == outage.id)
        .order_by(col(GameRow.id), col(Due.id))
    )
    lists: dict[str, list[str]] = {}
    for row, game, player in session.exec(rows).all():
        if row.due is not None:
            by = length_in_words(timedelta(seconds=abs(row.moved)))
            said = f"{game.id}: {row.side} ({player.address}) has until {in_utc(row.due)}"
            lists.setdefault(game.moderator, []).append(f"{said}, {by} {'later' if row.moved > 0 else 'earlier'}.")
    for moderator, lines in lists.items():
        letter = Letter("notice", moderator, "Deadlines were moved")
        letter.say("What happened", _explained(outage))
        letter.say(
            "Deadlines that were moved", *lines, "Their players have been told. There is nothing that you must do."
        )
        queue(house, session, letter, f"outage/{outage.id}/moderator/{moderator}")


def _explained(outage: Outage) -> str:
    since, until = utc(outage.since), utc(outage.until)
    if since == until:
        return f"At {in_utc(until)}: {outage.why}. What it had counted ahead was counted back."
    length = length_in_words(until - since)
    return f"From {in_utc(since)} to {in_utc(until)} ({length}) there was no mail service: {outage.why}."
