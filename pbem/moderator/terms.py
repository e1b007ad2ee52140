"""The terms of a game: read as the moderator writes them, and changed before it begins or while it is played."""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.clock.clock_rules import USUAL as USUAL_CLOCK
from pbem.clock.clock_rules import read_rules
from pbem.house import Room
from pbem.moderator.act import UNDER_WAY, Act, CannotModerate
from pbem.moderator.arguments import TERMS, GameId, GameTerms
from pbem.moderator.ruling import rule
from pbem.wording.option_values import shown_terms
from pbem.wording.rulings import pace_lines

USUAL = {**USUAL_CLOCK, "errors": "refuse", "pictures": "all", "board": "packed"}
CLOCK = USUAL_CLOCK.keys() - {"no_show"}
_SAID = {
    "errors": {
        "skip": "A faulty line in a mail is skipped, and the others are carried out.",
        "refuse": "A mail with a faulty line comes back whole, as far as nothing has happened yet.",
    },
    "pictures": {
        "all": "Letters come with pictures.",
        "small": "Letters come with few and small pictures; `map` sends the map.",
        "none": "Letters come without pictures; `map` sends one.",
    },
    "board": {
        "packed": "Letters that ask for orders bring the order board.",
        "plain": "Letters that ask for orders bring the order board, readable as text.",
        "none": "Letters bring no order board; `orders` and `orders HEX` say what is open.",
    },
}
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
