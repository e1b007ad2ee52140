"""Addresses that a mail program's Unsubscribe button writes to: they let us write less, and open nothing else."""

import hashlib
import hmac
import re
from dataclasses import dataclass

from sqlmodel import Session, col, select

from pbem.house import House
from pbem.store import GameRow, Player, Seat, Spectator

_TAG = re.compile(r"off-(?:r(\d{1,9})|s)-([0-9a-f]{32})")  # reminders of a chair, or what onlookers get


@dataclass(frozen=True)
class Subscription:
    """What somebody is written: before a deadline, for the chair that he sits on, or as an onlooker, who has none."""

    game: GameRow
    to: Player | Spectator
    seat: Seat | None = None

    @property
    def tag(self) -> str:
        """It cannot be guessed, and is made anew whenever it is needed: a new token of the chair makes a new one."""
        if self.seat is not None:
            return f"off-r{self.seat.id}-{_mark('reminders', self.seat.token)}"
        return f"off-s-{_mark(self.to.address, self.game.moderator_token)}"


def unsubscribe_address(house: House, subscription: Subscription) -> str:
    return house.seat_address(subscription.tag)


def is_unsubscribing(tag: str) -> bool:
    """Whether an address has that form, valid or not."""
    return _TAG.fullmatch(tag) is not None


def subscription_of(session: Session, tag: str) -> Subscription | None:
    """What an address is about; None for a forged one, or if there is nothing left to be spared."""
    found = _TAG.fullmatch(tag)
    if found is None:
        return None
    subscriptions = _reminders(session, int(found[1])) if found[1] else _reports(session)
    return next((one for one in subscriptions if hmac.compare_digest(one.tag, tag)), None)


def _reminders(session: Session, seat_id: int) -> list[Subscription]:
    rows = select(GameRow, Seat, Player).join(Seat, col(Seat.game_id) == col(GameRow.id))
    rows = rows.join(Player, col(Player.id) == col(Seat.player_id)).where(Seat.id == seat_id, Seat.bot == "")
    return [Subscription(game, player, seat) for game, seat, player in session.exec(rows).all()]


def _reports(session: Session) -> list[Subscription]:
    rows = select(GameRow, Spectator).join(Spectator, col(Spectator.game_id) == col(GameRow.id))
    return [Subscription(game, looker) for game, looker in session.exec(rows).all()]


def _mark(what: str, secret: str) -> str:
    return hmac.new(secret.encode(), what.encode(), hashlib.sha256).hexdigest()[:32]
