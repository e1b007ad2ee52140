"""Acting as the moderator: the house found and held, the verb's words, what it said printed."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
from pydantic import ValidationError
from sqlalchemy.exc import SQLAlchemyError

from pbem.cli.terminal import NOT_ALL, CannotDo, read_orders, say
from pbem.clock.clock_rules import BadClock
from pbem.desk.lifecycle import CannotInvite
from pbem.house import House
from pbem.house.settings import Settings, load_settings
from pbem.house.sole_writer import sole_writer
from pbem.moderator import Act, CannotModerate
from pbem.service import Service
from pbem.service.bots_asked import bots_asked

GameId = Annotated[str, typer.Argument(metavar="ID", help="The game, as `pbem game list` names it.")]
SideName = Annotated[str, typer.Argument(metavar="SIDE", help="A side of the game.")]
Because = Annotated[str, typer.Option("--because", help="Why, for the players to read.")]
TextFrom = Annotated[str, typer.Argument(metavar="[FILE]", help="A file, or - for what is typed or piped in.")]


def settings_in_force() -> Settings:
    """The settings, or one sentence about what is wrong with them. Raises CannotDo."""
    try:
        return load_settings()
    except ValidationError as wrong:
        first = wrong.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise CannotDo(f"the settings are wrong at {where}: {first['msg'].lower()}") from None
    except tomllib.TOMLDecodeError as wrong:
        raise CannotDo(f"the settings file is not TOML: {wrong}") from None
    except ValueError as wrong:
        raise CannotDo(f"the settings cannot be read: {wrong}") from None


@contextmanager
def at_home() -> Iterator[House]:
    """The house that the settings name. Raises CannotDo."""
    settings = settings_in_force()
    try:
        house = House(settings)
    except SQLAlchemyError as wrong:
        raise CannotDo(f"the database cannot be opened: {str(wrong).splitlines()[0]}") from None
    try:
        yield house
    finally:
        house.close()


@contextmanager
def moderating(context: typer.Context) -> Iterator[Act]:
    """An act: the mail's own, or one by hand in the house, which nobody else writes in meanwhile."""
    given = context.find_object(Act)
    if given is not None:
        yield given
        return
    with at_home() as house, sole_writer(house):
        with house.database.begin() as session:
            act = Act(house, session)
            try:
                yield act
            except (CannotModerate, CannotInvite, BadClock) as why:
                raise CannotDo(str(why)) from None
        service = Service(house)
        for game in bots_asked(house):
            service.play_bots(game)
    for line in act.told:
        say(line)
    if act.refused:
        raise typer.Exit(NOT_ALL)


def text_for(act: Act, source: str) -> str:
    """What stood below the verb in a mail, or a file, or standard input. Raises CannotModerate, CannotDo."""
    if act.mail is None:
        return read_orders(source)
    if source != "-":
        raise CannotModerate("a mail cannot name a file: write below the first line")
    return act.text or ""
