"""A mail for a game that is gone, or that speaks of another game than the one it was sent to."""

import re

from sqlmodel import col, select

from pbem.gate.arrival import MODERATOR, ONLOOKER, Admitted, Arrival, TurnedAway
from pbem.house import GAME_NAME
from pbem.store import Seat

NAMED = re.compile(rf"\[({GAME_NAME.pattern})\]", re.I)


def judge(arrival: Arrival) -> TurnedAway | None:
    """Invited, paused and finished games still hear `join`, `status` or `log`: the desk refuses orders there."""
    chairs = arrival.chairs
    if len(chairs) != 1 or chairs[0].side in (MODERATOR, ONLOOKER):
        return None
    chair = chairs[0]
    if chair.game.state == "abandoned":
        return TurnedAway.told("wrong_game", "answer", "abandoned", game=chair.game.id)
    other = _other_game(arrival, chair)
    return TurnedAway.told("wrong_game", "answer", "other", game=chair.game.id, named=other) if other else None


def _other_game(arrival: Arrival, chair: Admitted) -> str:
    """Another game of the sender's own; what else stands in brackets says nothing."""
    named = games_named(arrival.mail.subject)
    if not named or chair.game.id in named or chair.seat is None:
        return ""
    his = select(Seat.game_id).where(Seat.player_id == chair.seat.player_id, col(Seat.game_id).in_(named))
    return arrival.session.exec(his.limit(1)).first() or ""


def games_named(subject: str) -> list[str]:
    """What stands in brackets in a subject, and may be games."""
    return [name.lower() for name in NAMED.findall(subject)][:5]
