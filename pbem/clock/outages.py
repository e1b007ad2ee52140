"""Deadlines moved by time without mail service: nobody loses a turn through no fault of his own."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.clock.clock_rules import read_rules
from pbem.clock.dues import HELD, climb_anew, wind
from pbem.store import Due, GameRow, Invitation, Outage, utc

NOTHING = timedelta(0)


def move_dues(session: Session, outage: Outage) -> None:
    """Every deadline moves by the part of the outage in which it was open; so do the days of invitations."""
    since, until = utc(outage.since), utc(outage.until)
    for row, game in _open(session):
        by = _open_for(game, max(since, utc(row.asked)), until)
        if by > NOTHING:
            _move(row, game, outage, by, until)
    for invitation in session.exec(select(Invitation).where(Invitation.state == "open")).all():
        invitation.asked = utc(invitation.asked) + max(NOTHING, until - max(since, utc(invitation.asked)))


def put_back(session: Session, outage: Outage, length: timedelta) -> None:
    """The clock was ahead and has been put back by so much: what it had counted ahead goes back with it.

    Only what an outage that never was has moved, or what was asked since, goes back; all else stays where it was told.
    """
    now = utc(outage.until)
    false = {one.id: one for one in session.exec(select(Outage).where(col(Outage.until) > now)).all()}
    for row, game in _open(session):
        before, early = false.get(row.outage), utc(row.asked) > now
        row.asked = min(now, utc(row.asked))
        wind(row, read_rules(game.settings))
        if early and false:
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
        game.pause_began = game.pause_began and min(now, utc(game.pause_began))
        game.pause_ended = game.pause_ended and min(now, utc(game.pause_ended))


def _open(session: Session) -> Iterator[tuple[Due, GameRow]]:
    """What is owed and by when, where nobody has been told yet that the moderator decides."""
    rows = select(Due, GameRow).join(GameRow).where(col(GameRow.state).in_(("playing", "paused")))
    for row, game in session.exec(rows.order_by(col(GameRow.id), col(Due.id))).all():
        if row.due is not None and row.reminded != HELD:
            yield row, game


def _open_for(game: GameRow, since: datetime, until: datetime) -> timedelta:
    """How much of a time a question was open; a pause gives its own time back when it ends."""
    if game.state == "paused" and game.paused_at is not None:
        until = min(until, utc(game.paused_at))
    if game.pause_began is None or game.pause_ended is None:
        return until - since
    paused = min(until, utc(game.pause_ended)) - max(since, utc(game.pause_began))
    return until - since - max(NOTHING, paused)


def _move(row: Due, game: GameRow, outage: Outage, by: timedelta, now: datetime) -> None:
    assert row.due is not None
    row.due = utc(row.due) + by
    row.outage, row.moved = outage.id, round(by.total_seconds())
    rules = read_rules(game.settings)
    climb_anew(row, rules, now)
    wind(row, rules)
