"""An act of the moderator: what it is told, where he acts, what he is told of it, or why he cannot have it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Any, Literal

import typer
from rapidfuzz import process
from sqlmodel import Session, col, select

from engine import log
from engine.bots import BOTS
from engine.referee import Reply
from engine.refusals import either
from pbem.desk.composing import letter_to
from pbem.desk.lifecycle import BOT
from pbem.desk.line_made import after_letters, before_letters
from pbem.desk.standing_of import enclose_deadline
from pbem.house import House, Room
from pbem.letters import Enclosure, Letter
from pbem.outbox.outgoing import queue
from pbem.store import GameRow, MailIn, Player, Seat, new_id

UNDER_WAY, OVER = ("playing", "paused"), ("finished", "abandoned")
NOT_OVER = (*UNDER_WAY, "joined", "invited", "lapsed")
STATES = (*NOT_OVER, *OVER)
ADDRESS = re.compile(r"[^@\s<>,;\"'()\[\]\\]{1,64}@[^@\s<>,;\"'()\[\]\\]{1,250}")


class CannotModerate(Exception):
    """Nothing was done; the sentence says why."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class NoCommand(CannotModerate):
    """There is no word of the moderator's in it: a machine may have written it."""


class UnknownGame(CannotModerate):
    """No game has this name."""

    def __init__(self, name: str, near: Sequence[str] = ()) -> None:
        known = f"; did you mean {either(near)}?" if near else "; `game list --all` shows all there are"
        super().__init__(f"there is no game {name!r}{known}")
        self.name, self.near = name, tuple(near)


class WrongState(CannotModerate):
    """The game is not where that could be done."""

    def __init__(self, game: str, state: str, what: str) -> None:
        super().__init__(f"{game} is {state}, so {what}")
        self.game, self.state = game, state


class NoSuchChair(CannotModerate):
    """The game has no such side."""

    def __init__(self, game: str, side: str, sides: Sequence[str]) -> None:
        super().__init__(f"{game} has no side {side!r}; it has {either(list(sides))}")
        self.game, self.side, self.sides = game, side, tuple(sides)


class BadAddress(CannotModerate):
    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no mail address, and no bot such as bot:sensible")
        self.text = text


class NoSuchMail(CannotModerate):
    def __init__(self, name: str) -> None:
        super().__init__(f"no mail that was set aside has the number {name!r}; `game shunted` lists them")
        self.name = name


def check_address(text: str) -> None:
    """Raises BadAddress."""
    if not ADDRESS.fullmatch(text):
        raise BadAddress(text)


def check_chair(chair: str) -> None:
    """A mail address or a bot. Raises BadAddress, CannotModerate."""
    if not chair.startswith(BOT):
        check_address(chair)
    elif chair.removeprefix(BOT) not in BOTS:
        raise CannotModerate(f"there is no bot {chair.removeprefix(BOT)!r}; there is {either(list(BOTS))}")


@dataclass
class Act:
    """What every verb is given. It writes rows through `session` alone, and speaks through `say`."""

    house: House
    session: Session
    cause: str = field(default_factory=new_id)  # a line made by this act carries it
    mail: MailIn | None = None  # the mail that asked for it, if one did
    read: Callable[[str], str] = str  # the text a verb is given: out of a file, or from below it in the mail
    told: list[str] = field(default_factory=list)
    files: list[Enclosure] = field(default_factory=list)  # for the answer by mail
    refused: bool = False  # something in it came back

    @property
    def now(self) -> datetime:
        return self.house.clock()

    def say(self, *lines: str) -> None:
        self.told += [self.house.without_tokens(line) for line in lines]

    def game(self, name: str) -> GameRow:
        """The game of that name. Raises UnknownGame."""
        row = self.session.get(GameRow, name.strip().casefold())
        if row is None:
            known = self.session.exec(select(GameRow.id).order_by(col(GameRow.id))).all()
            near = process.extract(name, known, limit=3, score_cutoff=70)
            raise UnknownGame(name, [found for found, *_ in near])
        return row

    def room(self, name: str, states: Sequence[str] = STATES, but: str = "") -> Room:
        """A game in one of these states; `but` says what follows from its being in another. Raises UnknownGame,
        WrongState."""
        room = Room.of(self.house, self.session, self.game(name).id)
        if room.game.state not in states:
            raise WrongState(room.game.id, room.game.state, but)
        return room

    def seat(self, room: Room, side: str) -> Seat:
        """A chair at the game. Raises NoSuchChair."""
        chairs = {seat.side: seat for seat in room.seats()}
        return chairs[self.side(room, side, list(chairs))]

    def side(self, room: Room, text: str, sides: Sequence[str]) -> str:
        """One of these sides, however it is spelled. Raises NoSuchChair."""
        found = next((side for side in sides if side.casefold() == text.strip().casefold()), None)
        if found is None:
            raise NoSuchChair(room.game.id, text, sides)
        return found

    def write(self, room: Room, seat: Seat, player: Player, heading: str, *lines: str, stays: bool = True) -> Letter:
        """A letter to one of the players, not sent yet; `stays` is not so for who has lost his chair."""
        letter = letter_to(room, "ruling", seat, player, heading, *lines)
        if room.begun:
            enclose_deadline(room, letter, seat, player, owes=stays)
        return letter

    def send(self, letter: Letter, about: str) -> None:
        """Queues a letter of this act."""
        queue(self.house, self.session, letter, f"moderator/{self.cause}/{about}")

    def tell_all(self, room: Room, heading: str, *lines: str, but: Seat | None = None) -> None:
        """The same words to every player."""
        for seat, player in room.people():
            if but is None or seat.id != but.id:
                self.send(self.write(room, seat, player, heading, *lines), seat.side)

    def line(self, room: Room, reply: Reply, tell: Callable[[log.Line], None]) -> None:
        """What follows from a line of this act, with what `tell` says of it; nothing, if none came of it."""
        line = reply.line
        if line is None:
            return
        before_letters(room, reply)
        tell(line)
        if self.mail is not None:
            self.mail.line, self.mail.line_hash = line["n"], line["hash"]
        after_letters(room)


# What the verbs are told: at the terminal as arguments, in a mail as the words of its first line.
Many = list[str] | None


def _said(kind: Any, **more: Any) -> Any:
    return Annotated[kind | None, typer.Option(**more)]


GameId = Annotated[str, typer.Argument(metavar="ID", help="The game, as `pbem game list` names it.")]
Side = Annotated[str, typer.Argument(metavar="SIDE", help="A side of the game.")]
Because = Annotated[str, typer.Option("--because", help="Why, for the players to read.")]
Delay = Annotated[int, typer.Option("--delay", metavar="HOURS", help="How much later onlookers are told.", min=0)]
# The terms of a game, set when it is new and changed later; what is not said stays as it is. By option: how settings
# call it, and how it is written. A verb has all of them by `**terms: GameTerms`.
TERMS: dict[str, tuple[str, Any]] = {
    "deadline": (
        "deadline",
        _said(list[str], metavar="[KIND=]TIME", help='48h, "daily at 21:00", none, combat=24h, reply=12h.'),
    ),
    "grace": ("grace", _said(str, help="How long after it the clock still waits.")),
    "reminder": ("reminders", _said(list[str], help="How long before it a reminder goes out.")),
    "off": ("weekdays_off", _said(list[str], metavar="DAY", help="A day of the week that does not count, or none.")),
    "extensions": ("extensions", _said(int, help="How often a player may ask for time.")),
    "absence": ("absence_days", _said(int, metavar="DAYS", help="How long he may be away.")),
    "at_deadline": ("on_deadline", _said(Literal["default", "hold"], help="The usual answer, or the moderator.")),
    "no_show": (
        "no_show",
        _said(int, metavar="N", help="You are told of who leaves N deadlines running to the clock."),
    ),
    "at_no_show": ("on_no_show", _said(Literal["tell", "pause"], help="You are told, or the game pauses, too.")),
    "errors": ("errors", _said(Literal["refuse", "skip"], help="A faulty line: refuse the mail, or skip the line.")),
    "pace": (
        "pace",
        _said(Literal["brisk", "careful"], help="Whether it waits for a side asked about its units while others play."),
    ),
    "pictures": ("pictures", _said(Literal["all", "small", "none"], help="In letters: all, few and small, none.")),
    "board": ("board", _said(Literal["packed", "plain", "none"], help="The order board in the letters.")),
}
GameTerms = Annotated[Any, (*TERMS,)]
DuelTerms = Annotated[Any, (*(name for name in TERMS if name not in ("deadline", "no_show", "at_no_show")),)]
# A verb is given the text itself: its front end has read it from the file, or from below the verb in the mail.
TextFrom = Annotated[str, typer.Argument(metavar="[FILE]", help="A file, or - for what is typed or piped in.")]
