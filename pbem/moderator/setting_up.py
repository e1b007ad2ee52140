"""Games set up: what they are played by, who is to play, what is wrong with that before anybody is invited."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from sqlmodel import select

import games
from engine.bots import BOTS
from engine.game import Game
from engine.refusals import either
from pbem.desk.attending_guests import LEAVE
from pbem.desk.composing import letter_about, say_words, tell_moderator
from pbem.desk.lifecycle import BOT, NewGame, invite_all
from pbem.desk.seating import chair_name, terms_lines
from pbem.house import GAME_NAME, Room
from pbem.letters import Letter
from pbem.moderator.act import Act, BadAddress, CannotModerate
from pbem.moderator.arguments import Delay, GameTerms, Many
from pbem.moderator.mailbox_accounts import open_mailboxes
from pbem.moderator.terms import read_terms
from pbem.outbox.unsubscribing import Reports, unsubscribe_address
from pbem.store import GameRow, Spectator, mail_address
from pbem.wording.option_values import read_options

ADDRESS = re.compile(r"[^@\s<>,;\"'()\[\]\\]{1,64}@[^@\s<>,;\"'()\[\]\\]{1,250}")


def new(
    act: Act,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A rulebook, as `pbem games` lists it.")],
    chairs: Annotated[Many, typer.Argument(metavar="--SIDE WHO", help="Who plays it, for every side.")] = None,
    scenario: Annotated[str, typer.Option("--scenario", help="Which scenario; the first one by itself.")] = "",
    option: Annotated[Many, typer.Option("--option", metavar="NAME=VALUE", help="A choice of the scenario.")] = None,
    name: Annotated[str, typer.Option("--name", help="What the game is called; a number by itself.")] = "",
    spectator: Annotated[Many, typer.Option("--spectator", metavar="ADDRESS", help="Gets the public reports.")] = None,
    delay: Delay = 0,
    **terms: GameTerms,
) -> None:
    """Set up a game and invite its players: --SIDE with a mail address, or bot:sensible. Bots alone begin at once.

    Example: pbem game new GAME --soviet vatutin@front.example --german bot:sensible --deadline 48h
    """
    settings = {"errors": "refuse", "on_deadline": "default", "deadline": {}, **read_terms(terms)}
    title, lookers = games.title(game), spectator or ()
    played = title.scenario(scenario)
    options = read_options(option or (), played.choices)
    seated = _chairs(chairs or ())
    _check_chairs(games.find_game(title.id, played.id, options), seated)
    for address in lookers:
        if not ADDRESS.fullmatch(address):
            raise BadAddress(address)
    if name and not GAME_NAME.fullmatch(name.casefold()):
        raise CannotModerate(f"{name!r} cannot be a game's name: small letters, digits and dashes, 41 at most")
    id_, moderator = name.casefold() or free_name(act, title.id), act.mail.sender if act.mail is not None else ""
    made = NewGame(title.id, played.id, options, settings, moderator)
    room = invite_all(act.house, act.session, id_, made, seated)
    row, begun = room.game, room.begun
    for address in lookers:
        looker = Spectator(game_id=row.id, address=mail_address(address), delay_hours=delay)
        act.session.add(looker)
        act.send(welcome(room, looker), f"spectator/{looker.address}")
    act.say(f"{row.id}: {row.title}, scenario {row.scenario}.")
    for seat in room.seats():
        player = room.player(seat)
        act.say(f"{seat.side}: {player.address} is invited." if player else f"{seat.side}: the bot {seat.bot} plays.")
    tell_of_game(act, room)  # without the passwords: they are given out at the machine only
    open_mailboxes(act, [row.moderator, *(player.address for _, player in room.people()), *lookers])
    if begun:
        room.wake_lookers()
        act.say("Everybody is there: the game begins.")


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


def tell_of_game(act: Act, room: Room) -> None:
    """A letter he can answer: its reply address is the one that opens the moderator's verbs."""
    letter = tell_moderator(room, "A new game", *act.told)
    letter.say(
        "Your verbs", "Answer this letter with `moderator help` to see them; keep its reply address to yourself."
    )
    act.send(letter, "moderator")


def _check_chairs(game: Game, chairs: Mapping[str, str]) -> None:
    """Somebody for every side that is not the rules'. Raises CannotModerate, BadAddress."""
    sides = game.setting.chairs
    unknown = [side for side in chairs if side not in sides]
    if unknown:
        rules = f"the rules play it: write {' '.join(f'--{side} ADDRESS' for side in sides)} and no other"
        why = rules if unknown[0] in game.setting.played else f"there is {either(sides)}"
        raise CannotModerate(f"{game.rulebook} has no side {unknown[0]!r} to give away; {why}")
    missing = [side for side in sides if side not in chairs]
    if missing:
        raise CannotModerate(f"nobody is to play {either(missing)}: write --{missing[0]} ADDRESS or bot:sensible")
    for chair in chairs.values():
        check_chair(chair)


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


def welcome(room: Room, looker: Spectator) -> Letter:
    """The first letter to somebody who looks on; its reply address is his own."""
    letter = letter_about(room, "looking on", looker.address, "what you will get")
    letter.reply_to = room.house.seat_address(looker.token)
    letter.unsubscribe = unsubscribe_address(room.house, Reports(room.game, looker))
    against = " against ".join(chair_name(room, seat) for seat in room.seats())
    terms = "\n".join(terms_lines(room.game))
    say_words(room, letter, "looking_on", against=against, terms=terms, when=when_told(looker), leave=LEAVE)
    letter.commands = ("leave",)
    return letter


def when_told(looker: Spectator) -> str:
    hours = looker.delay_hours
    return f"{hours} {'hour' if hours == 1 else 'hours'} after they are made" if hours else "as they are made"
