"""Whom an outage concerned: each player is told his new deadline once, each moderator gets one letter with the list."""

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from pbem.clock.clock_rules import length_in_words
from pbem.clock.dues import WINDOW
from pbem.desk.composing import finish, letter_to
from pbem.desk.standing_of import in_his_time
from pbem.desk.trouble import troubles
from pbem.house import House
from pbem.house.game_file import touch
from pbem.house.room import Room
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.store import Due, GameRow, Outage, Player, Seat
from pbem.store.database import utc

HEADING = "Your deadline has moved"
OTHERS = "The game goes on later"


def tell_outages(house: House) -> None:
    """All letters that outages still owe; after a stop in between each is written once nevertheless."""
    with house.database.reading() as session:
        found = session.exec(select(Outage).where(col(Outage.told).is_(False)).order_by(col(Outage.id))).all()
        moved = {one.id: session.exec(select(Due.game_id).where(Due.outage == one.id)).all() for one in found}
    for outage in found:
        for game in dict.fromkeys(moved[outage.id]):
            with troubles(house, game, "its players could not be told of an outage"), house.transaction() as session:
                _tell_players(Room.of(house, session, game), outage)
                touch(session, game)
        with house.transaction() as session:
            _tell_moderators(house, session, outage)
            session.get_one(Outage, outage.id).told = True


def _tell_players(room: Room, outage: Outage) -> None:
    """Whoever owes what was moved; of a hidden question all, who have been told until when the game waits."""
    rows = [row for row in room.dues() if row.outage == outage.id]
    owing = {row.side: row for row in rows if row.kind != WINDOW}
    hidden = any(row.kind == WINDOW for row in rows)
    for seat, player in room.people():
        row = owing.get(seat.side)
        if row is None and not hidden:
            continue
        letter = letter_to(room, "notice", seat, player)
        letter.say(HEADING if row is not None else OTHERS, _happened(outage, player), *_until(row, player))
        finish(room, letter, seat, player, room.campaign.head)
        queue(room.house, room.session, letter, f"outage/{outage.id}/{room.game.id}/{seat.side}")


def _happened(outage: Outage, player: Player) -> str:
    since, until = utc(outage.since), utc(outage.until)
    if since == until:
        return "The clock of the service was wrong, and has been put right."
    return f"There was no mail service from {in_his_time(since, player)} to {in_his_time(until, player)}."


def _until(row: Due | None, player: Player) -> list[str]:
    if row is None or row.due is None:
        return ["Nobody loses any time by it."]
    return [f"You lose no time by it: you have until {in_his_time(row.due, player)}."]


def _tell_moderators(house: House, session: Session, outage: Outage) -> None:
    """One letter to each, with what was moved in his games; none where nothing was."""
    rows = (
        select(Due, GameRow, Player)
        .join(GameRow, col(GameRow.id) == col(Due.game_id))
        .join(Seat, (col(Seat.game_id) == col(Due.game_id)) & (col(Seat.side) == col(Due.side)))
        .join(Player, col(Player.id) == col(Seat.player_id))
        .where(Due.outage == outage.id)
        .order_by(col(GameRow.id), col(Due.id))
    )
    lists: dict[str, list[str]] = {}
    for row, game, player in session.exec(rows).all():
        if row.due is not None:
            by = length_in_words(timedelta(seconds=abs(row.moved)))
            said = f"{game.id}: {row.side} ({player.address}) has until {_utc(row.due)}"
            lists.setdefault(game.moderator, []).append(f"{said}, {by} {'later' if row.moved > 0 else 'earlier'}.")
    for moderator, lines in lists.items():
        letter = Letter("notice", moderator, "Deadlines were moved")
        letter.say("What happened", _explained(outage))
        letter.say(
            "Deadlines that were moved", *lines, "Their players have been told. There is nothing that you must do."
        )
        queue(house, session, letter, f"outage/{outage.id}/moderator/{moderator}")


def _explained(outage: Outage) -> str:
    since, until = utc(outage.since), utc(outage.until)
    if since == until:
        return f"At {_utc(until)}: {outage.why}. What it had counted ahead was counted back."
    length = length_in_words(until - since)
    return f"From {_utc(since)} to {_utc(until)} ({length}) there was no mail service: {outage.why}."


def _utc(moment: datetime) -> str:
    at = utc(moment)
    return f"{at:%A} {at.day} {at:%B %Y, %H:%M} UTC"
