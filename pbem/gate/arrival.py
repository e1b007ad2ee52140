"""A mail at the gate: what the rules look at, and what they may say: that it is turned away, or who is let in."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from engine.folder import read_toml
from pbem.house import House
from pbem.inbox.incoming import Incoming, open_mail
from pbem.store import AddressRequest, GameRow, Invitation, MailIn, Player, Seat, Spectator, mail_address
from pbem.store.whose import may_write

SENTENCES, MARKS = (read_toml(Path(__file__).parent, f"{name}.toml") for name in ("sentences", "marks"))
Action = Literal["silent", "answer", "shunt"]
MODERATOR, ONLOOKER = "moderator", "onlooker"
CHAIR = (
    select(Seat, GameRow, Player)
    .join(GameRow)
    .join(Player)
    .where(col(Seat.token) == bindparam("tag"), col(Seat.bot) == "")
)
MOST_TAGS = 8  # addresses of ours that one mail is looked up under


@dataclass(frozen=True)
class TurnedAway:
    """A mail that goes no further: no word to anybody, exactly one answer, or set aside for the moderator."""

    rule: str
    action: Action
    say: str = ""  # to the sender if it is answered, otherwise for the moderator's list
    data: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def told(cls, rule: str, action: Action, kind: str = "say", **data: Any) -> "TurnedAway":
        """In the words that a rule has for it, made of what is known of the mail."""
        return cls(rule, action, SENTENCES[rule][kind].format(**data), data)


@dataclass(frozen=True)
class Admitted:
    """Who speaks, and in which game; the rows are those of the session that was asked."""

    game: GameRow
    side: str  # of the game, or "moderator"
    seat: Seat | None  # the moderator has none
    player: Player | None  # a moderator need not be a player
    asked: Invitation | None = None  # he is only asked to sit on that chair, which somebody else holds
    looker: Spectator | None = None  # he looks on
    confirms: AddressRequest | None = None  # the sender is asked whether the chair may have his address, and no more


@dataclass
class Arrival:
    """One mail before the rules. They read through `session` and write nothing."""

    mail: Incoming
    house: House
    session: Session

    @cached_property
    def chairs(self) -> list[Admitted]:
        """Everything the mail's tokens open to its sender: a token in anybody else's hand opens nothing."""
        ways = (self._chair, self._office, self._invited, self._window)
        found = (next(chain.from_iterable(way(tag) for way in ways), None) for tag in self.mail.tags[:MOST_TAGS])
        return [chair for chair in found if chair is not None]

    def once_more(self, rows: Iterable[MailIn]) -> Iterator[Incoming]:
        """Mails that came before, opened again as far as their bytes are still kept."""
        for row in rows:
            if row.raw:
                raw = self.house.cabinet.raw(self.session, row.raw)
                yield open_mail(row.id, raw, row.received, self.house)

    def _chair(self, tag: str) -> Iterator[Admitted]:
        for seat, game, player in self.session.exec(CHAIR, params={"tag": tag}).all():
            if may_write(self.session, seat, player, self.mail.sender):
                yield Admitted(game, seat.side, seat, player)

    def _office(self, tag: str) -> Iterator[Admitted]:
        sender = self.mail.sender
        game = self.session.exec(select(GameRow).where(GameRow.moderator_token == tag)).first()
        if game and sender in (mail_address(game.moderator), mail_address(self.house.settings.moderator)):
            player = self.session.exec(select(Player).where(Player.address == sender)).first()
            yield Admitted(game, MODERATOR, None, player)

    def _invited(self, tag: str) -> Iterator[Admitted]:
        """Somebody who is asked to take over a chair; once it is his, or was, this opens nothing."""
        asked = (
            select(Invitation, Seat, GameRow, Player)
            .join(Seat, col(Seat.id) == col(Invitation.seat_id))
            .join(GameRow, col(GameRow.id) == col(Invitation.game_id))
            .join(Player, col(Player.id) == col(Invitation.player_id))
            .where(Invitation.token == tag, Invitation.state != "taken")
        )
        for invitation, seat, game, player in self.session.exec(asked).all():
            if mail_address(player.address) == self.mail.sender and seat.token != tag:
                yield Admitted(game, seat.side, seat, player, asked=invitation)

    def _window(self, tag: str) -> Iterator[Admitted]:
        """Somebody who looks on."""
        looking = select(Spectator, GameRow).join(GameRow).where(Spectator.token == tag, Spectator.token != "")
        for looker, game in self.session.exec(looking).all():
            if looker.address == self.mail.sender:
                yield Admitted(game, ONLOOKER, None, None, looker=looker)


Rule = Callable[[Arrival], TurnedAway | Admitted | None]
