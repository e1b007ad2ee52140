"""The service's own verbs: what a player may write besides the orders of his game, in one table.

The reading of a mail, the reserved words that no game may take for an order, and the help pages all come from it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pbem.desk.verbs import (
    absence,
    agreeing,
    helping,
    joining,
    looking,
    own_address,
    standing_orders,
    talking,
    trying_out,
    wishing,
)
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
        reaches_nobody = self.alone is not None and room.alone and not (self.run is talking.press and room.duel)
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
    told = {verb.name: (verb.usage, verb.page(visit.room)) for verb in _TABLE}
    helping.help_(visit, rest, {name: page for name, page in told.items() if page[1]})


# The order is the reader's: from joining to leaving.
# fmt: off
_TABLE = (
    Verb("join [as NAME] [zone ZONE] [nonce WORDS]", "Takes your seat. The words go into the dice.",
         joining.join, "joining"),
    Verb("decline [WORDS]", "Turns an invitation down; the moderator is told, with your words.",
         joining.decline, "joining"),
    Verb("nonce WORDS", "Your words for the dice, if you joined with their hash (`join hash HEX`).",
         joining.nonce, "joining"),
    Verb("status", "The position as you see it, and who owes what by when.", looking.status),
    Verb("orders [HEX]", "Everything you may do now, as a template to edit; with a hex, what is open there, and a map.",
         trying_out.orders, needs="open"),
    Verb("ask [LINE]", "The same; with a line begun, how it can go on.", trying_out.ask, needs="open"),
    Verb("check [ORDER]", "Tries out the orders of this mail: nothing is carried out, no die is cast.",
         _with_the_orders),
    Verb("forecast ORDER", "The exact chances of an attack; below `check`, after the orders above it.",
         trying_out.forecast, needs="open"),
    Verb("when QUESTION [at HEX | for UNIT]: ORDER", "Answers a question beforehand; `ask` and `default` will do.",
         standing_orders.when, "before", needs="open"),
    Verb("standing [remove LINE | remove all]", "Your standing orders, what will be answered for you, taking them out.",
         standing_orders.standing, "before", needs="open"),
    Verb("map [HEX | full]", "A picture of the map, of the part around a hex, or all of it at full size, as a file.",
         looking.map_, needs="begun"),
    Verb("pictures off | small | on", "Pictures in your letters, in all your games: none, fewer and smaller ones, all.",
         looking.pictures),
    Verb("board on | off | link", "Whether letters that ask for your orders have an order board, or a link to it.",
         wishing.board, "before"),
    Verb("press [to moderator:] TEXT", "Words to your opponent, up to an empty line or `end press`.", talking.press,
         alone="Words `to moderator:`, up to an empty line or `end press`."),
    Verb("key KEY", "Says for which question your orders are meant; they are not carried out if it has gone by.",
         _with_the_orders),
    Verb("undo LINE", "Asks your opponent to go back to the end of a line; he writes `accept undo`.",
         agreeing.undo, needs="playing", alone="Goes back to the end of a line, unless a die was cast since."),
    Verb("accept undo | accept draw", "Agrees to what your opponent asks.", agreeing.accept, needs="playing",
         alone=""),
    Verb("withdraw", "Takes your lines out of the drawer, and an offer or request of yours back.",
         agreeing.withdraw, "before", needs="begun", alone="Takes your lines out of the drawer."),
    Verb("absent until DAY | for TIME | no", "No deadline of yours falls into that time.", absence.absent),
    Verb("zone ZONE", "Your time zone, by its name or a city: times in your letters are those of your own clock.",
         wishing.zone_),
    Verb("calendar off | on", "Whether letters with a deadline bring it as a file for your calendar.",
         wishing.calendar),
    Verb("reminders off | on", "Whether you are written to before a deadline of this game.", wishing.remind),
    Verb("wait", "Begins the time for your answer anew; as often as the game allows.", absence.wait),
    Verb("draw", "Offers a draw; your opponent writes `accept draw`.", agreeing.draw, needs="playing", alone=""),
    Verb("resign for good", "Gives up the game.", agreeing.resign, needs="playing"),
    Verb("games", "All your games, how each stands, and the reply address of each once more.", own_address.games),
    Verb("token new", "A new reply address for your chair; the old one opens nothing any more.", own_address.token),
    Verb("address [NEW | also SECOND | without SECOND | keep]",
         "Moves your chair to a new address, or lets a second one write for it, once both addresses have confirmed.",
         own_address.address),
    Verb("resend [LINE]", "What was written to you about a line, or last, once more.", looking.resend),
    Verb("book [press yes | press no]", "The campaign book, when the game is over; whether your press may stand in it.",
         looking.book, needs="begun", alone="The campaign book, when the game is over."),
    Verb("log", "The log so far, with what you may not know still sealed.", looking.log_, needs="begun"),
    Verb("help [WORD | RULE CASE]", "This page, one word of it, an order of the game, or a case of its rules.", _help),
)
# fmt: on
VERBS = {verb.name: verb for verb in _TABLE}
