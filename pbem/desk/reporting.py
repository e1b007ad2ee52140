"""Reports: what a side is told about everything since its last one."""

from collections.abc import Mapping

from engine import facts as f
from engine import log
from engine.campaign import Span
from engine.view import view
from pbem.desk.composing import finish, letter_to
from pbem.desk.enclosing import pictures_for, put_dispatch
from pbem.desk.standing_of import due_words
from pbem.house.room import Room
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.report.dispatch import dispatch
from pbem.report.making import Moment, make_report
from pbem.report.report import Report
from pbem.store import Player, Seat
from pbem.wording.rulings import HEADING, prospect_lines


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
    room: Room, line: log.Line, *, but: Seat | None = None, notices: Mapping[int | None, Letter] | None = None
) -> None:
    """A report for every other person at the table, with what the same mail said to him."""
    for seat, player in room.people():
        if but is not None and seat.id == but.id:
            continue
        by_clock = line.get("act") == "deadline" and bool(room.answered.get(seat.side))
        letter = letter_to(room, "deadline" if by_clock else "report", seat, player)
        if notices and seat.id in notices:
            letter.sections += notices[seat.id].sections
        put_report(room, letter, seat, player, line)
        finish(room, letter, seat, player)
        queue(room.house, room.session, letter, f"report/{room.game.id}/{line['n']}/{seat.side}")
