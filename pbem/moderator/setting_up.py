"""Games set up: what they are played by, who is to play, and what is wrong with that before anybody is invited."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import typer
from sqlmodel import select

import games
from engine.bots import BOTS
from engine.refusals import either
from pbem.clock.clock_rules import read_rules
from pbem.desk.composing import letter_to_moderator
from pbem.desk.lifecycle import BOT, invite_all
from pbem.house import GAME_NAME
from pbem.house.room import Room
from pbem.moderator.act import Act
from pbem.moderator.arguments import (
    Absence,
    AtDeadline,
    AtNoShow,
    BoardKind,
    DaysOff,
    Deadlines,
    Delay,
    Errors,
    Extensions,
    Grace,
    NoShow,
    PaceName,
    Pictures,
    Reminders,
)
from pbem.moderator.cannot_moderate import BadAddress, CannotModerate
from pbem.moderator.mailbox_accounts import open_mailboxes
from pbem.moderator.onlookers import welcome
from pbem.moderator.terms import read_terms
from pbem.store import GameRow, Spectator, mail_address
from pbem.wording.option_values import read_options

ADDRESS = re.compile(r"[^@\s<>,;\"'()\[\]\\]{1,64}@[^@\s<>,;\"'()\[\]\\]{1,250}")
Many = list[str] | None


@dataclass(frozen=True)
class Terms:
    """What a new game is played by."""

    rulebook: str
    chairs: Mapping[str, str]
    scenario: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    spectators: Sequence[str] = ()
    delay_hours: int = 0
    name: str = ""


def new(
    act: Act,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A rulebook, as `pbem games` lists it.")],
    chairs: Annotated[Many, typer.Argument(metavar="--SIDE WHO", help="Who plays it, for every side.")] = None,
    scenario: Annotated[str, typer.Option("--scenario", help="Which scenario; the first one by itself.")] = "",
    option: Annotated[Many, typer.Option("--option", metavar="NAME=VALUE", help="A choice of the scenario.")] = None,
    name: Annotated[str, typer.Option("--name", help="What the game is called; a number by itself.")] = "",
    deadline: Deadlines = None,
    grace: Grace = "",
    reminder: Reminders = None,
    off: DaysOff = None,
    extensions: Extensions = None,
    absence: Absence = None,
    at_deadline: AtDeadline = None,
    no_show: NoShow = None,
    at_no_show: AtNoShow = None,
    errors: Errors = None,
    pace: PaceName = None,
    pictures: Pictures = None,
    board: BoardKind = None,
    spectator: Annotated[Many, typer.Option("--spectator", metavar="ADDRESS", help="Gets the public reports.")] = None,
    delay: Delay = 0,
) -> None:
    """Set up a game and invite its players: --SIDE with a mail address, or bot:sensible.

    Example: pbem game new GAME --soviet vatutin@front.example --german bot:sensible --deadline 48h
    """
    settings = {"errors": "refuse", "on_deadline": "default", "deadline": {}} | read_terms(
        deadline=deadline, grace=grace, reminders=reminder, weekdays_off=off, extensions=extensions,
        absence_days=absence, on_deadline=at_deadline, no_show=no_show, on_no_show=at_no_show, errors=errors, pace=pace,
        pictures=pictures, board=board,
    )  # fmt: skip
    title = games.title(game)
    played = title.scenario(scenario)
    terms = Terms(
        rulebook=title.id,
        chairs=_chairs(chairs or ()),
        scenario=played.id,
        options=read_options(option or (), played.choices),
        settings=settings,
        spectators=spectator or (),
        delay_hours=delay,
        name=name,
    )
    set_up(act, terms)


def _chairs(words: Sequence[str]) -> dict[str, str]:
    """`--soviet ADDRESS --german=bot:sensible`. Raises CannotModerate."""
    chairs: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        side, equals, chair = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not side:
            raise CannotModerate(f"{word!r} is not understood; who plays is written --SIDE ADDRESS")
        if not equals:
            if not left:
                raise CannotModerate(f"--{side} needs a mail address, or bot:sensible")
            chair = left.pop(0)
        if side in chairs:
            raise CannotModerate(f"--{side} is said twice; one sits on a chair")
        chairs[side] = chair
    return chairs


def set_up(act: Act, terms: Terms) -> None:
    """A game is set up and its players are invited; with bots alone it begins at once."""
    _check(terms)
    name = terms.name.casefold() or free_name(act, terms.rulebook)
    played = terms.rulebook, terms.scenario, terms.options
    moderator = act.mail.sender if act.mail is not None else ""
    room = invite_all(act.house, act.session, name, played, terms.chairs, terms.settings, moderator)
    row, begun = room.game, room.begun
    for address in terms.spectators:
        looker = Spectator(game_id=row.id, address=mail_address(address), delay_hours=terms.delay_hours)
        act.session.add(looker)
        act.send(welcome(room, looker), f"spectator/{looker.address}")
    act.say(f"{row.id}: {row.title}, scenario {row.scenario}.")
    for seat in room.seats():
        player = room.player(seat)
        act.say(f"{seat.side}: {player.address} is invited." if player else f"{seat.side}: the bot {seat.bot} plays.")
    tell_moderator(act, room)  # without the passwords: they are given out at the machine only
    open_mailboxes(act, [row.moderator, *(player.address for _, player in room.people()), *terms.spectators])
    if begun:
        room.wake_lookers()
        act.say("Everybody is there: the game begins.")


def tell_moderator(act: Act, room: Room) -> None:
    """A letter he can answer: its reply address is the one that opens the moderator's verbs."""
    letter = letter_to_moderator(room)
    letter.say("A new game", *act.told)
    letter.say(
        "Your verbs", "Answer this letter with `moderator help` to see them; keep its reply address to yourself."
    )
    act.send(letter, "moderator")


def _check(terms: Terms) -> None:
    """Everything that can be known to be wrong before anything is done. Raises CannotModerate and the like."""
    game = games.find_game(terms.rulebook, terms.scenario, terms.options)
    sides = game.setting.chairs
    unknown = [side for side in terms.chairs if side not in sides]
    if unknown:
        rules = f"the rules play it: write {' '.join(f'--{side} ADDRESS' for side in sides)} and no other"
        why = rules if unknown[0] in game.setting.played else f"there is {either(sides)}"
        raise CannotModerate(f"{terms.rulebook} has no side {unknown[0]!r} to give away; {why}")
    missing = [side for side in sides if side not in terms.chairs]
    if missing:
        raise CannotModerate(f"nobody is to play {either(missing)}: write --{missing[0]} ADDRESS or bot:sensible")
    for chair in terms.chairs.values():
        check_chair(chair)
    for address in terms.spectators:
        if not ADDRESS.fullmatch(address):
            raise BadAddress(address)
    if terms.name and not GAME_NAME.fullmatch(terms.name.casefold()):
        raise CannotModerate(f"{terms.name!r} cannot be a game's name: small letters, digits and dashes, 41 at most")
    read_rules(terms.settings)


def check_chair(chair: str) -> None:
    """A mail address or a bot. Raises BadAddress, CannotModerate."""
    if chair.startswith(BOT):
        if chair.removeprefix(BOT) not in BOTS:
            raise CannotModerate(f"there is no bot {chair.removeprefix(BOT)!r}; there is {either(list(BOTS))}")
    elif not ADDRESS.fullmatch(chair):
        raise BadAddress(chair)


def free_name(act: Act, rulebook: str, number: int = 1) -> str:
    """A name that no game has, from this number on."""
    stem = re.sub(r"[^a-z0-9]+", "-", rulebook.casefold()).strip("-")[:30]
    taken = set(act.session.exec(select(GameRow.id)).all())
    while f"{stem}-{number}" in taken or act.house.cabinet.has_log(act.session, f"{stem}-{number}"):
        number += 1
    return f"{stem}-{number}"
