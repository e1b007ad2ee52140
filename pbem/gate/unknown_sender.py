"""Mail from somebody who plays in no game is answered with one sentence that gives nothing away."""

from sqlmodel import select

from pbem.gate.arrival import Arrival, TurnedAway
from pbem.store import GameRow, Player, Spectator, mail_address

SAY = (
    "This address belongs to a service that referees games by mail. It reads mail only from the people who play here, "
    "and only at the address that their letters name. If you are one of them, write from the address at which you were "
    "invited, and reply to a letter of ours. Nothing in your mail was carried out."
)


def judge(arrival: Arrival) -> TurnedAway | None:
    """The same words whatever the mail said: an outsider learns of no game and no player."""
    sender, session = arrival.mail.sender, arrival.session
    if sender == mail_address(arrival.house.settings.moderator):
        return None
    known = (
        session.exec(select(Player.id).where(Player.address == sender)).first() is not None
        or session.exec(select(GameRow.id).where(GameRow.moderator == sender).limit(1)).first() is not None
        or session.exec(select(Spectator.id).where(Spectator.address == sender).limit(1)).first() is not None
    )
    return None if known else TurnedAway("unknown_sender", "answer", SAY)
