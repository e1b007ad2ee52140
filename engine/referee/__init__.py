"""The referee drives a game's rule procedures, and finds the answers to what they ask."""

from engine.referee.record import Differs, Item, LineReply, Reply, in_order, reveals
from engine.referee.referee import Referee
from engine.referee.run import Dice, not_asked
from engine.referee.tally import NO_ANSWERS, Tally

__all__ = [
    "NO_ANSWERS",
    "Dice",
    "Differs",
    "Item",
    "LineReply",
    "Referee",
    "Reply",
    "Tally",
    "in_order",
    "not_asked",
    "reveals",
]
