"""Onlookers: public reports of a game, some hours after its players have theirs."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import takewhile

from sqlmodel import Session, col, select

from engine.campaign import Span
from engine.campaign.folding import fold
from engine.log import ALL, Line, items_in_force
from engine.log.history import goes_beyond
from engine.position import Position
from pbem.desk.ask_boxes import who_is_asked
from pbem.desk.composing import letter_about
from pbem.desk.enclosing import enclose_report, pictures_for, put_dispatch
from pbem.desk.trouble import troubles
from pbem.house import House, Room
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.outbox.unsubscribing import Subscription, unsubscribe_address
from pbem.report.dispatch import AskBox, dispatch
from pbem.report.making import Moment, make_report
from pbem.store import GameRow, Spectator, new_id, utc
from pbem.tale.entries import ONLOOKER


def report_to_spectators(house: House) -> int:
    """Every onlooker gets what has become old enough for him, in one letter; gives how many letters."""
    wanted = select(Spectator.id, Spectator.game_id).join(GameRow, col(GameRow.id) == col(Spectator.game_id))
    wanted = wanted.where(col(Spectator.wake) <= house.clock(), col(GameRow.state).not_in(("invited", "joined")))
    with house.database.reading() as session:
        found = session.exec(wanted).all()
    sent = 0
    for id_, game in found:
        with troubles(house, game, "its onlookers could not be told"), house.transaction() as session:
            room, looker = Room.of(house, session, game), session.get_one(Spectator, id_)
            looker.token = looker.token or new_id()  # of a version that gave none
            looker.wake = None
            begun = house.cabinet.has_log(session, game)
            sent += _report(room, session, looker) if begun else _never_was(room, looker)
    return sent


def _never_was(room: Room, looker: Spectator) -> bool:
    """A game that does not take place is told of, too."""
    letter = letter_about(room, "notice", looker.address)
    lapsed = "not all who were asked to play have answered" if room.game.state == "lapsed" else "it was called off"
    letter.say("The game does not begin", f"You wanted to look on at {room.game.title}, {room.game.id}: {lapsed}.")
    key = f"spectator/{room.game.id}/{room.game.state}/{looker.address}"
    return queue(room.house, room.session, letter, key) is not None


def _report(room: Room, session: Session, looker: Spectator) -> bool:
    campaign, delay = room.campaign, timedelta(hours=looker.delay_hours)
    news = campaign.since(looker.reported)
    lines = written_by(news, room.now - delay)
    if len(news) > len(lines):
        looker.wake = utc(datetime.fromisoformat(news[len(lines)]["at"])) + delay
    if not lines:
        return False
    letter = _letter(room, looker, campaign.span(looker.reported, lines[-1]))
    queue(room.house, session, letter, f"spectator/{room.game.id}/{lines[-1]['n']}/{looker.address}")
    looker.reported = lines[-1]["n"]
    return True


def written_by(lines: Sequence[Line], until: datetime) -> list[Line]:
    """The lines that are old enough."""
    return list(takewhile(lambda line: not line["at"] or utc(datetime.fromisoformat(line["at"])) <= until, lines))


def _letter(room: Room, looker: Spectator, span: Span) -> Letter:
    letter = letter_about(room, "looking on", looker.address)
    letter.reply_to = room.house.seat_address(looker.token)
    letter.seated, letter.commands = "You look on", ("leave",)
    letter.unsubscribe = unsubscribe_address(room.house, Subscription(room.game, looker))
    letter.greeting = "For those who look on: what is hidden from a side is not in it."
    campaign = room.campaign
    latest = span.lines[-1]["n"] == campaign.count - 1
    asks = campaign.asks if latest else ()  # of what came later he knows nothing
    now = Moment(campaign.game, ONLOOKER, _open_to_all(room, looker, span), asks)
    letter.report = report = make_report(span, now)
    letter.box = AskBox(False, prompt=who_is_asked(room) if latest and not report.over else report.nothing_asked)
    told = dispatch(now, report)
    letter.tells = {"game": room.game.id, "line": report.line, "side": ONLOOKER, "since": span.since}
    letter.tells |= {"looker": looker.id}
    put_dispatch(letter, told, now, wanted=pictures_for(room, None))
    letter.when, letter.head = ", ".join(told.head), report.head
    fought = f", {told.fights} {'fight' if told.fights == 1 else 'fights'}" if told.fights else ""
    letter.about = f"{report.headline[:1].lower()}{report.headline[1:]}{fought}"
    enclose_report(letter)
    return letter


def _open_to_all(room: Room, looker: Spectator, span: Span) -> Position:
    """The position after a span as an onlooker knows it: from where his last report left it, if that still stands."""
    cabinet, setting, name = room.house.cabinet, room.campaign.game.setting, f"onlooker-{looker.id}"
    kept = cabinet.state(room.session, room.game.id, name, {"n": span.since, "hash": span.lines[0]["prev"]})
    if kept is None or any(goes_beyond(line, span.since) for line in span.lines):
        position = Position(setting, ONLOOKER)
        happened = items_in_force(room.campaign.lines()[: span.lines[-1]["n"] + 1])
    else:
        position, happened = Position.from_json(setting, kept, ONLOOKER), span.items
    fold(position, (item for _, item in happened if item.audience == ALL))
    cabinet.keep_state(room.session, room.game.id, name, span.lines[-1], position.to_json())
    return position
