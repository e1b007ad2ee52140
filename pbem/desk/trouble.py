"""A game in trouble: it is left alone, the moderator is told once, and all others go on."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from sqlmodel.sql.expression import SelectOfScalar

from pbem.house import House, Room
from pbem.letters import Letter
from pbem.outbox.outgoing import queue
from pbem.store.database_troubles import trouble_of
from pbem.wording.known_errors import told

_log = structlog.get_logger()


@contextmanager
def troubles(house: House, game: str, what: str) -> Iterator[None]:
    """What goes wrong inside is that game's trouble and nobody else's, unless it is the whole house's."""
    try:
        yield
    except Exception as problem:
        if trouble_of(problem) is not None:
            raise
        in_trouble(house, game, what, problem)


def in_each(house: House, games: SelectOfScalar[str], what: str, do: Callable[[Room], object]) -> list[str]:
    """In each of the games that are asked for, in a transaction of its own; gives those in which it came to something.

    `what` is the trouble of a game in which it cannot be done.
    """
    with house.database.reading() as session:
        found = dict.fromkeys(session.exec(games).all())
    done = []
    for game in found:
        with troubles(house, game, what), house.transaction() as session:
            if do(Room.of(house, session, game)):
                done.append(game)
    return done


def in_trouble(house: House, game: str, what: str, problem: Exception) -> None:
    """The same trouble is told once."""
    _log.error("a game is in trouble", game=game, what=what, problem=repr(problem))
    letter = Letter("trouble", house.settings.moderator, what, game=game)
    said = f"    {told(problem)}"[:500]
    letter.say("The game is in trouble", f"{game}: {what}.", said, "All other games go on.")
    with house.database.begin() as session:
        queue(house, session, letter, f"trouble/{game}/{what}/{problem!r}"[:500])
