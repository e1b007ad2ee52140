"""The service's own verbs: what a player may write besides the orders of his game, in one table (`verbs.toml`).

The reading of a mail, the reserved words that no game may take for an order, and the help pages all come from it.
"""

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import Any, Literal

from pbem.desk.verbs.agreeing import press
from pbem.desk.verbs.trying_out import help_
from pbem.desk.visit import NotDone, Visit
from pbem.house import Room

Heard = Literal["joining", "before", "after"]  # than the orders of the same mail; who joins may leave standing orders

Needs = Literal["", "begun", "open", "playing"]  # a game that has begun, is not over, is not paused either


@dataclass(frozen=True)
class Verb:
    """One word of the service: how it is written, its help page, what runs, when it is heard, what game it needs."""

    usage: str
    about: str
    run: Callable[[Visit, str], None]
    heard: Heard = "after"
    needs: Needs = ""
    alone: str | None = None  # its page for who plays alone, if that is another; empty: there is nobody to say it to

    @property
    def name(self) -> str:
        return self.usage.partition(" ")[0]

    def page(self, room: Room) -> str:
        """What it does, for who is in that room; empty: there is nobody to say it to."""
        reaches_nobody = self.alone is not None and room.alone and not (self.run is press and room.duel)
        return str(self.alone) if reaches_nobody else self.about

    def hear(self, visit: Visit, rest: str) -> None:
        """It is done, or the letter says why not."""
        try:
            self._check(visit)
            self.run(visit, rest)
        except NotDone as why:
            visit.letter.say(why.heading or self.name.capitalize(), *why.lines)

    def _check(self, visit: Visit) -> None:
        """Whether this is the time for it. Raises NotDone."""
        state = visit.game.state
        if self.alone == "" and visit.room.duel is not None:
            raise NotDone("Each plays his own game of a duel: there is nothing to agree on.")
        if self.alone == "" and visit.room.alone:
            raise NotDone("You play alone: there is nobody to agree with.")
        if self.needs and not visit.room.begun:
            raise NotDone("The game has not begun.")
        if (self.needs == "open" and visit.campaign.over) or (self.needs == "playing" and state != "playing"):
            raise NotDone(f"The game is {'over' if visit.campaign.over else state}.")


def _with_the_orders(visit: Visit, rest: str) -> None:
    """Dealt with where the orders are."""


def _help(visit: Visit, rest: str) -> None:
    told = {verb.name: (verb.usage, verb.page(visit.room)) for verb in VERBS.values()}
    help_(visit, rest, {name: page for name, page in told.items() if page[1]})


def _verb(does: str = "_with_the_orders", **row: Any) -> Verb:
    return Verb(run=globals().get(does) or resolve_name(f"{__name__}.{does}"), **row)


_TABLE = tomllib.loads(Path(__file__).with_name("verbs.toml").read_text(encoding="utf-8"))
VERBS = {name: _verb(**row) for name, row in _TABLE.items()}
