"""Moderate games: set them up, see who owes what, step in. By mail the same words follow `moderator`."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from pbem.cli.acting import at_home
from pbem.cli.terminal import NOT_ALL, read_orders, say
from pbem.house.alone import sole_writer
from pbem.moderator import Act
from pbem.moderator.moderators_verbs import LOOKS, front_end
from pbem.service import Service


@contextmanager
def moderating(verb: str) -> Iterator[Act]:
    """An act by hand in the house, which nobody else writes in meanwhile; what it said is printed."""
    with at_home() as house, sole_writer(house):
        with house.database.reading() if verb in LOOKS else house.transaction() as session:
            act = Act(house, session, read=read_orders)
            yield act
            house.cabinet.ring(session)
        Service(house).play_bots_asked()
    for line in act.told:
        say(line)
    if act.refused:
        raise typer.Exit(NOT_ALL)


app = front_end(moderating)
