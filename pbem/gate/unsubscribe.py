"""Mail to the address of an Unsubscribe button: reminders of a chair, or an onlooker's reports, end with it."""

from sqlmodel import Session

from pbem.gate.arrival import MOST_TAGS, Arrival, TurnedAway
from pbem.house.wishes import OFF, reminders, wish, wish_of
from pbem.outbox.unsubscribing import Subscription, is_unsubscribing, subscription_of
from pbem.store import Player, Seat, Spectator

NOTHING = "there is nothing left to be spared by this address"


def judge(arrival: Arrival) -> TurnedAway | None:
    """Whoever sends it, and a program may: the address is secret. The answer goes to whose mail it was."""
    tags = [tag for tag in arrival.mail.tags[:MOST_TAGS] if is_unsubscribing(tag)]
    for tag in tags:
        found = subscription_of(arrival.session, tag)
        if found is not None and not _is_spared(arrival.session, found):
            told = {"heading": "You will hear less from us", "off": tag, "to": found.to.address, "game": found.game.id}
            if found.seat is None:
                return TurnedAway.told("unsubscribe", "answer", "reports", **told)
            back = {"side": found.seat.side, "reply_to": arrival.house.seat_address(found.seat.token)}
            return TurnedAway.told("unsubscribe", "answer", "reminders", **told, **back)
    return TurnedAway("unsubscribe", "silent", NOTHING) if tags else None


def spare(session: Session, tag: str) -> None:
    """What such an address asks for is done; twice does no harm."""
    match subscription_of(session, tag):
        case Subscription(to=Spectator() as looker):
            session.delete(looker)
        case Subscription(to=Player() as player, seat=Seat() as seat):
            wish(session, player, reminders(seat), OFF)


def _is_spared(session: Session, found: Subscription) -> bool:
    """Whether he gets no reminders as it is."""
    match found:
        case Subscription(to=Player() as player, seat=Seat() as seat):
            return wish_of(session, player, reminders(seat)) == OFF
    return False
