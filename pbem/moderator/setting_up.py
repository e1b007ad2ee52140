"""Games and duels set up: by what, for whom, and what is wrong with that before anybody is invited."""

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from sqlmodel import select

import games
from engine.game import Game
from engine.refusals import either
from pbem.clock.clock_rules import BadClock, read_rules
from pbem.clock.dues import TURN
from pbem.desk.attending_guests import LEAVE
from pbem.desk.composing import letter_about, letter_to_moderator, say_words
from pbem.desk.lifecycle import BOT, NewGame, invite_all, invite_duel
from pbem.desk.seating import chair_name, terms_of
from pbem.house import GAME_NAME, Room
from pbem.letters import Letter
from pbem.moderator.act import Act, CannotModerate, Delay, DuelTerms, GameTerms, Many, check_address, check_chair
from pbem.moderator.readdressing import open_mailboxes
from pbem.moderator.timing import read_terms
from pbem.outbox.unsubscribing import Subscription, unsubscribe_address
from pbem.store import GameRow, Spectator, mail_address
from pbem.wording.option_values import read_options

A_TURN = "14d"  # of a duel, unless another time is named
ScenarioName = Annotated[str, typer.Option("--scenario", help="Which scenario; the first one by itself.")]
Choices = Annotated[Many, typer.Option("--option", metavar="NAME=VALUE", help="A choice of the scenario.")]


def new(
    act: Act,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A rulebook, as `pbem games` lists it.")],
    chairs: Annotated[Many, typer.Argument(metavar="--SIDE WHO", help="Who plays it, for every side.")] = None,
    scenario: ScenarioName = "",
    option: Choices = None,
    name: Annotated[str, typer.Option("--name", help="What the game is called; a number by itself.")] = "",
    spectator: Annotated[Many, typer.Option("--spectator", metavar="ADDRESS", help="Gets the public reports.")] = None,
    delay: Delay = 0,
    **terms: GameTerms,
) -> None:
    """Set up a game and invite its players: --SIDE with a mail address, or bot:sensible. Bots alone begin at once.

    Example: pbem game new GAME --soviet vatutin@front.example --german bot:sensible --deadline 48h
    """
    settings = {"errors": "refuse", "on_deadline": "default", "deadline": {}, **read_terms(terms)}
    played, lookers = _played(game, scenario, option), spectator or ()
    seated = _chairs(chairs or ())
    _check_chairs(played, seated)
    for address in lookers:
        check_address(address)
    if name and not GAME_NAME.fullmatch(name.casefold()):
        raise CannotModerate(f"{name!r} cannot be a game's name: small letters, digits and dashes, 41 at most")
    id_ = name.casefold() or free_name(act, played.rulebook)
    room = invite_all(act.house, act.session, id_, _new_game(act, played, settings), seated)
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
    left = iter(words)
    for word in left:
        side, equals, chair = word.removeprefix("--").partition("=")
        if not word.startswith("--") or not side:
            raise CannotModerate(f"{word!r} is not understood; who plays is written --SIDE ADDRESS")
        found = chair if equals else next(left, None)
        if found is None:
            raise CannotModerate(f"--{side} needs a mail address, or bot:sensible")
        if side in chairs:
            raise CannotModerate(f"--{side} is said twice; one sits on a chair")
        chairs[side] = found
    return chairs


def _played(game: str, scenario: str, option: Many) -> Game:
    """Raises NoSuchGame, NoSuchScenario, NoSuchOption, NotAnOption."""
    title = games.title(game)
    chosen = title.scenario(scenario)
    return games.find_game(title.id, chosen.id, read_options(option or (), chosen.choices))


def _new_game(act: Act, game: Game, settings: Mapping[str, Any]) -> NewGame:
    """On these terms; moderated by whoever asks for it."""
    moderator = act.mail.sender if act.mail is not None else ""
    return NewGame(game.rulebook, game.scenario, game.options, settings, moderator)


def tell_of_game(act: Act, room: Room) -> None:
    """A letter he can answer: its reply address is the one that opens the moderator's verbs."""
    letter = letter_to_moderator(room, "A new game", *act.told)
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


def free_name(act: Act, rulebook: str, number: int = 1) -> str:
    """A name that no game has, from this number on."""
    stem = re.sub(r"[^a-z0-9]+", "-", rulebook.casefold()).strip("-")[:30]
    taken = set(act.session.exec(select(GameRow.id)).all())
    while f"{stem}-{number}" in taken or act.house.cabinet.has_log(act.session, f"{stem}-{number}"):
        number += 1
    return f"{stem}-{number}"


def duel(
    act: Act,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A rulebook for one player.")],
    players: Annotated[Many, typer.Argument(metavar="ADDRESS ADDRESS", help="The two who play it.")] = None,
    scenario: ScenarioName = "",
    option: Choices = None,
    name: Annotated[str, typer.Option("--name", help="What the two games are called: NAME-1 and NAME-2.")] = "",
    deadline: Annotated[str, typer.Option("--deadline", metavar="TIME", help="For a turn: 7d, 3w, or none.")] = A_TURN,
    **terms: DuelTerms,
) -> None:
    """Set up a duel: two people play the same game for one against the same enemy, each in a game of his own.

    The same cards and dice come up for both, turn by turn. Both are told how the two games stand when both have ended a
    turn; whoever has not ended one in its time (14 days, unless you say so) has lost. The secret is shown, and all logs
    are sent, when both games are over. To go back in one of the games, to correct it or to close it ends the duel.

    Example: pbem game duel GAME anna@mill.example bert@ford.example --deadline 7d
    """
    played = _played(game, scenario, option)
    pair = _players(played, players or ())
    _check_alike(played)
    settings = {"errors": "refuse", "on_deadline": "default", "no_show": 0, **read_terms(terms)}
    settings["deadline"] = {TURN: deadline}
    if "=" in deadline:
        raise BadClock("the deadline of a duel", deadline, "one time for a whole turn, like 14d")
    read_rules(settings)
    if name and not GAME_NAME.fullmatch(f"{name.casefold()}-1"):
        raise CannotModerate(f"{name!r} cannot name a duel: small letters, digits and dashes, 39 at most")
    first_id = f"{name.casefold()}-1" if name else free_name(act, played.rulebook)
    stem, _, number = first_id.rpartition("-")
    ids = first_id, f"{stem}-2" if name else free_name(act, played.rulebook, int(number) + 1)
    rooms = invite_duel(act.house, act.session, ids, _new_game(act, played, settings), pair)
    first = rooms[0].game
    act.say(f"{ids[0]} and {ids[1]}: a duel in {first.title}, scenario {first.scenario}.")
    for id_, address in zip(ids, pair, strict=True):
        act.say(f"{id_}: {address} is invited.")
    tell_of_game(act, rooms[0])
    open_mailboxes(act, [first.moderator, *pair])


def _check_alike(game: Game) -> None:
    """Both play the same: nothing is left to each of them. Raises CannotModerate."""
    for switch in games.title(game.rulebook).scenario(game.scenario).choices:
        value = game.options.get(switch.name, switch.default)
        if value in switch.own:
            others = ", ".join(str(other) for other in switch.values if other not in switch.own)
            raise CannotModerate(
                f"{switch.name}={value} is left to each player, and in a duel both play the same;"
                f" write `--option {switch.name}=VALUE` with one of: {others}"
            )


def _players(game: Game, words: Sequence[str]) -> tuple[str, str]:
    """Two addresses and nothing else. Raises CannotModerate, BadAddress."""
    chairs = game.setting.chairs
    if len(chairs) != 1:
        raise CannotModerate(
            f"{game.rulebook} is no game for one: its players meet at one board; write"
            f" `game new {game.rulebook} {' '.join(f'--{side} ADDRESS' for side in chairs)}`"
        )
    usage = f"write `game duel {game.rulebook} ADDRESS ADDRESS`"
    if named := next((word for word in words if word.startswith("--")), ""):
        side = named.removeprefix("--").partition("=")[0]
        why = f"the rules play {side}" if side in game.setting.played else f"both play {chairs[0]}"
        raise CannotModerate(f"{named.partition('=')[0]} is not for a duel ({why}): {usage}")
    for address in words:
        if address.startswith(BOT):
            raise CannotModerate(f"a duel is between two people, and {address} is none: {usage}")
        check_address(address)
    if len(words) != 2:
        raise CannotModerate(f"a duel is between two, and you name {len(words) or 'nobody'}: {usage}")
    one, two = (mail_address(word) for word in words)
    if one == two:
        raise CannotModerate(f"{one} cannot play against himself: {usage} with two addresses")
    return one, two


def welcome(room: Room, looker: Spectator) -> Letter:
    """The first letter to somebody who looks on; its reply address is his own."""
    letter = letter_about(room, "looking on", looker.address, "what you will get")
    letter.reply_to = room.house.seat_address(looker.token)
    letter.unsubscribe = unsubscribe_address(room.house, Subscription(room.game, looker))
    against = " against ".join(chair_name(room, seat) for seat in room.seats())
    given = {"against": against, "when": when_told(looker), "leave": LEAVE, **terms_of(room.game)}
    say_words(room, letter, "looking_on", **given)
    letter.commands = ("leave",)
    return letter


def when_told(looker: Spectator) -> str:
    hours = looker.delay_hours
    return f"{hours} {'hour' if hours == 1 else 'hours'} after they are made" if hours else "as they are made"
