"""Players whom only the clock answers for: the moderator's business, told once, with what he can do."""

from sqlmodel import col, select

from pbem.clock.clock_rules import counted, read_rules
from pbem.desk.composing import letter_to, letter_to_moderator
from pbem.desk.trouble import troubles
from pbem.desk.verbs.joining import say_ways
from pbem.house import House
from pbem.house.room import Room
from pbem.outbox.outgoing import queue
from pbem.store import GameRow, Player, Seat


def report_no_shows(house: House) -> None:
    """One letter for each run of deadlines that a player has left to the clock; the game pauses if its terms say so."""
    silent = select(Seat.game_id).join(GameRow).where(GameRow.state == "playing", Seat.unheard > 0)
    with house.database.reading() as session:
        games = sorted(set(session.exec(silent.order_by(col(Seat.id))).all()))
    for game in games:
        with troubles(house, game, "its moderator could not be told of a player"), house.transaction() as session:
            room = Room.of(house, session, game)
            for seat, player in room.people():
                _report(room, seat, player)


def _report(room: Room, seat: Seat, player: Player) -> None:
    rules = read_rules(room.game.settings)
    if not rules.no_show or seat.unheard < rules.no_show:
        return
    pauses = rules.on_no_show == "pause"
    letter = letter_to_moderator(room)
    letter.about = f"{seat.side} does not answer"
    letter.say(
        f"{seat.side} does not answer",
        f"{seat.side} ({player.address}) has left {counted(seat.unheard, 'deadline')} running to the clock, since line"
        f" {seat.unheard_since} of the log.",
        "The game is paused, as its terms say." if pauses else "The game goes on, and the clock goes on answering.",
    )
    say_ways(
        letter, room, seat.side,
        f"`moderator extend {seat.side} 3d` gives more time.",
        "`moderator resume` lets the game go on." if pauses else "`moderator pause` stops the clock.",
        "`moderator press`, and your words below it, writes to all players.",
    )  # fmt: skip
    if queue(room.house, room.session, letter, _key(room, seat)) is not None and pauses:
        _pause(room, seat)


def _key(room: Room, seat: Seat) -> str:
    return f"no-show/{room.game.id}/{seat.id}/{seat.player_id}/{seat.unheard_since}"


def _pause(room: Room, silent: Seat) -> None:
    room.game.state, room.game.paused_at = "paused", room.now
    left = (
        f"left {counted(silent.unheard, 'deadline')} running to the clock, and the terms say that the game stops then."
    )
    for seat, player in room.people():
        whose = "You have" if seat.id == silent.id else f"{silent.side} has"
        letter = letter_to(room, "notice", seat, player)
        letter.say("The game is paused", f"{whose} {left}", "No deadline passes until the moderator lets it go on.")
        queue(room.house, room.session, letter, f"{_key(room, silent)}/{seat.side}")
