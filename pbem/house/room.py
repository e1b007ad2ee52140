"""The room a game is played in: its row, its people, its campaign, within one transaction."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine.campaign import Campaign
from engine.drawer import BRISK
from engine.game import Game
from engine.referee import LineReply
from games import find_game
from pbem.house.house import House
from pbem.store import CalendarEntry, Due, Duel, GameRow, Player, Seat, Spectator

NOT_BEGUN = ("invited", "joined", "lapsed")
# Asked with every mail, and so put together once.
CHAIRS = (
    select(Seat, Player).join(Player, isouter=True).where(col(Seat.game_id) == bindparam("game")).order_by(col(Seat.id))
)
OWED = select(Due).where(col(Due.game_id) == bindparam("game"))
LOOKERS = select(Spectator).where(col(Spectator.game_id) == bindparam("game"))
CALENDARS = select(CalendarEntry).join(Seat).where(col(Seat.game_id) == bindparam("game"))


@dataclass
class Room:
    """What everybody who writes a line for a game needs."""

    house: House
    session: Session
    game: GameRow
    # By chair: what its holder is to be told, because it speaks for another side now.
    passed: dict[int | None, list[str]] = field(default_factory=dict)
    answered: dict[str, list[str]] = field(default_factory=dict)  # by side: its answers in a line it did not write
    drawn: dict[str, list[LineReply]] = field(default_factory=dict)  # by side: what became of its lines, until told
    _seated: list[tuple[Seat, Player | None]] = field(default_factory=list)
    _dues: list[Due] | None = None
    _calendars: list[CalendarEntry] | None = None
    _rival: Room | None = None

    @classmethod
    def of(cls, house: House, session: Session, game: str) -> Room:
        """The room of a game to which this transaction may write, and until it ends nobody else."""
        house.cabinet.hold(session, game)
        return cls(house, session, session.get_one(GameRow, game))

    @property
    def now(self) -> datetime:
        return self.house.clock()

    @property
    def at(self) -> str:
        """The time that a line written now carries."""
        return self.now.isoformat(timespec="seconds")

    @property
    def begun(self) -> bool:
        return self.game.state not in NOT_BEGUN

    @property
    def campaign(self) -> Campaign:
        return self.house.campaign(self.game, self.session)

    @property
    def rules(self) -> Game:
        """What is played, whether it has begun or not."""
        return find_game(self.game.rulebook, self.game.scenario, self.game.options)

    @property
    def pace(self) -> str:
        """Whether the game waits for a side that is asked about its own units in play that is not its own."""
        return self.campaign.drawer.pace if self.begun else str(self.game.settings.get("pace", BRISK))

    @property
    def alone(self) -> bool:
        """A game with one chair: there is nobody to ask, to write to or to agree with."""
        return len(self.seats()) == 1

    @property
    def duel(self) -> Duel | None:
        """What ties it to another game, if anything does."""
        return self.session.get(Duel, self.game.duel_id) if self.game.duel_id is not None else None

    @property
    def rival(self) -> Room | None:
        """The room of the other game of its duel."""
        if self._rival is None and self.game.duel_id is not None:
            other = select(GameRow).where(GameRow.duel_id == self.game.duel_id, GameRow.id != self.game.id)
            self._rival = Room(self.house, self.session, self.session.exec(other).one(), _rival=self)
        return self._rival

    def pair(self) -> list[Room]:
        """This room, and its rival's if it has one, in an order that is the same from both."""
        return sorted([self, *([self.rival] if self.rival is not None else [])], key=lambda room: room.game.id)

    def seats(self) -> list[Seat]:
        """The chairs in the order of the game's sides; read once, for within a transaction nobody brings another."""
        if not self._seated:
            self._seated = list(self.session.exec(CHAIRS, params={"game": self.game.id}).all())
        return [seat for seat, _ in self._seated]

    def dues(self) -> list[Due]:
        """What is owed, as it is written down; `owe` and `settle` alone change it."""
        if self._dues is None:
            self._dues = list(self.session.exec(OWED, params={"game": self.game.id}).all())
        return self._dues

    def calendars(self) -> list[CalendarEntry]:
        """What its players' calendars have been told, as it was written down before this transaction."""
        if self._calendars is None:
            self._calendars = list(self.session.exec(CALENDARS, params={"game": self.game.id}).all())
        return self._calendars

    def owe(self, due: Due) -> None:
        self.dues().append(due)
        self.session.add(due)

    def settle(self, due: Due) -> None:
        self.dues().remove(due)
        if due in self.session.new:  # owed and settled in one transaction: it was never written
            self.session.expunge(due)
        else:
            self.session.delete(due)
            self.session.flush()  # before another for the same side is written

    def settle_all(self) -> None:
        for due in list(self.dues()):
            self.settle(due)

    def wake_lookers(self) -> None:
        """There is news: whoever looks on is told when it is old enough for him; at once, if there is no game."""
        for looker in self.session.exec(LOOKERS, params={"game": self.game.id}).all():
            delay = timedelta(hours=looker.delay_hours if self.game.state in ("playing", "paused", "finished") else 0)
            looker.wake = looker.wake or self.now + delay

    def player(self, seat: Seat) -> Player | None:
        """Who sits there; nobody, if it is a bot's chair."""
        if seat.player_id is None or seat.bot:
            return None
        read = next((player for _, player in self._seated if player is not None and player.id == seat.player_id), None)
        return read or self.session.get(Player, seat.player_id)

    def record(self, player: Player, what: str, seconds: int) -> None:
        """Counted with the commit, onto what it is by then: another game of his may count at the same time."""
        records: dict[int | None, Counter[str]] = self.session.info.setdefault("records", {})
        records.setdefault(player.id, Counter()).update({what: 1, "seconds": seconds})

    def people(self) -> list[tuple[Seat, Player]]:
        """The chairs that persons sit on."""
        return [(seat, player) for seat in self.seats() if (player := self.player(seat)) is not None]
