"""Onlookers: public reports of a game, some hours after its players have theirs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from engine.game import Game
from engine.log import Line
from pbem.desk.enclosing import illustrated
from pbem.desk.room import Room
from pbem.house import House
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.report.making import Moment, make_report
from pbem.store import GameRow, Spectator
from pbem.store.database import utc
from pbem.tale.entries import ONLOOKER, known_to


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
    letter = _letter(room, looker, lines[: last + 1], campaign.game)
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


def _letter(room: Room, looker: Spectator, lines: Sequence[Line], game: Game) -> Letter:
    letter = Letter("report", looker.address, room.subject, game=room.game.id)
    letter.greeting = "A public report for those who look on: what is hidden from a side is not in it."
    now = Moment(game, ONLOOKER, known_to(lines, game, ONLOOKER), ())
    letter.report = make_report(lines, now, since=looker.reported)
    if room.game.settings.get("pictures", "all") != "none":
        letter.report, files = illustrated(letter.report, now, room.game.id)
        letter.enclosures += files
    return letter
