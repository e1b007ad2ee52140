"""Somebody who was asked whether a chair may have his address: his answer is heard, be he known or not."""

from datetime import UTC, timedelta

from sqlmodel import select

from pbem.gate.arrival import MOST_TAGS, Admitted, Arrival
from pbem.store import AddressRequest, GameRow, Player, Seat
from pbem.store.database import utc

OPEN = timedelta(days=14)  # that a request waits for its answer


def judge(arrival: Arrival) -> Admitted | None:
    """The token in the letter to the new address, written to from there, is the proof that it reaches him."""
    mail, session = arrival.mail, arrival.session
    for tag in mail.tags[:MOST_TAGS]:
        request = session.exec(select(AddressRequest).where(AddressRequest.token == tag)).first()
        if request is None or request.address != mail.sender or request.confirmed:
            continue
        seat = session.get_one(Seat, request.seat_id)
        if seat.player_id != request.player_id or utc(request.asked) + OPEN < mail.received.astimezone(UTC):
            continue
        game = session.get_one(GameRow, seat.game_id)
        return Admitted(game, seat.side, seat, session.get_one(Player, request.player_id), request)
    return None
