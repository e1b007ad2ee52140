"""The referee drives a game's rule procedures, and finds the answers to what they ask."""

from engine.referee.record import Differs, LineReply, Reply, in_order, reveals
from engine.referee.referee import Referee
from engine.referee.run import DiceCast, not_asked
from engine.referee.tally import NO_ANSWERS, Tally

__all__ = [
    "NO_ANSWERS",
    "DiceCast",
    "Differs",
    "LineReply",
    "Referee",
    "Reply",
    "Tally",
    "in_order",
    "not_asked",
    "reveals",
]
