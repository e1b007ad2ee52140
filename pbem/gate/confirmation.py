"""Somebody who was asked whether a chair may have his address: his answer is heard, be he known or not."""

from datetime import UTC, timedelta

from sqlmodel import and_, col, select

from pbem.gate.arrival import MOST_TAGS, Admitted, Arrival
from pbem.store import AddressRequest, GameRow, Player, Seat, utc

OPEN = timedelta(days=14)  # that a request waits for its answer


def judge(arrival: Arrival) -> Admitted | None:
    """The token in the letter to the new address, written to from there, is the proof that it reaches him."""
    request = None if arrival.chairs else request_of(arrival)
    if request is None:
        return None
    seat = arrival.session.get_one(Seat, request.seat_id)
    game, player = arrival.session.get_one(GameRow, seat.game_id), arrival.session.get_one(Player, request.player_id)
    return Admitted(game, seat.side, seat, player, confirms=request)


def request_of(arrival: Arrival) -> AddressRequest | None:
    """What the sender is asked, if it is still open and he writes to where he was asked to."""
    mail, holds = arrival.mail, col(Seat.player_id) == col(AddressRequest.player_id)
    asked = select(AddressRequest).join(Seat, and_(col(Seat.id) == col(AddressRequest.seat_id), holds))
    asked = asked.where(AddressRequest.address == mail.sender, col(AddressRequest.token).in_(mail.tags[:MOST_TAGS]))
    found, since = arrival.session.exec(asked).all(), mail.received.astimezone(UTC) - OPEN
    return next((one for one in found if not one.confirmed and utc(one.asked) >= since), None)
