"""Duels set up: two people, the same game for one, each in a game of his own."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

import games
from engine.folder import Scenario, Title
from engine.game import Game
from pbem.clock.clock_rules import BadClock, read_rules
from pbem.clock.dues import TURN
from pbem.desk.lifecycle import BOT, NewGame, invite_duel
from pbem.house import GAME_NAME
from pbem.moderator.act import Act, BadAddress, CannotModerate
from pbem.moderator.arguments import DuelTerms, Many
from pbem.moderator.mailbox_accounts import open_mailboxes
from pbem.moderator.setting_up import ADDRESS, free_name, tell_of_game
from pbem.moderator.terms import read_terms
from pbem.store import mail_address
from pbem.wording.option_values import read_options

A_TURN = "14d"  # unless another time is named


def duel(
    act: Act,
    game: Annotated[str, typer.Argument(metavar="GAME", help="A rulebook for one player.")],
    players: Annotated[Many, typer.Argument(metavar="ADDRESS ADDRESS", help="The two who play it.")] = None,
    scenario: Annotated[str, typer.Option("--scenario", help="Which scenario; the first one by itself.")] = "",
    option: Annotated[Many, typer.Option("--option", metavar="NAME=VALUE", help="A choice of the scenario.")] = None,
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
    title = games.title(game)
    played = title.scenario(scenario)
    options = read_options(option or (), played.choices)
    found = games.find_game(title.id, played.id, options)
    pair = _players(title, found, players or ())
    _check_alike(played, options)
    settings = {"errors": "refuse", "on_deadline": "default", "no_show": 0, **read_terms(terms)}
    settings["deadline"] = {TURN: deadline}
    if "=" in deadline:
        raise BadClock("the deadline of a duel", deadline, "one time for a whole turn, like 14d")
    read_rules(settings)
    if name and not GAME_NAME.fullmatch(f"{name.casefold()}-1"):
        raise CannotModerate(f"{name!r} cannot name a duel: small letters, digits and dashes, 39 at most")
    ids = _names(act, title.id, name.casefold())
    moderator = act.mail.sender if act.mail is not None else ""
    rooms = invite_duel(act.house, act.session, ids, NewGame(title.id, played.id, options, settings, moderator), pair)
    first = rooms[0].game
    act.say(f"{ids[0]} and {ids[1]}: a duel in {first.title}, scenario {first.scenario}.")
    for id_, address in zip(ids, pair, strict=True):
        act.say(f"{id_}: {address} is invited.")
    tell_of_game(act, rooms[0])
    open_mailboxes(act, [first.moderator, *pair])


def _check_alike(scenario: Scenario, options: Mapping[str, Any]) -> None:
    """Both play the same: nothing is left to each of them. Raises CannotModerate."""
    for switch in scenario.choices:
        value = options.get(switch.name, switch.default)
        if value in switch.own:
            others = ", ".join(str(other) for other in switch.values if other not in switch.own)
            raise CannotModerate(
                f"{switch.name}={value} is left to each player, and in a duel both play the same;"
                f" write `--option {switch.name}=VALUE` with one of: {others}"
            )


def _names(act: Act, rulebook: str, name: str) -> tuple[str, str]:
    if name:
        return f"{name}-1", f"{name}-2"
    first = free_name(act, rulebook)
    return first, free_name(act, rulebook, int(first.rpartition("-")[2]) + 1)


def _players(title: Title, game: Game, words: Sequence[str]) -> tuple[str, str]:
    """Two addresses and nothing else. Raises CannotModerate, BadAddress."""
    chairs = game.setting.chairs
    if len(chairs) != 1:
        raise CannotModerate(
            f"{title.id} is no game for one: its players meet at one board; write"
            f" `game new {title.id} {' '.join(f'--{side} ADDRESS' for side in chairs)}`"
        )
    usage = f"write `game duel {title.id} ADDRESS ADDRESS`"
    if named := next((word for word in words if word.startswith("--")), ""):
        side = named.removeprefix("--").partition("=")[0]
        why = f"the rules play {side}" if side in game.setting.played else f"both play {chairs[0]}"
        raise CannotModerate(f"{named.partition('=')[0]} is not for a duel ({why}): {usage}")
    for address in words:
        if address.startswith(BOT):
            raise CannotModerate(f"a duel is between two people, and {address} is none: {usage}")
        if not ADDRESS.fullmatch(address):
            raise BadAddress(address)
    if len(words) != 2:
        raise CannotModerate(f"a duel is between two, and you name {len(words) or 'nobody'}: {usage}")
    one, two = (mail_address(word) for word in words)
    if one == two:
        raise CannotModerate(f"{one} cannot play against himself: {usage} with two addresses")
    return one, two
