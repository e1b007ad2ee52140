"""The token in the address opens one chair, and only to the player who sits there."""

from sqlmodel import Session, col, select

from pbem.gate.arrival import MOST_TAGS, Arrival, TurnedAway
from pbem.inbox.incoming import Incoming
from pbem.store import GameRow, MailIn, Player, Seat

MISSING = "Your mail came to the service itself, not to a chair at a game."
WRONG = "The address you wrote to opens no chair of yours."
STALE = "The chair you wrote for has passed to somebody else."
TWO = "Your mail was sent to more than one chair at once, so it cannot be told for whom it speaks."


def judge(arrival: Arrival) -> TurnedAway | None:
    """A token that does not exist and one that is somebody else's are answered alike."""
    mail, session = arrival.mail, arrival.session
    if len(arrival.chairs) == 1:
        return None
    if arrival.chairs:
        kind, what = "two", TWO
    elif not mail.tags:
        kind, what = "missing", MISSING
    elif _sat_there(session, mail):
        kind, what = "stale", STALE
    else:
        kind, what = "wrong", WRONG
    only = _only_chair(session, mail.sender)
    data = {"kind": kind}
    if only is not None:
        data["reply_to"] = arrival.house.seat_address(only.token)  # it goes to the player's own mailbox
        advice = "Reply to this letter to write for the chair you hold."
    else:
        advice = "Reply to the latest letter of the game you mean: its reply address is the right one."
    return TurnedAway("token", "answer", f"{what} Nothing in it was carried out. {advice}", data)


def _sat_there(session: Session, mail: Incoming) -> bool:
    """Whether he has written from this chair before: then it is no secret to him that there is one."""
    for seat in session.exec(select(Seat).where(col(Seat.token).in_(mail.tags[:MOST_TAGS]))).all():
        wrote = select(MailIn.id).where(
            MailIn.sender == mail.sender,
            MailIn.game_id == seat.game_id,
            MailIn.side == seat.side,
            MailIn.state == "done",
        )
        if session.exec(wrote.limit(1)).first() is not None:
            return True
    return False


def _only_chair(session: Session, sender: str) -> Seat | None:
    seats = session.exec(
        select(Seat)
        .join(Player, col(Player.id) == col(Seat.player_id))
        .join(GameRow, col(GameRow.id) == col(Seat.game_id))
        .where(Player.address == sender, Seat.bot == "", col(GameRow.state).not_in(("finished", "abandoned", "lapsed")))
        .limit(2)
    ).all()
    return seats[0] if len(seats) == 1 else None
