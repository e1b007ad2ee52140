"""Mail to the service itself: taken for the one chair that is asked, if its sender is proved; else he is helped."""

from pbem.gate import authentication
from pbem.gate.arrival import SENTENCES, Admitted, Arrival, TurnedAway
from pbem.gate.wrong_game import games_named
from pbem.store.whose import chairs_of, is_asked
from pbem.wording.naming import side_title


def judge(arrival: Arrival) -> TurnedAway | None:
    """Without a token a mail speaks for nobody, unless it is proved who wrote it and plain which chair he means."""
    mail, session = arrival.mail, arrival.session
    if mail.tags:
        return None
    chairs = chairs_of(session, mail.sender)
    if not chairs:
        return None  # a moderator, or somebody whose games are over
    named = games_named(mail.subject)
    meant = [chair for chair in chairs if chair[1].id in named] or chairs
    asked = [chair for chair in meant if is_asked(session, chair[0], chair[1])]
    if len(asked) == 1 and not authentication.doubt(arrival):
        seat, game, player = asked[0]
        arrival.chairs = [Admitted(game, seat.side, seat, player)]
        mail.notes.append(SENTENCES["bare_address"]["taken"].format(side=side_title(seat.side), game=game.id))
        return None
    data = {"reply_to": arrival.house.seat_address(chairs[0][0].token)} if len(chairs) == 1 else {}
    return TurnedAway.told("bare_address", "answer", **data)
