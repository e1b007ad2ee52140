"""What an onlooker is told at his first: what he will get, when, and how he leaves."""

from pbem.desk.attending_guests import LEAVE
from pbem.desk.composing import letter_about
from pbem.desk.lifecycle import chair_name, terms_lines
from pbem.house.room import Room
from pbem.letters import Letter
from pbem.outbox.unsubscribing import Reports, unsubscribe_address
from pbem.store import Spectator


def welcome(room: Room, looker: Spectator) -> Letter:
    """The first letter to somebody who looks on; its reply address is his own."""
    letter = letter_about(room, "looking on", looker.address, "what you will get")
    letter.reply_to = room.house.seat_address(looker.token)
    letter.unsubscribe = unsubscribe_address(room.house, Reports(room.game, looker))
    letter.greeting = f"You look on at {room.game.title}, {room.game.id}."
    letter.say(
        "The game",
        *terms_lines(room.game),
        f"{_players(room)}.",
        f"It {'is under way' if room.begun else 'has not begun'}.",
    )
    since = "From now on you get" if room.begun else "Once it has begun you get"
    letter.say(
        "What you get", f"{since} its public reports, {when_told(looker)}. What is hidden from a side is not in them."
    )
    letter.say("To leave", *LEAVE)
    letter.commands = ("leave",)
    return letter


def when_told(looker: Spectator) -> str:
    hours = looker.delay_hours
    return f"{hours} {'hour' if hours == 1 else 'hours'} after they are made" if hours else "as they are made"


def _players(room: Room) -> str:
    """Who plays, by name alone: their addresses are nobody's business."""
    return " against ".join(chair_name(room, seat) for seat in room.seats())
