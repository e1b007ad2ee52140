"""Addresses by the moderator's hand: a new token, a new one where the old is dead, mailboxes on the embedded server."""

from collections.abc import Iterable
from typing import Annotated

import typer
from sqlmodel import select

from pbem.desk.composing import letter_to_moderator
from pbem.desk.verbs.own_address import CannotHave, ask_for, letter_of_request, renew_token
from pbem.embedded import Accounts, NoSuchAccount, post_folder
from pbem.house import House, Room
from pbem.house.settings import Settings
from pbem.moderator.act import NOT_OVER, Act, CannotModerate, GameId, Side, check_chair
from pbem.store import Player, Seat, Spectator, mail_address, new_id

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
        act.send(letter_to_moderator(room, "A new reply address", told), OFFICE)
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
    side: Side,
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


def open_mailboxes(act: Act, addresses: Iterable[str]) -> None:
    """Whoever has none gets a mailbox, where the service runs its own mail servers; the password is told once."""
    if not act.house.settings.own_servers:
        return
    for address, password in opened(act.house.settings, addresses):
        how = f"with the password {password}" if act.mail is None else f"`pbem game mailbox {address}` gives a password"
        act.say(f"{address} has a mailbox on the embedded server, {how}")


def opened(settings: Settings, addresses: Iterable[str]) -> list[tuple[str, str]]:
    """The new mailboxes with their passwords."""
    accounts = Accounts(post_folder(settings))
    made = [(mail_address(address), accounts.add(address)) for address in addresses]
    return [(address, password) for address, password in made if password is not None]


def everybody(house: House) -> list[str]:
    """Every address that letters go to."""
    with house.database.reading() as session:
        found = {*session.exec(select(Player.address)).all(), *session.exec(select(Spectator.address)).all()}
    return sorted({mail_address(house.settings.moderator), *found})


def new_password(
    act: Act, address: Annotated[str, typer.Argument(metavar="ADDRESS", help="Whose password is lost.")]
) -> None:
    """Give a mailbox on the embedded server a new password.

    Example: pbem game mailbox vatutin@front.example
    """
    if act.mail is not None:
        raise CannotModerate("passwords are given out on the command line only")
    if not act.house.settings.own_servers:
        raise CannotModerate("there is no embedded server: a mailbox is configured")
    try:
        password = Accounts(post_folder(act.house.settings)).renew(address)
    except NoSuchAccount as missing:
        raise CannotModerate(str(missing)) from None
    act.say(f"{mail_address(address)} has a new password: {password}")
