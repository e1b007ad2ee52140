"""The gate: every mail passes these rules in this order, and the first that speaks decides."""

from sqlmodel import Session

from pbem.gate import (
    admitted,
    authentication,
    auto_reply,
    bare_address,
    bounce,
    confirmation,
    duplicate,
    echo,
    loop,
    rate_limit,
    reply_all,
    spam,
    token,
    too_large,
    unknown_sender,
    unreadable,
    unsubscribe,
    wrong_game,
)
from pbem.gate.arrival import MODERATOR, Admitted, Arrival, Rule, TurnedAway
from pbem.gate.unknown_sender import SUBJECT as STRANGER
from pbem.house import House

__all__ = ["MODERATOR", "RULES", "STRANGER", "Admitted", "Arrival", "Rule", "TurnedAway", "follow_up", "judge"]

# What the first two rules would answer may still come from a machine, or be a second copy.
UNANSWERED: tuple[Rule, ...] = (loop.judge, auto_reply.judge, bounce.judge, duplicate.judge, spam.judge)
# Then who sent it, for which chair, how often.
WHO: tuple[Rule, ...] = (
    *(unknown_sender.judge, confirmation.judge, bare_address.judge, token.judge, wrong_game.judge),
    *(authentication.judge, rate_limit.judge),
)
RULES: tuple[Rule, ...] = (
    *(too_large.judge, unsubscribe.judge, unreadable.judge, *UNANSWERED, *WHO, reply_all.judge, admitted.judge),
)


def judge(arrival: Arrival) -> TurnedAway | Admitted:
    """The first word any rule has about a mail. Reads the database, writes nothing."""
    for rule in RULES:
        found = rule(arrival)
        if isinstance(found, TurnedAway) and (found.action == "answer" or found.rule == "unreadable"):
            return _if_worth_a_word(found, arrival)
        if found is not None:
            return found
    raise AssertionError("the last rule always speaks")


def follow_up(house: House, session: Session, verdict: TurnedAway) -> None:
    """What a verdict asks for besides an answer, in the transaction that closes its mail; twice does no harm."""
    bounce.follow_up(house, session, verdict)
    unsubscribe.spare(session, verdict.data.get("off", ""))


def _if_worth_a_word(found: TurnedAway, arrival: Arrival) -> TurnedAway:
    """No machine is answered, and nobody is answered without end: whoever is imitated would pay for it."""
    if found.rule in ("too_large", "unreadable"):
        for rule in UNANSWERED:
            other = rule(arrival)
            if isinstance(other, TurnedAway) and other.action == "silent":
                return other
        if found.action == "answer" and (stranger := unknown_sender.judge(arrival)) is not None:
            return stranger  # he is told what every stranger is told, and as seldom
    if found.rule in ("rate_limit", "unknown_sender"):
        return found
    spared = rate_limit.spare(found, arrival)
    return echo.spare(spared, arrival) if spared.action == "answer" else spared
