"""Around a line of the log: how it leaves everybody, before letters tell of it, and what comes after them.

All of it is one transaction with the line itself.
"""

from engine.referee import Reply
from pbem.clock.dues import line_time, set_dues
from pbem.desk.boards import clear_boards
from pbem.desk.chairs import settle_sides
from pbem.desk.duels.duel_course import see_to_duel
from pbem.desk.lifecycle import finish_game
from pbem.desk.reporting import report_line
from pbem.house.crash_points import LINE_MADE, reached
from pbem.house.room import Room
from pbem.wording.words import order_line

UNDER_WAY = ("playing", "paused")


def before_letters(room: Room, reply: Reply, *, by_clock: bool = False) -> None:
    """Chairs, terms and deadlines as the line leaves them; what was offered before it lapses."""
    reached(LINE_MADE)
    for side, lines in reply.drawn.items():
        room.drawn.setdefault(side, []).extend(lines)
    for seat in room.seats():
        seat.undo_wanted, seat.draw_offered, seat.waiting = None, False, False
    if reply.line is not None and "terms" in reply.line:
        room.game.settings = {**room.game.settings, **reply.line["terms"]}  # the log is the truth about a game
    if room.game.state in UNDER_WAY:
        settle_sides(room, reply.handed_back)
        if room.campaign.over:
            room.settle_all()
        else:
            set_dues(room, line_time(room.campaign, room.now))
    room.answered = {seat.side: _answered_for(room, seat.side, reply, by_clock) for seat, _ in room.people()}


def after_letters(room: Room) -> None:
    """If the game is over its last letters are written; its duel is seen to, and boards of what is answered go."""
    if room.game.state in UNDER_WAY and room.campaign.over:
        finish_game(room)
    see_to_duel(room)
    room.wake_lookers()
    clear_boards(room)


def nobody_asked_for(room: Room, reply: Reply, *, by_clock: bool = False) -> bool:
    """A line by the clock or a bot, if it made one; everybody is told once a person has to act, or it is over."""
    if reply.line is None:
        set_dues(room, line_time(room.campaign, room.now))  # an answer that is sealed is owed no more
        return False
    before_letters(room, reply, by_clock=by_clock)
    persons = {seat.side for seat, _ in room.people()}
    if room.campaign.over or by_clock or any(ask.side in persons for ask in room.campaign.asks):
        report_line(room, reply.line)
    after_letters(room)
    return True


def _answered_for(room: Room, side: str, reply: Reply, by_clock: bool) -> list[str]:
    """A side's answers in a line of the clock, or that its standing orders and defaults gave in a line of another's."""
    answers = [item.body for item in reply.items if item.kind == "answer" and item.body["side"] == side]
    others = [body for body in answers if body["source"] in ("standing", "default")] if side != reply.side else []
    return [order_line(room.campaign.game, body) for body in (answers if by_clock else others)]
