"""Mail to the address of an Unsubscribe button: reminders of a chair, or an onlooker's reports, end with it."""

from sqlmodel import Session

from pbem.gate.arrival import MOST_TAGS, Arrival, TurnedAway
from pbem.house import House
from pbem.house.wishes import OFF, reminders, wish, wish_of
from pbem.outbox.unsubscribing import Reminders, Reports, is_unsubscribing, subscription_of

NOTHING = "there is nothing left to be spared by this address"


def judge(arrival: Arrival) -> TurnedAway | None:
    """Whoever sends it, and a program may: the address is secret. The answer goes to whose mail it was."""
    tags = [tag for tag in arrival.mail.tags[:MOST_TAGS] if is_unsubscribing(tag)]
    for tag in tags:
        found = subscription_of(arrival.session, tag)
        spared = isinstance(found, Reminders) and wish_of(arrival.session, found.player, reminders(found.seat)) == OFF
        if found is not None and not spared:
            return TurnedAway("unsubscribe", "answer", _told(found), _data(arrival.house, found, tag))
    return TurnedAway("unsubscribe", "silent", NOTHING) if tags else None


def spare(session: Session, tag: str) -> None:
    """What such an address asks for is done; twice does no harm."""
    found = subscription_of(session, tag)
    if isinstance(found, Reports):
        session.delete(found.looker)
    elif found is not None:
        wish(session, found.player, reminders(found.seat), OFF)


def _told(found: Reminders | Reports) -> str:
    if isinstance(found, Reports):
        return f"You look on at {found.game.id} no more, and get no more reports. The moderator can let you in again."
    return (
        f"You get no more reminders for {found.seat.side} in {found.game.id}; deadlines stay as they are. "
        "Write `reminders on` to have them again."
    )


def _data(house: House, found: Reminders | Reports, tag: str) -> dict[str, str]:
    told = {"heading": "You will hear less from us", "off": tag}
    if isinstance(found, Reports):
        return {**told, "to": found.looker.address}
    return {**told, "to": found.player.address, "reply_to": house.seat_address(found.seat.token)}
