"""Deadlines moved by time without mail service: nobody loses a turn through no fault of his own."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.clock.clock_rules import read_rules
from pbem.clock.ladder import HELD, climb_anew
from pbem.store import Due, GameRow, Invitation, Outage
from pbem.store.database import utc

NOTHING = timedelta(0)


def move_dues(session: Session, outage: Outage) -> None:
    """Every deadline moves by the part of the outage in which it was open; so do the days of invitations."""
    since, until = utc(outage.since), utc(outage.until)
    for row, game in _open(session):
        by = _ends(game, until) - max(since, utc(row.asked), utc(game.resumed_at or since))
        if by > NOTHING:
            _move(row, game, outage, by, until)
    for invitation in session.exec(select(Invitation).where(Invitation.state == "open")).all():
        invitation.asked = utc(invitation.asked) + max(NOTHING, until - max(since, utc(invitation.asked)))


def put_back(session: Session, outage: Outage, length: timedelta) -> None:
    """The clock was ahead and has been put back by so much: what it had counted ahead goes back with it.

    A deadline that was told before the clock went wrong stays where it was told.
    """
    now = utc(outage.until)
    false = {one.id: one for one in session.exec(select(Outage).where(col(Outage.until) > now)).all()}
    for row, game in _open(session):
        before = false.get(row.outage)
        if utc(row.asked) > now:
            row.asked = min(now, utc(row.asked) - length)
            _move(row, game, outage, -length, now)
        elif before is not None:
            beyond = utc(before.until) - max(now, utc(before.since))
            _move(row, game, outage, -min(timedelta(seconds=row.moved), beyond), now)
    for one in false.values():
        one.until = max(now, utc(one.since))
    for invitation in session.exec(select(Invitation).where(col(Invitation.asked) > now)).all():
        invitation.asked = now
    for game in session.exec(select(GameRow)).all():
        game.paused_at = game.paused_at and min(now, utc(game.paused_at))
        game.resumed_at = game.resumed_at and min(now, utc(game.resumed_at))


def _open(session: Session) -> Iterator[tuple[Due, GameRow]]:
    """What is owed and by when, where nobody has been told yet that the moderator decides."""
    rows = select(Due, GameRow).join(GameRow).where(col(GameRow.state).in_(("playing", "paused")))
    for row, game in session.exec(rows.order_by(col(GameRow.id), col(Due.id))).all():
        if row.due is not None and row.reminded != HELD:
            yield row, game


def _ends(game: GameRow, until: datetime) -> datetime:
    """A pause gives its own time back when it ends."""
    return min(until, utc(game.paused_at)) if game.state == "paused" and game.paused_at is not None else until


def _move(row: Due, game: GameRow, outage: Outage, by: timedelta, now: datetime) -> None:
    assert row.due is not None
    row.due = utc(row.due) + by
    row.outage, row.moved = outage.id, round(by.total_seconds())
    climb_anew(row, read_rules(game.settings), now)
