"""Time and terms: a game stopped and started again, more time for a side, and its terms read and changed."""

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from pbem.clock.clock_rules import USUAL as USUAL_CLOCK
from pbem.clock.clock_rules import read_rules, span
from pbem.clock.dues import wind
from pbem.clock.time_zones import in_zone
from pbem.house import Room
from pbem.moderator.act import TERMS, UNDER_WAY, Act, Because, CannotModerate, GameId, GameTerms, Side
from pbem.moderator.ruling import rule
from pbem.store import Due, utc
from pbem.wording.option_values import shown_terms
from pbem.wording.rulings import pace_lines


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
    side: Side,
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


USUAL = {**USUAL_CLOCK, "errors": "refuse", "pictures": "all", "board": "packed"}
CLOCK = USUAL_CLOCK.keys() - {"no_show"}
_SAID = tomllib.loads(Path(__file__).with_name("terms.toml").read_text(encoding="utf-8"))
HEADING = "The moderator changed the terms"


def read_terms(given: Mapping[str, Any]) -> dict[str, Any]:
    """What was said, as settings have it; `none` in a list empties it."""
    said = {TERMS[name][0]: value for name, value in given.items() if value not in (None, "", [])}
    if "deadline" in said:
        said["deadline"] = _deadlines(said["deadline"])
    for name in ("reminders", "weekdays_off"):
        if name in said:
            said[name] = [] if said[name] == ["none"] else list(said[name])
    return said


def _deadlines(given: Sequence[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for text in given:
        kind, equals, time = text.partition("=")
        found[kind.strip() if equals else "default"] = (time if equals else text).strip()
    return found


def terms(act: Act, game: GameId, **given: GameTerms) -> None:
    """Change the terms of a game: deadlines, pace, faulty lines, pictures. All are told; under way it is a line.

    Nobody's time for what he is asked already gets shorter.

    Example: pbem game terms ID --pace careful --deadline 72h
    """
    room = act.room(game)
    said = read_terms(given)
    now = _in_force(room)
    if room.duel is not None and CLOCK & said.keys():
        why = f"{room.game.id} is one game of a duel, and its clock is that of both: it stays as it was set up"
        raise CannotModerate(f"{why}; `extend` gives a player more time, and `pause` stops it for him")
    if "deadline" in said:
        said["deadline"] = {**now["deadline"], **said["deadline"]}
    changed = {name: value for name, value in said.items() if value != now[name]}
    if not changed:
        others = shown_terms({name: value for name, value in now.items() if name != "pace"})
        raise CannotModerate(f"say what changes: the pace of {room.game.id} is {room.pace}; {others}")
    read_rules({**now, **changed})  # what cannot be read changes nothing
    if room.begun:
        act.room(game, UNDER_WAY, "its terms are what they were")
    act.say(f"From now on in {room.game.id}: {shown_terms(changed)}.")
    told = _told({**now, **changed}, changed)
    if not room.begun:
        room.game.settings = {**room.game.settings, **changed}
        act.tell_all(room, HEADING, *told)
        return
    reply = room.campaign.change_terms(changed, at=room.at, cause=act.cause)
    rule(act, room, reply, lambda seat: (HEADING, *told))


def _in_force(room: Room) -> dict[str, Any]:
    """Every term as it is now, said or usual."""
    kept = room.game.settings
    deadline = kept.get("deadline", {})
    whole = {"default": deadline} if isinstance(deadline, str) else dict(deadline)
    return {**USUAL, **{name: kept[name] for name in USUAL if name in kept}, "deadline": whole, "pace": room.pace}


def _told(terms: Mapping[str, Any], changed: Mapping[str, Any]) -> list[str]:
    """What has changed, as players read it."""
    told = pace_lines(terms["pace"]) if "pace" in changed else []
    if CLOCK & changed.keys():
        told += read_rules(terms).in_words()
        if "reminders" in changed:
            before = f"Reminders come {shown_terms({'': terms['reminders']}).strip()} before."
            told.append(before if terms["reminders"] else "There are no reminders.")
        told.append("Your time for what you are asked already gets no shorter by it.")
    told += [said[terms[name]] for name, said in _SAID.items() if name in changed]
    return told or ["Nothing changes for you: it is about when the moderator is told of somebody who does not answer."]
