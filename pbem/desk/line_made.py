"""Around a line of the log: how it leaves everybody, the reports that tell of it, and what comes after them.

All of it is one transaction with the line itself. A rule may give the chairs to other sides, and whoever sits there
goes with his chair. A chair is known by the side it was set up for: the rows stand in the order of the game's sides.
The position says which side each has now, so that a rewind, a restart or a line that never came to be leaves everybody
where he belongs.
"""

from collections.abc import Mapping, Sequence

from engine import facts as f
from engine import log
from engine.campaign import Span
from engine.referee import Reply
from engine.view import view
from pbem.clock.dues import line_time, set_dues
from pbem.desk.composing import finish, letter_to
from pbem.desk.duel_course import UNDER_WAY, see_to_duel
from pbem.desk.enclosing import clear_boards, pictures_for, put_dispatch
from pbem.desk.lifecycle import finish_game
from pbem.desk.seating import seat_bots, time_windows
from pbem.desk.standing_of import due_words
from pbem.house import Room
from pbem.house.crash_points import LINE_MADE, reached
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.report.dispatch import dispatch
from pbem.report.making import Moment, make_report
from pbem.report.report import Report
from pbem.store import Due, Player, Seat
from pbem.wording.rulings import HEADING, prospect_lines
from pbem.wording.words import order_line


def settle_sides(room: Room, handed_back: Mapping[str, Sequence[str]]) -> None:
    """Every chair speaks for the side that the game has given it; its holder is told with the next letter.

    Windows and bots are as they want to be then.
    """
    campaign = room.campaign
    given, passed = campaign.position.seats, {}
    for chair, seat in zip(campaign.game.setting.chairs, room.seats(), strict=True):
        side = given.get(chair, chair)
        if side != seat.side:
            passed[seat.side] = side
            room.passed[seat.id] = _told(seat.side, side, handed_back.get(seat.side, ()))
    if passed:
        _rename(room, passed)
    timed = room.campaign.drawer.timed
    if timed and timed != {seat.side for seat, _ in room.people()}:
        time_windows(room)
    seat_bots(room)


def _told(was: str, now: str, handed_back: Sequence[str]) -> list[str]:
    said = [f"The rules have given you {now}; {was} is no longer yours. Your address for the game stays the same."]
    if handed_back:
        said += [f"What you had left for {was} goes back to you and is shown to nobody:", *handed_back]
    return said


def _rename(room: Room, passed: Mapping[str, str]) -> None:
    """Chairs, and what their holders owe. No two rows may have one side at any moment, so it takes two steps."""
    seats = [seat for seat in room.seats() if seat.side in passed]
    dues = [due for due in room.dues() if due.side in passed]
    rows: list[Seat | Due] = [*seats, *dues]
    sides = [passed[row.side] for row in rows]
    for row in rows:
        row.side = f"{row.side}/"
    room.session.flush()
    for row, side in zip(rows, sides, strict=True):
        row.side = side
    room.session.flush()


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


def put_report(room: Room, letter: Letter, seat: Seat, player: Player, line: log.Line) -> None:
    """The report on everything up to a line goes into the letter, with room for its pictures."""
    campaign = room.campaign
    since = min(seat.reported, line["n"] - 1)
    span = campaign.span(since, line)
    now = Moment(campaign.game, seat.side, view(campaign.position, seat.side), campaign.asks)
    report = make_report(span, now, deadline=due_words(room, seat.side, player))
    letter.report = report
    passes = _turn_passes(room, seat.side, span, report)
    prospects = [one for one in campaign.drawer.prospects(now.table, seat.side) if passes and not one.question.own]
    letter.tells = {"game": room.game.id, "line": line["n"], "side": seat.side, "since": since}
    told = dispatch(now, report, prospects)
    put_dispatch(letter, told, now, wanted=pictures_for(room, player), map_sent=seat.map_sent)
    seat.reported = line["n"]


def say_prospects(room: Room, letter: Letter, side: str) -> None:
    """What will be answered for a side while others play; said once, as it stands last."""
    letter.sections = [section for section in letter.sections if section.heading != HEADING]
    if told := prospect_lines(room.campaign.drawer, room.campaign.referee.table.seen_by(side), side):
        letter.say(HEADING, *told)


def _turn_passes(room: Room, side: str, span: Span, report: Report) -> bool:
    """Whether others play from here on; to who plays alone the turn is back when he hears of it, so he is told then."""
    before = [item.body["side"] for item in span.under_way if item.body.get("fact") == "StageBegan"] or [""]
    moving = [before[0], *(fact.side for fact in report.facts if isinstance(fact, f.StageBegan))]
    passes = any(other != moving[-1] for other in moving) and moving[-1] != ""
    return passes and (moving[-1] == side) == room.alone and not room.campaign.over


def report_line(
    room: Room, line: log.Line, *, but: Seat | None = None, notices: dict[int | None, Letter] | None = None
) -> None:
    """A report for every other person at the table; it takes along what the same mail said to him."""
    for seat, player in room.people():
        if but is not None and seat.id == but.id:
            continue
        by_clock = line.get("act") == "deadline" and bool(room.answered.get(seat.side))
        letter = letter_to(room, "deadline" if by_clock else "report", seat, player)
        if notices and seat.id in notices:
            letter.sections += notices.pop(seat.id).sections
        put_report(room, letter, seat, player, line)
        finish(room, letter, seat, player)
        queue(room.house, room.session, letter, f"report/{room.game.id}/{line['n']}/{seat.side}")
