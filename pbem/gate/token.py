"""The token in the address opens one chair, and only to the player who sits there."""

from sqlmodel import Session, col, select

from pbem.gate.arrival import MOST_TAGS, Arrival, TurnedAway
from pbem.gate.bare_address import SAY as MISSING
from pbem.inbox.incoming import Incoming
from pbem.store import FormerToken, MailIn, Player, Seat
from pbem.store.whose import chairs_of, may_write

WRONG = "The address you wrote to opens no chair of yours."
OLD = "The address you wrote to has been replaced by a new one (`token new`), and opens nothing any more."
STALE = "The chair you wrote for has passed to somebody else."
REPLY = "Reply to this letter to write for the chair you hold."
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
    elif (renewed := _renewed(session, mail)) is not None:
        back = {"kind": "old", "reply_to": arrival.house.seat_address(renewed.token)}
        return TurnedAway("token", "answer", f"{OLD} Nothing in it was carried out. {REPLY}", back)
    elif _sat_there(session, mail):
        kind, what = "stale", STALE
    else:
        kind, what = "wrong", WRONG
    chairs = chairs_of(session, mail.sender)
    data = {"kind": kind}
    if len(chairs) == 1:
        data["reply_to"] = arrival.house.seat_address(chairs[0][0].token)  # it goes to the player's own mailbox
        advice = REPLY
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


def _renewed(session: Session, mail: Incoming) -> Seat | None:
    """The sender's own chair, whose token this was once."""
    former = select(FormerToken, Seat, Player).where(col(FormerToken.token).in_(mail.tags[:MOST_TAGS]))
    former = former.join(Seat, col(Seat.id) == col(FormerToken.seat_id))
    former = former.join(Player, col(Player.id) == col(FormerToken.player_id))
    for token, seat, player in session.exec(former).all():
        if token.player_id == seat.player_id and not seat.bot and may_write(session, seat, player, mail.sender):
            return seat
    return None
