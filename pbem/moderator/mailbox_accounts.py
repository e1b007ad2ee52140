"""Mailboxes on the embedded server, for whoever plays there."""

from collections.abc import Iterable
from typing import Annotated

import typer
from sqlmodel import select

from pbem.embedded import Accounts, NoSuchAccount, post_folder
from pbem.house import House
from pbem.house.settings import Settings
from pbem.moderator.act import Act, CannotModerate
from pbem.store import Player, Spectator, mail_address


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
