"""A chair's addresses by the moderator's hand: a new token, and a new address where the old one is dead."""

from typing import Annotated

import typer

from pbem.desk.addresses import CannotHave, ask_for, letter_of_request, renew_token
from pbem.desk.composing import tell_moderator
from pbem.house import Room
from pbem.moderator.act import NOT_OVER, Act, CannotModerate
from pbem.moderator.arguments import GameId, SideName
from pbem.moderator.mailbox_accounts import open_mailboxes
from pbem.moderator.setting_up import check_chair
from pbem.store import Player, Seat, new_id

OFFICE = "moderator"


def token(
    act: Act,
    game: GameId,
    side: Annotated[str, typer.Argument(metavar="SIDE", help="A side of the game, or moderator for your own.")],
) -> None:
    """Give a chair a new token: its old reply address opens nothing any more, and its player gets the new one.

    Example: pbem game token ID german
    """
    room = act.room(game)
    if side.strip().casefold() == OFFICE:
        room.game.moderator_token = new_id()
        told = "Reply to this letter to moderate the game. Older ones open nothing any more."
        act.send(tell_moderator(room, "A new reply address", told), OFFICE)
        act.say(f"The moderator of {room.game.id} has a new reply address; a letter with it is on its way.")
        return
    seat, player = _of_a_person(act, room, side)
    renew_token(act.session, seat)
    act.session.flush()
    told = f"Reply to this letter to write for {seat.side}. The addresses of older letters open nothing any more."
    act.send(act.write(room, seat, player, "A new reply address", told), seat.side)
    act.say(f"{seat.side} of {room.game.id} has a new token; a letter with it goes to {player.address}.")


def address(
    act: Act,
    game: GameId,
    side: SideName,
    wanted: Annotated[str, typer.Argument(metavar="ADDRESS", help="The new address.")],
    second: Annotated[bool, typer.Option("--second", help="It may write as well, not instead.")] = False,
) -> None:
    """Move a chair to a new address of its player's, whose old one is dead; the new one must confirm it.

    Example: pbem game address ID german bruno@elsewhere.example
    """
    room = act.room(game, NOT_OVER, "no chair there needs an address")
    seat, player = _of_a_person(act, room, side)
    check_chair(wanted)
    open_mailboxes(act, [wanted])
    try:
        request = ask_for(room, seat, player, wanted, second=second, vouched=True)
    except CannotHave as why:
        raise CannotModerate(str(why)) from None
    act.send(letter_of_request(room, seat, player, request), "new address")
    what = "may write for your chair as well" if second else "gets your chair"
    told = f"The moderator has been asked to see to it that {request.address} {what}, once it has confirmed."
    stop = f"If you read this and did not ask for it, write `address keep`, and tell {room.game.moderator}."
    act.send(act.write(room, seat, player, "Your address", told, stop), "old address")
    act.say(f"{request.address} is asked to confirm that it {'also ' if second else ''}plays {seat.side}.")


def _of_a_person(act: Act, room: Room, side: str) -> tuple[Seat, Player]:
    seat = act.seat(room, side)
    player = room.player(seat)
    if player is None:
        raise CannotModerate(f"{seat.side} of {room.game.id} is played by a bot, which gets no mail")
    return seat, player
