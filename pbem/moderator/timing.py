"""Time: a game stopped and started again, and more of it for a side."""

from typing import Annotated

import typer

from pbem.clock.clock_rules import read_rules, span
from pbem.clock.dues import wind
from pbem.clock.time_zones import in_zone
from pbem.moderator.act import UNDER_WAY, Act, CannotModerate
from pbem.moderator.arguments import Because, GameId, SideName
from pbem.store import Due, utc


def pause(act: Act, game: GameId, because: Because = "") -> None:
    """Stop a game's clock; no orders are taken until `resume`.

    Example: pbem game pause ID --because "a player is moving house"
    """
    room = act.room(game, ("playing",), "it cannot be paused")
    room.game.state, room.game.paused_at = "paused", act.now
    why = [f"Why: {because}."] if because else []
    act.tell_all(room, "The game is paused", "No deadline passes and no orders are taken until it goes on.", *why)
    act.say(f"{room.game.id} is paused.")


def resume(act: Act, game: GameId) -> None:
    """Let a paused game go on; nobody has lost any time.

    Example: pbem game resume ID
    """
    room = act.room(game, ("paused",), "it cannot be resumed")
    since = utc(room.game.paused_at) if room.game.paused_at is not None else act.now
    for due in room.dues():
        if due.due is not None:
            due.due = utc(due.due) + (act.now - max(since, min(utc(due.asked), act.now)))
            wind(due, read_rules(room.game.settings))
    room.game.state, room.game.paused_at, room.game.pause_began, room.game.pause_ended = "playing", None, since, act.now
    for seat, player in room.people():
        lines = [f"Your answer is due by {_clock(due, player.zone)}." for due in room.dues() if due.side == seat.side]
        act.send(act.write(room, seat, player, "The game goes on", "Orders are taken again.", *lines), seat.side)
    owed = [due for due in room.dues() if due.due is not None]
    act.say(f"{room.game.id} goes on.", *(f"{due.side} has until {_clock(due, 'UTC')}." for due in owed))


def extend(
    act: Act,
    game: GameId,
    side: SideName,
    time: Annotated[str, typer.Argument(metavar="TIME", help="12h, 2d, 1w.")],
) -> None:
    """Give a side more time for what it owes; all are told. It is not counted against its extensions.

    Example: pbem game extend ID german 24h
    """
    room = act.room(game, UNDER_WAY, "nothing is due in it")
    seat = act.seat(room, side)
    due = next((due for due in room.dues() if due.side == seat.side), None)
    if due is None:
        raise CannotModerate(f"nothing is asked of {seat.side} in {room.game.id} now")
    if due.due is None:
        raise CannotModerate(f"{seat.side} has no deadline in {room.game.id}")
    due.due = max(utc(due.due), act.now) + span("the time", time)
    due.reminded = 0
    wind(due, read_rules(room.game.settings))
    for other, player in room.people():
        whose = "You have" if other.id == seat.id else f"{seat.side} has"
        told = f"{whose} until {_clock(due, player.zone)}."
        act.send(act.write(room, other, player, "The moderator gave more time", told), other.side)
    act.say(f"{seat.side} has until {_clock(due, 'UTC')}.")


def _clock(due: Due, zone: str) -> str:
    if due.due is None:
        return "any time"
    return f"{in_zone(due.due, zone):%A %d %B %Y, %H:%M} ({zone})"
