"""Around a log line: what must be durable before it is written, and what may go once it is.

Before: letters are stored as held, with the cause that the line will carry. After: they are queued. Whoever starts
again finds the cause in the log, and releases them, or does not find it, and drops them.
"""

from collections.abc import Callable
from typing import Any

from sqlmodel import Session, col, select

from engine import log
from engine.referee import Reply
from pbem.clock.dues import line_time, set_dues
from pbem.desk.boards import clear_boards
from pbem.desk.chairs import settle_sides, take_sides
from pbem.desk.duels.duel_course import see_to_duel
from pbem.desk.lifecycle import finish_game
from pbem.desk.reporting import report_line
from pbem.desk.visit import Witness
from pbem.house.crash_points import AFTER_LINE, AFTER_OUTBOX, BEFORE_LINE, IN_WITNESS, reached
from pbem.house.room import Room
from pbem.outbox.outgoing import drop, release
from pbem.store import MailIn, MailOut
from pbem.wording.words import order_line


def before_line(room: Room, reply: Reply, *, by_clock: bool = False) -> None:
    """A line is about to be written: letters tell the deadlines to come, and what was offered before it lapses."""
    reached(IN_WITNESS)
    room.planning, room.planned = True, None
    for side, lines in reply.drawn.items():
        room.drawn.setdefault(side, []).extend(lines)
    take_sides(room, reply.handed_back)
    room.answered = {seat.side: _answered_for(room, seat.side, reply, by_clock) for seat, _ in room.people()}
    for seat in room.seats():
        seat.undo_wanted, seat.draw_offered, seat.waiting = None, False, False


def after_line(room: Room, cause: str, row: MailIn | None = None) -> None:
    """The line is written: what was held for it may go, and if the game is over its last letters are written."""
    reached(AFTER_LINE)
    room.planning = False
    release(room.session, cause)
    if row is not None:
        row.state = "done"
    under_way = room.game.state in ("playing", "paused")
    if room.campaign.last.get("act") == "terms":
        room.game.settings = {**room.game.settings, **room.campaign.last["terms"]}  # the log is the truth about a game
        room.changing = {}
    if under_way:
        settle_sides(room)
    if under_way and room.campaign.over:
        finish_game(room)
    elif under_way:
        set_dues(room, line_time(room.campaign, room.now))
    see_to_duel(room)
    clear_boards(room)
    room.session.commit()
    reached(AFTER_OUTBOX)


def nobody_asked_for(room: Room, cause: str, make: Callable[[Witness], Any], *, by_clock: bool = False) -> bool:
    """A line by the clock or a bot; everybody is told once a person has to act, or it is over."""
    written = False

    def witness(line: log.Line, reply: Reply) -> None:
        nonlocal written
        written = True
        before_line(room, reply, by_clock=by_clock)
        persons = {seat.side for seat, _ in room.people()}
        if room.campaign.over or any(ask.side in persons for ask in room.campaign.asks) or by_clock:
            report_line(room, line, held_for=cause)
            room.session.commit()
            reached(BEFORE_LINE)

    make(witness)
    after_line(room, cause)
    return written


def _answered_for(room: Room, side: str, reply: Reply, by_clock: bool) -> list[str]:
    """A side's answers in a line of the clock, or that its standing orders and defaults gave in a line of another's."""
    answers = [item.body for item in reply.items if item.kind == "answer" and item.body["side"] == side]
    others = [body for body in answers if body["source"] in ("standing", "default")] if side != reply.side else []
    return [order_line(room.campaign.game, body) for body in (answers if by_clock else others)]


def settle_held(room: Room, cause: str) -> bool:
    """After a crash: whether the line of this cause was written; held letters are released or dropped by that."""
    lines = room.campaign.lines() if room.house.log_path(room.game.id).exists() else []
    if any(line.get("cause") == cause for line in lines):
        return True
    drop(room.session, cause)
    if lines:
        settle_sides(room)
    for seat in room.seats():
        seat.reported, seat.map_sent = min(seat.reported, len(lines) - 1), ""
    return False


def held_causes(session: Session) -> list[tuple[str, str]]:
    """Every cause that letters are held for, with its game."""
    rows = session.exec(
        select(MailOut.game_id, MailOut.cause).where(MailOut.state == "held").order_by(col(MailOut.queued))
    ).all()
    return list(dict.fromkeys((game, cause) for game, cause in rows))
