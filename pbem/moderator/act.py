"""An act of the moderator: where he acts, within which transaction, and what he is told about it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from rapidfuzz import process
from sqlmodel import Session, col, select

from engine import log
from engine.referee import Reply
from pbem.desk.calendar_entry import enclose_deadline
from pbem.desk.composing import letter_to
from pbem.desk.holding import after_line, before_line
from pbem.desk.visit import Witness
from pbem.house import House
from pbem.house.crash_points import BEFORE_LINE, reached
from pbem.house.room import Room
from pbem.letters import Enclosure, Letter
from pbem.moderator.cannot_moderate import NoSuchChair, UnknownGame, WrongState
from pbem.outbox.outgoing import queue
from pbem.store import GameRow, MailIn, Player, Seat, new_id


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
    on_line: Callable[[log.Line], None] = lambda line: None  # the answer by mail is held for the line, too
    done: bool = False  # a line was written, and all that follows from it
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

    def room(self, name: str) -> Room:
        return Room(self.house, self.session, self.game(name))

    def running(self, name: str, what: str) -> Room:
        """A game that is being played, or is paused. Raises UnknownGame, WrongState."""
        room = self.room(name)
        if room.game.state not in ("playing", "paused"):
            raise WrongState(room.game.id, room.game.state, what)
        return room

    def seat(self, room: Room, side: str) -> Seat:
        """A chair at the game. Raises NoSuchChair."""
        seats = room.seats()
        for seat in seats:
            if seat.side.casefold() == side.strip().casefold():
                return seat
        raise NoSuchChair(room.game.id, side, [seat.side for seat in seats])

    def write(self, room: Room, seat: Seat, player: Player, heading: str, *lines: str, stays: bool = True) -> Letter:
        """A letter to one of the players, not sent yet; `stays` is not so for who has lost his chair."""
        letter = letter_to(room, "ruling", seat, player)
        letter.say(heading, *lines)
        if room.begun:
            enclose_deadline(room, letter, seat, player, owes=stays)
        return letter

    def send(self, letter: Letter, about: str, *, held: bool = False) -> None:
        """Queues a letter of this act; a held one waits for the act's line."""
        key = f"moderator/{self.cause}/{about}"
        queue(self.house, self.session, letter, key, held_for=self.cause if held else "")

    def tell_all(self, room: Room, heading: str, *lines: str, but: Seat | None = None, held: bool = False) -> None:
        """The same words to every player."""
        for seat, player in room.people():
            if but is None or seat.id != but.id:
                self.send(self.write(room, seat, player, heading, *lines), seat.side, held=held)

    def line(
        self, room: Room, make: Callable[[Witness], object], tell: Callable[[log.Line, Reply], None]
    ) -> log.Line | None:
        """Has a line written: what `tell` sends is held until it stands. None if nothing came of it."""
        found: list[log.Line] = []

        def witness(line: log.Line, reply: Reply) -> None:
            if found:  # the secret's line after the last one: told with the final report
                return
            found.append(line)
            before_line(room, reply)
            tell(line, reply)
            self.on_line(line)
            self.session.commit()
            reached(BEFORE_LINE)

        make(witness)
        if not found:
            return None
        self.done = True
        after_line(room, self.cause, self.mail)
        return found[0]
