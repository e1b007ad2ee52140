"""The token in the address opens one chair, and only to the player who sits there."""

from sqlmodel import Session, and_, col, select

from pbem.gate.arrival import MOST_TAGS, SENTENCES, Arrival, TurnedAway
from pbem.inbox.incoming import Incoming
from pbem.store import FormerToken, MailIn, Player, Seat
from pbem.store.whose import chairs_of, may_write


def judge(arrival: Arrival) -> TurnedAway | None:
    """A token that does not exist and one that is somebody else's are answered alike."""
    mail, session = arrival.mail, arrival.session
    if len(arrival.chairs) == 1:
        return None
    renewed = _renewed(session, mail) if mail.tags and not arrival.chairs else None
    if arrival.chairs:
        kind = "two"
    elif not mail.tags:
        kind = "missing"
    elif renewed is not None:
        kind = "old"
    else:
        kind = "stale" if _sat_there(session, mail) else "wrong"
    seats = [renewed] if renewed is not None else [seat for seat, *_ in chairs_of(session, mail.sender)]
    # It goes to the player's own mailbox.
    back = {"reply_to": arrival.house.seat_address(seats[0].token)} if len(seats) == 1 else {}
    words = {"what": SENTENCES["token"][kind], "advice": SENTENCES["token"]["reply" if back else "latest"]}
    return TurnedAway("token", "answer", SENTENCES["token"]["say"].format(**words), {"kind": kind, **back})


def _sat_there(session: Session, mail: Incoming) -> bool:
    """Whether he has written from this chair before: then it is no secret to him that there is one."""
    there = and_(col(Seat.game_id) == col(MailIn.game_id), col(Seat.side) == col(MailIn.side))
    wrote = select(MailIn.id).join(Seat, there).where(col(Seat.token).in_(mail.tags[:MOST_TAGS]))
    wrote = wrote.where(MailIn.sender == mail.sender, MailIn.state == "done").limit(1)
    return session.exec(wrote).first() is not None


def _renewed(session: Session, mail: Incoming) -> Seat | None:
    """The sender's own chair, whose token this was once."""
    former = select(FormerToken, Seat, Player).where(col(FormerToken.token).in_(mail.tags[:MOST_TAGS]))
    former = former.join(Seat, col(Seat.id) == col(FormerToken.seat_id))
    former = former.join(Player, col(Player.id) == col(FormerToken.player_id))
    for token, seat, player in session.exec(former).all():
        if token.player_id == seat.player_id and not seat.bot and may_write(session, seat, player, mail.sender):
            return seat
    return None
