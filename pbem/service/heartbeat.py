"""The heartbeat: whether mail comes in and goes out, written down, so that a time without it is known afterwards.

The clock acts only up to the last moment at which all of it worked: a deadline is missed only if a mail sent before it
would have been here.
"""

import time
from collections.abc import Callable
from datetime import datetime, timedelta

import structlog
from sqlmodel import Session

from pbem.clock.outages import move_dues, put_back
from pbem.house import House
from pbem.store import Outage, Pulse
from pbem.store.database import utc

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
