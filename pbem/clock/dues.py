"""What each side owes, kept beside the mail: one row for each open ask, worked out again after every line."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, select

from engine.asks import Ask
from engine.campaign import Campaign
from pbem.clock.rules import ClockRules, read_rules
from pbem.clock.when import due_at
from pbem.house import House
from pbem.store import Due, GameRow, Player, Seat
from pbem.store.database import utc


def set_dues(house: House, session: Session, game: GameRow, campaign: Campaign, *, by_clock: bool = False) -> None:
    """The rows as the open asks want them; a phase that goes on keeps its deadline."""
    now, rules = house.clock(), read_rules(game.settings)
    asks = {ask.side: ask for ask in campaign.asks if campaign.drawer.sealed(ask.key) is None}
    seats = {seat.side: seat for seat in session.exec(select(Seat).where(Seat.game_id == game.id)).all()}
    rows = {row.side: row for row in session.exec(select(Due).where(Due.game_id == game.id)).all()}
    for side, row in rows.items():
        ask = asks.get(side)
        if ask is None or not _goes_on(row.key, ask.key):
            _remember(session, seats.get(side), row, now, by_clock)
            session.delete(row)
            continue
        row.key, row.prompt = ask.key, ask.prompt
        session.add(row)
    session.flush()
    for side, ask in asks.items():
        row_before = rows.get(side)
        if row_before is None or not _goes_on(row_before.key, ask.key):
            session.add(_new(session, game, seats[side], ask, rules, now))
    session.flush()


def _goes_on(before: str, now: str) -> bool:
    """Whether two keys belong to one stage of one turn."""
    return before.split("/")[:2] == now.split("/")[:2]


def kinds_of(ask: Ask) -> tuple[str, ...]:
    """What the deadline rules may call an ask: a reply, its stage, the kind of stage, its name."""
    stage = ask.key.split("/")[1] if "/" in ask.key else ""
    own = () if ask.top else ("reply",)
    return (*own, stage, stage.rpartition(".")[2], ask.name)


def _new(session: Session, game: GameRow, seat: Seat, ask: Ask, rules: ClockRules, now: datetime) -> Due:
    player = session.get(Player, seat.player_id) if seat.player_id is not None else None
    kinds = kinds_of(ask)
    due = None
    if player is not None and not seat.bot:
        due = due_at(now, rules.span(*kinds), rules, player.zone)
        if due is not None and seat.away_until is not None and utc(seat.away_until) > due:
            due = due_at(utc(seat.away_until), rules.span(*kinds), rules, player.zone)
    return Due(game_id=game.id, side=seat.side, key=ask.key, kind=kinds[0], prompt=ask.prompt, asked=now, due=due)


def _remember(session: Session, seat: Seat | None, row: Due, now: datetime, by_clock: bool) -> None:
    """The player's record, for the moderator."""
    player = session.get(Player, seat.player_id) if seat is not None and seat.player_id is not None else None
    if player is None or seat is None or seat.bot:
        return
    if by_clock:
        player.missed += 1
    elif row.due is not None and now > utc(row.due):
        player.late += 1
    else:
        player.answered += 1
    player.seconds += round((now - utc(row.asked)).total_seconds())
    session.add(player)


def shift(session: Session, game: GameRow, by: float) -> None:
    """All deadlines of a game so many seconds later: it was paused."""
    for row in session.exec(select(Due).where(Due.game_id == game.id)).all():
        if row.due is not None:
            row.due = utc(row.due) + timedelta(seconds=by)
            session.add(row)
