"""Onlookers: public reports of a game, some hours after its players have theirs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from engine.game import Game
from engine.log import Line
from pbem.desk.enclosing import illustrated
from pbem.house import House
from pbem.house.room import Room
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.replay.copies import copy_for
from pbem.replay.course import course
from pbem.replay.steps import steps_of
from pbem.report.making import Moment, happened, make_report
from pbem.store import GameRow, Spectator
from pbem.store.database import utc

ONLOOKER = ""  # the name of no side: what is open to all and nothing else


def report_to_spectators(house: House) -> int:
    """Every onlooker gets what has become old enough for him, in one letter; gives how many letters."""
    sent = 0
    with house.database.begin() as session:
        wanted = select(Spectator, GameRow).join(GameRow, col(GameRow.id) == col(Spectator.game_id))
        for looker, game in session.exec(wanted.where(col(GameRow.state).not_in(("invited", "joined")))).all():
            if not house.log_path(game.id).exists():
                continue
            sent += _report(Room(house, session, game), session, looker)
    return sent


def _report(room: Room, session: Session, looker: Spectator) -> bool:
    campaign = room.campaign
    if looker.reported >= campaign.count - 1:
        return False
    lines = campaign.lines()
    last = old_enough(lines, room.now - timedelta(hours=looker.delay_hours))
    if last <= looker.reported:
        return False
    letter = _letter(room, looker, lines[: last + 1], campaign.game, campaign.secret)
    queue(room.house, session, letter, f"spectator/{room.game.id}/{last}/{looker.address}")
    looker.reported = last
    session.add(looker)
    return True


def old_enough(lines: Sequence[Line], until: datetime) -> int:
    """The number of the last line written by then; -1 if none was."""
    last = -1
    for line in lines:
        if line["at"] and utc(datetime.fromisoformat(line["at"])) > until:
            break
        last = line["n"]
    return last


def _letter(room: Room, looker: Spectator, lines: Sequence[Line], game: Game, secret: bytes) -> Letter:
    letter = Letter("report", looker.address, room.subject, game=room.game.id)
    letter.greeting = "A public report for those who look on: what is hidden from a side is not in it."
    copy = copy_for(lines, None, secret)
    now = Moment(game, ONLOOKER, course(game, list(steps_of(copy.entries())), None).position, ())
    letter.report = make_report(lines, now, since=looker.reported)
    if room.game.settings.get("pictures", "all") != "none":
        facts = happened(lines, ONLOOKER, looker.reported)
        letter.report, files = illustrated(letter.report, now, facts, room.game.id)
        letter.enclosures += files
    return letter
